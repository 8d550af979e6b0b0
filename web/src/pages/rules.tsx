// The rules by section, searched and linked: each rule has an address, and ids named in a text lead on.

import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { game } from "../games.js";
import type { RuleInfo } from "../protocol.js";
import { Link, navigate, type PageProps } from "../router.js";
import { Button, useSlash } from "../ui.js";
import { announce, CopyButton, Field, Page, Pending, useRules } from "./common.js";
import { plain } from "./deck-list.js";

export function Rules({ params }: PageProps) {
  const wanted = params.id ?? "";
  const rules = useRules(wanted.includes(".") ? wanted.split(".")[0] : game.value);
  const [text, setText] = useState(() => new URLSearchParams(location.search).get("q") ?? "");
  const search = useRef<HTMLInputElement>(null);
  useSlash(search);
  const found = useMemo(() => (rules.data ?? []).filter(matching(text)), [rules.data, text]);
  useEffect(() => {
    if (text !== "") announce(`${found.length} rules`);
    history.replaceState(null, "", text === "" ? location.pathname : `?q=${encodeURIComponent(text)}`);
  }, [text, found.length]);
  useEffect(() => {
    if (!wanted || !rules.data) return;
    const rule = document.getElementById(wanted);
    rule?.scrollIntoView({ block: "center" });
    rule?.focus({ preventScroll: true });
  }, [wanted, rules.data]);
  const ids = useMemo(() => new Set((rules.data ?? []).map((rule) => rule.id)), [rules.data]);
  const missing = wanted !== "" && rules.data !== undefined && !ids.has(wanted);
  return (
    <Page title="Rules" lead={rules.data && `${rules.data.length} rules, told in our own words. Every refusal in the game names one of them.`} actions={<Link to="/vocabulary" class="button quiet">Vocabulary of cards</Link>}>
      {missing && <p class="notice notice-bad">There is no rule {wanted}.</p>}
      {rules.data ? (
        <div class="browser">
          <nav class="filters" aria-label="Sections">
            <div role="search">
              <Field label="Search">
                {(id) => <input ref={search} id={id} type="search" value={text} placeholder="press / to search" onInput={(event) => setText(event.currentTarget.value)} />}
              </Field>
            </div>
            <details class="filter-more" open={innerWidth > 900}>
              <summary>Sections</summary>
              <ol class="contents">
                {sections(rules.data).map(([section]) => (
                  <li key={section}>
                    <a href={`#${anchor(section)}`} onClick={() => setText("")}>
                      {section}
                    </a>
                  </li>
                ))}
              </ol>
            </details>
          </nav>
          <div class="rules">
            {found.length === 0 && <p class="empty-line">No rule says that.</p>}
            {sections(found).map(([section, some]) => (
              <section key={section} aria-labelledby={anchor(section)}>
                <h2 id={anchor(section)}>{section}</h2>
                {some.map((rule) => (
                  <Rule key={rule.id} rule={rule} ids={ids} chosen={rule.id === wanted} words={text} />
                ))}
              </section>
            ))}
          </div>
        </div>
      ) : (
        <Pending error={rules.error} what="The rules" />
      )}
    </Page>
  );
}

function Rule(props: { rule: RuleInfo; ids: ReadonlySet<string>; chosen: boolean; words: string }) {
  const { rule } = props;
  const [source, told] = provenance(rule.text);
  return (
    <article id={rule.id} class={`rule-entry ${props.chosen ? "chosen" : ""}`} tabIndex={-1}>
      <div class="rule-head">
        <Link to={`/rules/${rule.id}`} class="rule-id">
          {rule.id}
        </Link>
        <small class="dim">{source}</small>
        {props.chosen && (
          <>
            <CopyButton kind="quiet" text={() => `${location.origin}/rules/${rule.id}`}>
              Copy the link
            </CopyButton>
            <Button kind="quiet" onClick={() => navigate("/rules")}>
              All rules
            </Button>
          </>
        )}
      </div>
      {told.split(/\n+/).map((line, at) => (
        <p key={at}>{linked(line, props.ids)}</p>
      ))}
      {rule.rulings.map((ruling) => (
        <details key={ruling.title} class="ruling" open={props.chosen}>
          <summary>Our ruling: {ruling.title}</summary>
          <p>
            <b>Readings.</b> {linked(ruling.readings, props.ids)}
          </p>
          <p>
            <b>Ours.</b> {linked(ruling.ours, props.ids)}
          </p>
          <p>
            <b>Option.</b> {linked(ruling.option, props.ids)}
          </p>
        </details>
      ))}
    </article>
  );
}

