// A page whose code is fetched when it is first opened.

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { PageProps } from "../router.js";
import { Pending, message } from "./common.js";

export function lazy(load: () => Promise<ComponentType<PageProps>>): ComponentType<PageProps> {
  let loaded: ComponentType<PageProps> | null = null;
  return function Lazy(props: PageProps) {
    const [Shown, setShown] = useState<ComponentType<PageProps> | null>(() => loaded);
    const [error, setError] = useState<string | null>(null);
    useEffect(() => {
      load().then(
        (component) => {
          loaded = component;
          setShown(() => component);
        },
        (problem: unknown) => setError(message(problem)),
      );
    }, []);
    return Shown ? <Shown {...props} /> : <Pending error={error} what="The page" />;
  };
}
