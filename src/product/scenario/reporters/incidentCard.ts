import { countOf, formatCount } from "../../../ground/math/counts.ts";
import { html, type Markup, toMinus } from "../../report/html/markup.ts";
import { formatFixed, groupThousands } from "../../report/text/numbers.ts";
import type { CaseCourse } from "../run/course.ts";
import type { CaseResult, ScenarioResult } from "../run/result.ts";
import { parseSource } from "./incidentSource.ts";

/** A case of an incident with its course. */
interface CaseView {
  readonly name: string;
  readonly tone: string;
  readonly course: CaseCourse;
}

const OTHERS = ["c4", "c6", "c7", "c8"] as const;

/** Cases in the colours of the card: red as it was, green as it is by default. */
function toneCases(cases: readonly CaseResult[]): CaseView[] {
  let other = 0;
  return cases.flatMap(({ name, course }) => {
    if (course === undefined) return [];
    const label = name === "" ? "default" : name;
    const tone = /\bweak\b/.test(label) ? "down" : /\bdefault\b/.test(label) ? "up" : OTHERS[other++ % OTHERS.length]!;
    return [{ name: label, tone, course }];
  });
}

/** The event, its losses, and the costs of the same day under weak rules and under the default ones. */
export function renderIncident(result: ScenarioResult, details: Markup): Markup {
  const { name, kind, story = "", source = "", sentence, rules, status } = result;
  const { date, venue, lost, evidence } = parseSource(source);
  const cases = toneCases(result.cases);
  return html`<article class="card ${status === "passed" ? "good" : "bad"}" id="${anchorOf(result)}">
<p class="eyebrow">${date !== undefined && html`<time>${date}</time> · `}${venue ?? "Program"} · ${kind ?? "incident"}<span class="verdict ${status === "passed" ? "gain" : "pain"}">${status === "passed" ? "as expected" : "not as expected"}</span></p>
<h3>${name}</h3>
${lost !== undefined && html`<p class="lost">${lost}</p>`}
<p class="story">${story}</p>
${cases.length > 0 && html`<div class="two"><div>${renderBars(cases)}</div><div>${renderPath(cases)}</div></div>`}
${renderTimeline(cases)}
${status === "passed" ? html`<details class="runs"><summary>Runs and their roots</summary>${details}</details>` : details}
<p class="foot">${rules.map((rule) => html`<a class="rule" href="#rule-${rule}">${rule}</a>`)} <code>${result.file}</code>${evidence !== undefined && html` <cite>${evidence}</cite>`}</p>
${sentence !== "" && html`<p class="sentence">${sentence}</p>`}</article>
`;
}

/** The element of a file on the page. */
export function anchorOf({ file }: ScenarioResult): string {
  return `file-${file.replace(/[^\w-]+/g, "-")}`;
}

const FIGURES: readonly (readonly [name: string, unit: "USD" | "", pick: (course: CaseCourse) => string])[] = [
  ["Bad debt", "USD", ({ badDebt }) => badDebt],
  ["Insurance paid", "USD", ({ insurancePaid }) => insurancePaid],
  ["Deleveraged", "USD", ({ deleveraged }) => deleveraged],
  ["Taken over by backstops", "USD", ({ takenOver }) => takenOver],
  ["Losses shared out", "USD", ({ socialized }) => socialized],
  ["Withdrawn", "USD", ({ withdrawn }) => withdrawn],
  ["Accounts wiped out", "", ({ accountsWipedOut }) => String(accountsWipedOut)],
];

