// Which page is shown: pages register a path, links change it without loading anew.

import { signal } from "@preact/signals";
import type { ComponentChildren, ComponentType, HTMLAttributes } from "preact";

export type Params = Record<string, string>;
export type PageProps = { params: Params };
/** `path` may name parts: `/deck/:id`. */
export type Page = { path: string; component: ComponentType<PageProps>; title?: string };

export const location_ = signal(location.pathname);
/** The part after `?`. */
export const query = signal(location.search);

const pages: Page[] = [];

export function route(path: string, component: ComponentType<PageProps>, title?: string): void {
  pages.push(title === undefined ? { path, component } : { path, component, title });
}

export function found(): [Page, Params] | null {
  for (const page of pages) {
    const params = matches(page.path, location_.value);
    if (params) return [page, params];
  }
  return null;
}

function matches(pattern: string, path: string): Params | null {
  const want = pattern.split("/").filter(Boolean);
  const have = path.split("/").filter(Boolean);
  if (want.length !== have.length) return null;
  const params: Params = {};
  for (const [at, part] of want.entries()) {
    const given = have[at] ?? "";
    if (part.startsWith(":")) params[part.slice(1)] = decoded(given);
    else if (part !== given) return null;
  }
  return params;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function navigate(to: string, replace = false): void {
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  arrived();
  scrollTo(0, 0);
}

function arrived(): void {
  location_.value = location.pathname;
  query.value = location.search;
}
addEventListener("popstate", arrived);

type LinkProps = { to: string; class?: string; target?: string; children?: ComponentChildren } & Omit<HTMLAttributes<HTMLAnchorElement>, "href" | "role">;

/** A link within the client. */
export function Link({ to, children, ...rest }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.defaultPrevented || rest.target || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(to);
  };
  return (
    <a {...rest} href={to} onClick={follow} aria-current={to === location_.value ? "page" : undefined}>
      {children}
    </a>
  );
}