/** Notes such as [CR12 H] and [G M, O M]: what was read, and how sure it is. */
const NOTES = /\s*\[([^\]]*\b[HML]\b[^\]]*)\]/g;

/**
 * Where a rule comes from stands before its text: pages of the rulebook, [I] for our own decision, [S] for a ruling; or in
 * notes within it, of which the first is told.
 */
function provenance(text: string): [string, string] {
  const [note] = Array.from(text.matchAll(NOTES), (found) => found[1] ?? "");
  if (note !== undefined) {
    const pages = Array.from(note.matchAll(/CR(\d+(?:-\d+)?)/g), (page) => page[1]);
    return [[...(pages.length > 0 ? [`core rulebook, page ${pages.join(", ")}`] : []), ...(note.includes("FAQ") ? ["official FAQ"] : [])].join("; "), text.replace(NOTES, "").trim()];
  }
  const found = /^((?:p\.)?[\d, -]+\.|\[[IS]\][.:]?|p\.[\d, -]+\[[IS]\]\.?)\s+/.exec(text);
  if (!found?.[1]) return ["", text];
  const pages = /[\d][\d, -]*/.exec(found[1])?.[0].trim().replace(/,$/, "");
  const words = [pages ? `rulebook, page ${pages}` : "", found[1].includes("[I]") ? "our decision where the book is silent" : "", found[1].includes("[S]") ? "a public ruling" : ""];
  return [words.filter(Boolean).join("; "), text.slice(found[0].length)];
}

const SHORT: Record<string, string> = {
  DS: "Dark Side", LS: "Light Side", PoP: "play-or-pass window",
  AP: "active player", DC: "damage capacity", UD: "unit damage", TA: "tactics", BD: "blast damage",
};

/** Ids in a text become links, also short ones that leave out the game; marks of emphasis are taken as such. */
export function linked(text: string, ids: ReadonlySet<string>): ComponentChildren[] {
  const game = [...ids][0]?.split(".")[0] ?? "";
  const parts = text.split(/(\*\*[^*]+\*\*|`[^`]+`|\b[a-z]+(?:\.[a-z0-9_]+){1,3}\b|\b(?:DS|LS|PoP|AP|DC|UD|TA|BD)\b)/);
  return parts.map((part, at) => {
    if (at % 2 === 0) return part;
    const long = SHORT[part];
    if (long) {
      return (
        <abbr key={at} title={long}>
          {part}
        </abbr>
      );
    }
    const bare = part.replace(/^(\*\*|`)|(\*\*|`)$/g, "");
    const id = ids.has(bare) ? bare : `${game}.${bare}`;
    if (ids.has(id)) {
      return (
        <Link key={at} to={`/rules/${id}`}>
          {bare}
        </Link>
      );
    }
    return part.startsWith("**") ? <b key={at}>{bare}</b> : part.startsWith("`") ? <code key={at}>{bare}</code> : part;
  });
}

function sections(rules: readonly RuleInfo[]): [string, RuleInfo[]][] {
  const found = new Map<string, RuleInfo[]>();
  for (const rule of rules) found.set(rule.section, [...(found.get(rule.section) ?? []), rule]);
  return [...found];
}

function anchor(section: string): string {
  return `section-${plain(section).replace(/[^a-z0-9]+/g, "-")}`;
}

function matching(text: string): (rule: RuleInfo) => boolean {
  const words = plain(text).split(" ").filter(Boolean);
  return (rule) => {
    const rulings = rule.rulings.map((ruling) => `${ruling.title} ${ruling.readings} ${ruling.ours}`).join(" ");
    const all = plain(`${rule.id} ${rule.section} ${rule.text} ${rulings}`);
    return words.every((word) => all.includes(word));
  };
}