function renderBars(cases: readonly CaseView[]): Markup {
  const shown = FIGURES.filter(([, , pick]) => cases.some(({ course }) => pick(course) !== "0"));
  const none = FIGURES.slice(0, 3).filter((figure) => !shown.includes(figure));
  const groups = shown.map(([name, unit, pick]) => {
    const most = Math.max(...cases.map(({ course }) => Math.abs(Number(pick(course)))));
    const rows = cases.map(({ name: label, tone, course }) => {
      const text = pick(course);
      const width = ((Math.abs(Number(text)) / most) * 100).toFixed(1);
      const value = unit === "USD" ? toMinus(formatFixed(text, 0)) : formatCount(Number(text));
      return html`<tr><th scope="row">${label}</th><td class="bar"><div class="share">${text !== "0" && html`<i class="${tone}" style="left:0;width:${width}%"></i>`}</div></td><td class="n${text === "0" ? " none" : ""}">${value}</td></tr>`;
    });
    return html`<tbody><tr><th colspan="3" class="group">${name}${unit !== "" && `, ${unit}`}</th></tr>${rows}</tbody>`;
  });
  return html`${groups.length > 0 && html`<table class="bars-table"><colgroup><col style="width:26%"><col><col style="width:30%"></colgroup>${groups}</table>`}
${none.length > 0 && html`<p class="empty">None in any case: ${none.map(([name]) => name.toLowerCase()).join(", ")}.</p>`}`;
}

const WIDTH = 420;
const HEIGHT = 150;

/** The mark of the market that moved most, in every case, over the blocks. */
function renderPath(cases: readonly CaseView[]): Markup | false {
  const market = movedMost(cases);
  if (market === undefined) return false;
  const paths = cases.map(({ name, tone, course }) => ({
    name,
    tone,
    path: course.marks.find((one) => one.market === market)!,
    end: course.steps.at(-1)?.height ?? 1,
  }));
  const texts = paths.flatMap(({ path }) => path.marks).sort((a, b) => Number(a) - Number(b));
  const [least = "0", most = "0"] = [texts[0], texts.at(-1)];
  const [low, high] = [Number(least), Number(most)];
  const end = Math.max(...paths.map((one) => one.end), ...paths.flatMap(({ path }) => path.heights), 1);
  const y = (value: number) => (HEIGHT - 6 - ((value - low) / (high - low || 1)) * (HEIGHT - 12)).toFixed(1);
  const x = (height: number) => ((height / end) * WIDTH).toFixed(1);
  const lines = paths.map(({ tone, path }) => {
    const d = path.heights.map((height, i) =>
      i === 0 ? `M${x(height)} ${y(Number(path.marks[i]))}` : `H${x(height)}V${y(Number(path.marks[i]))}`,
    );
    return html`<path class="line ${tone}" d="${d.join("")}H${WIDTH}"/>`;
  });
  return html`<figure class="path"><figcaption><b>Mark of ${market}</b> <small>USD, over ${countOf(end, "block")}</small></figcaption>
<div class="plot"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Mark of ${market}">${lines}</svg></div>
<p class="ends"><span>${groupThousands(least)} to ${groupThousands(most)} USD</span>${paths.map(({ name, tone }) => html`<span><i class="key ${tone}"></i>${name}</span>`)}</p></figure>`;
}

function movedMost(cases: readonly CaseView[]): string | undefined {
  let found: string | undefined;
  let most = 0;
  for (const { course } of cases)
    for (const { market, marks } of course.marks) {
      const values = marks.map(Number);
      const moved = values.length < 2 ? 0 : Math.max(...values) / Math.min(...values) - 1;
      if (moved <= most) continue;
      most = moved;
      found = market;
    }
  return found;
}

function renderTimeline(cases: readonly CaseView[]): Markup | false {
  const steps = cases.at(-1)?.course.steps ?? [];
  if (steps.length === 0) return false;
  const rows = steps.map(
    ({ name, note, height }) =>
      html`<li><b>${name}</b> <small>block ${formatCount(height)}</small>${note !== undefined && html`<br>${note}`}</li>`,
  );
  return html`<details class="timeline"><summary>Timeline, ${steps.length} ${steps.length === 1 ? "step" : "steps"}</summary><ol>${rows}</ol></details>`;
}
