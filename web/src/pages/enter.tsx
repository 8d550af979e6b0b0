// Where a page arrives that another server has sent here: it signs in with its ticket and goes on to the match.

import { useEffect, useState } from "preact/hooks";
import { arrival, enter } from "../elsewhere.js";
import { ApiError } from "../net.js";
import { Link, navigate } from "../router.js";
import { Button } from "../ui.js";
import { message, Notice, Page, Pending } from "./common.js";

export function Enter() {
  const [from] = useState(arrival);
  const [problem, setProblem] = useState<unknown>(null);
  const goOn = () => {
    setProblem(null);
    if (from) enter(from).then(() => navigate(from.to, true), setProblem);
    else navigate("/", true);
  };
  useEffect(goOn, []);
  if (problem === null || !from) {
    return (
      <Page title="One moment">
        <Pending error={null} what="The match" />
      </Page>
    );
  }
  return (
    <Page title="You are not signed in here">
      <Notice kind="bad">{message(problem)}</Notice>
      <p>Your match goes on at this server, but it does not know who you are. Nothing is lost: your seat is yours wherever you are signed in.</p>
      <div class="actions">
        {problem instanceof ApiError && problem.passes && (
          <Button kind="primary" onClick={goOn}>
            Try again
          </Button>
        )}
        <Link class="button" to="/account">
          Sign in
        </Link>
        <Link class="button" to={from.to}>
          Look on
        </Link>
      </div>
    </Page>
  );
}
