import { countOf, formatCount } from "../../../ground/math/counts.ts";
import { formatDecimal } from "../../../ground/math/decimal.ts";
import { PRICE_DECIMALS } from "../../../ground/math/fixed.ts";
import { formatTime } from "../../report/text/times.ts";
import type { FirstChange } from "./changedSource.ts";
import type {
  DifferingDecision,
  LookaheadReport,
  LookaheadVerdict,
  SeenFile,
  StrategyFindings,
} from "./checkLookahead.ts";
import { type Decision, describeDecision } from "./decision.ts";
import { FORESIGHT_LIMIT, type Foresight } from "./foresight.ts";
import type { FutureKind } from "./future.ts";

const VERDICTS: Readonly<Record<LookaheadVerdict, string>> = {
  looksAhead: "it uses data before its time",
  unrepeatable: "two equal runs decide differently, so nothing can be compared",
  unproved: "it reads the data of its own run, and perplab could not change that file for it",
  vacuous: "it decided nothing, so there was nothing to compare",
  disturbed: "another strategy of the run changed its market, so not all of its decisions could be compared",
  clean: "no decision depends on data that was not known yet",
};

const FUTURES: Readonly<Record<FutureKind, string>> = {
  mirrored: "with all later prices mirrored",
  otherPath: "with other prices after it",
};

const ROLES: Readonly<Record<SeenFile["role"], string>> = {
  changed: "data of the run; it was given the changed future, too",
  unchanged: "data of the run; it could not be changed for the strategy",
  other: "not data of the run, so it stayed as it is",
};

/** The verdict in one sentence; of several strategies, with the names of those that have it. */
export function describeVerdict({ verdict, strategy, strategies }: LookaheadReport): string {
  const names = strategies.filter((one) => one.verdict === verdict).map(({ name }) => name);
  return `${names.length === 0 ? strategy.id : names.join(", ")}: ${VERDICTS[verdict]}`;
}

/** The findings of a check, for a terminal. */
export function renderLookahead(report: LookaheadReport): string {
  const { strategies, reads, builtins, verdict } = report;
  const isOne = strategies.length === 0;
  const it = isOne ? "It" : "The strategies";
  return [
    ...(isOne
      ? [describeVerdict(report), ...describeFindings(report)]
      : strategies.flatMap((one, at) => [
          ...(at === 0 ? [] : [""]),
          `${one.name}: ${VERDICTS[one.verdict]} (${countOf(one.decisions, "decision")})`,
          ...describeFindings(one),
        ])),
    ...(reads.length === 0 ? [] : ["", `${it} read${isOne ? "s" : ""}`, ...reads.flatMap(describeRead)]),
    ...(builtins.length === 0
      ? []
      : [
          "",
          `${it} import${isOne ? "s" : ""} ${builtins.join(", ")}. The check does not see what ${isOne ? "it reads" : "they read"} through them.`,
        ]),
    "",
    describeRuns(report),
    ...(verdict === "clean" ? [LIMITS] : []),
  ].join("\n");
}

function describeFindings({ differs, foresight, keepsState }: StrategyFindings): string[] {
  return [
    ...(differs === undefined ? [] : ["", ...describeDifference(differs)]),
    ...(foresight === undefined ? [] : ["", ...describeForesight(foresight)]),
    ...(keepsState
      ? ["", "Its module keeps state between runs: a second run in the same process makes other decisions."]
      : []),
  ];
}

const LIMITS =
  "The check misses a decision that changes only under a future that was not tried. It also misses a table of signals " +
  "that makes fewer than about 36 decisions.";

function describeDifference({ timeMs, recorded, changed, future, firstChange }: DifferingDecision): string[] {
  const rows: [string, string][] = [
    [future === undefined ? "first run" : "with the data as recorded", describe(recorded)],
    [future === undefined ? "second run" : FUTURES[future.kind], describe(changed)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    `Decision at ${formatTime(timeMs)} UTC`,
    ...rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`),
    ...(future === undefined ? [] : [`  All data up to ${formatTime(future.cutMs)} UTC was the same in both runs.`]),
    ...(firstChange === undefined ? [] : [`  The first change after it: ${describeChange(firstChange)}.`]),
  ];
}

function describe(decision: Decision | undefined): string {
  return decision === undefined ? "nothing" : `${describeDecision(decision)}, at ${formatTime(decision.timeMs)} UTC`;
}

function describeChange({ market, kind, timeMs, from, to }: FirstChange): string {
  if (typeof from === "string" || typeof to === "string") {
    return `series ${kind} of ${market}, known at ${formatTime(timeMs)} UTC, whose value ${from} became ${to}`;
  }
  const decimals = kind === "funding" ? 9 : PRICE_DECIMALS;
  const what = kind === "funding" ? "rate" : kind === "bar" ? "close" : "price";
  const values = `${formatDecimal(from, decimals)} became ${formatDecimal(to, decimals)}`;
  return `${kind} of ${market} at ${formatTime(timeMs)} UTC, whose ${what} ${values}`;
}

function describeForesight({ decisions, right, expected, horizon, score, first }: Foresight): string[] {
  const isFound = Math.abs(score) >= FORESIGHT_LIMIT;
  return [
    `In a market unrelated to the data, ${formatCount(right)} of its ${countOf(decisions, "order")} took the direction ` +
      `of the recorded price ${horizon} ${horizon === 1 ? "step" : "steps"} later.`,
    `  By chance it would be about ${formatCount(Math.round(expected))}; the result is ${Math.abs(score).toFixed(1)} standard deviations ` +
      `away (limit: ${FORESIGHT_LIMIT}).`,
    ...(isFound
      ? [
          "  So it knows the recorded prices from a file or from its code.",
          `  The first such decision: ${describe(first.decision)}; recorded were ${price(first.now)}, then ${price(first.later)}.`,
        ]
      : []),
  ];
}

function price(priceE8: number): string {
  return formatDecimal(priceE8, PRICE_DECIMALS);
}

function describeRead({ path, caller, role }: SeenFile): string[] {
  return [`  ${path}${caller === undefined ? "" : ` (from ${caller})`}`, `    ${ROLES[role]}`];
}

function describeRuns({ runs, cuts, decisions }: LookaheadReport): string {
  const { equal, changed, unrelated } = runs;
  return (
    `${countOf(decisions, "decision")}; ${countOf(equal, "equal run")}, ${changed} with a changed future at ` +
    `${countOf(cuts.length, "moment")}, ${unrelated} in an unrelated market.`
  );
}
