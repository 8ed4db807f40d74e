// Layout of outcomes of runs next to each other: a figure a row, a run a column.
import { formatCount, groupDigits } from "../ground/math/counts.ts";
import { formatDecimal } from "../ground/math/decimal.ts";
import { AMOUNT_DECIMALS } from "../ground/math/fixed.ts";
import type { RulesReportFigure } from "../product/report/rules/model.ts";
import type { Outcome } from "../venue/simulation/outcome/outcome.ts";

interface OutcomeRow {
  readonly name: string;
  /** Its meaning, in a sentence. */
  readonly meaning: string;
  /** Worth a picture. */
  readonly isDrawn?: true;
  /** Which values are better for the venue and its traders, where that is clear. */
  readonly better?: "less" | "more";
  read(outcome: Outcome): bigint | number;
  readonly unit: "usd" | "count" | "percent";
}

const ROWS: readonly OutcomeRow[] = [
  {
    name: "transactions applied",
    meaning: "Transactions that were applied.",
    unit: "count",
    read: ({ transactions }) => transactions.applied,
  },
  {
    name: "transactions rejected",
    meaning: "Committed transactions that the rules refused.",
    unit: "count",
    read: ({ transactions }) => transactions.rejected,
  },
  {
    name: "accounts liquidated",
    meaning: "Accounts that fell below maintenance margin and had a liquidation step.",
    unit: "count",
    better: "less",
    read: ({ liquidations }) => liquidations.accounts,
  },
  {
    name: "accounts wiped out",
    meaning: "Liquidated accounts that were left with no position and no collateral.",
    unit: "count",
    better: "less",
    isDrawn: true,
    read: ({ liquidations }) => liquidations.wipedOut,
  },
  {
    name: "liquidated in the book",
    meaning: "Value that liquidation orders filled in the book.",
    unit: "usd",
    isDrawn: true,
    read: ({ liquidations }) => liquidations.bookValue,
  },
  {
    name: "taken over by backstops",
    meaning: "Value of positions that backstop accounts took over at the bankruptcy price.",
    unit: "usd",
    read: ({ liquidations }) => liquidations.takenOverValue,
  },
  {
    name: "deleveraged",
    meaning:
      "Value closed against the other side at the bankruptcy price, or, under some policies, at the mark of the " +
      "block before.",
    unit: "usd",
    better: "less",
    isDrawn: true,
    read: ({ liquidations }) => liquidations.deleveragedValue,
  },
  {
    name: "closed out at the mark",
    meaning: "Value closed against the other side at the mark, after deleveraging.",
    unit: "usd",
    better: "less",
    read: ({ liquidations }) => liquidations.closedOutValue,
  },
  {
    name: "insurance at the end",
    meaning: "Balance of the insurance fund at the end.",
    unit: "usd",
    better: "more",
    read: ({ insurance }) => insurance.end,
  },
  {
    name: "insurance at its least",
    meaning: "Its lowest balance after any block.",
    unit: "usd",
    better: "more",
    read: ({ insurance }) => insurance.least,
  },
  {
    name: "insurance paid",
    meaning: "What the fund paid to cover fills beyond the bankruptcy price and deficits.",
    unit: "usd",
    better: "less",
    isDrawn: true,
    read: ({ insurance }) => insurance.paid,
  },
  {
    name: "losses shared out",
    meaning: "Deficits that holders of the other side paid.",
    unit: "usd",
    better: "less",
    read: ({ socialized }) => socialized,
  },
  {
    name: "bad debt",
    meaning: "Deficits that no account paid.",
    unit: "usd",
    better: "less",
    isDrawn: true,
    read: ({ badDebt }) => badDebt,
  },
  {
    name: "funding paid",
    meaning: "What payers of funding paid.",
    unit: "usd",
    read: ({ fundingPaid }) => fundingPaid,
  },
  { name: "fees", meaning: "Maker and taker fees, less rebates.", unit: "usd", read: ({ fees }) => fees },
  {
    name: "accounts closed against",
    meaning: "Accounts that were deleveraged or closed out against.",
    unit: "count",
    better: "less",
    read: ({ fairness }) => fairness.accounts,
  },
  {
    name: "borne by the top tenth",
    meaning: "Share of that value that the tenth of those accounts bore that bore most.",
    unit: "percent",
    read: ({ fairness }) => fairness.topTenthPpm,
  },
  {
    name: "hedged accounts among them",
    meaning:
      "Accounts closed against whose positions offset each other across markets: the net was at most half of the " +
      "gross.",
    unit: "count",
    better: "less",
    read: ({ fairness }) => fairness.hedgedAccounts,
  },
  {
    name: "taken from hedged accounts",
    meaning: "Value closed against hedged accounts.",
    unit: "usd",
    better: "less",
    read: ({ fairness }) => fairness.hedgedValue,
  },
];

/** Figures of several outcomes, with what they mean: for the report. */
export function outcomeFigures(outcomes: readonly Outcome[]): RulesReportFigure[] {
  return ROWS.map(({ name, meaning, unit, isDrawn, better = null, read }) => ({
    name,
    meaning,
    unit: unit === "usd" ? "USD" : unit === "percent" ? "%" : name.startsWith("transactions") ? "" : "accounts",
    better,
    isDrawn: isDrawn === true,
    values: outcomes.map((outcome) => {
      const value = read(outcome);
      return { text: formatFigure(value, unit), number: toNumber(value, unit) };
    }),
  }));
}

/** For pictures: dollars, counts, percent. */
function toNumber(value: bigint | number, unit: OutcomeRow["unit"]): number {
  return unit === "usd" ? Number(value) / 1e6 : unit === "percent" ? Number(value) / 10_000 : Number(value);
}

/** One row a figure: its name, then each outcome's. */
export function outcomeRows(outcomes: readonly Outcome[]): string[][] {
  return ROWS.map(({ name, unit, read }) => [name, ...outcomes.map((outcome) => formatFigure(read(outcome), unit))]);
}

function formatFigure(value: bigint | number, unit: OutcomeRow["unit"]): string {
  if (unit === "usd") return formatUsd(BigInt(value));
  return unit === "count" ? formatCount(Number(value)) : `${(Number(value) / 10_000).toFixed(1)} %`;
}

/** Quote units as dollars and cents, toward zero, with thousands apart: -1234567890 -> `-1,234.56`. */
export function formatUsd(units: bigint): string {
  const cents = (units < 0n ? -units : units) / 10_000n;
  const whole = groupDigits(`${cents / 100n}`);
  return `${units < 0n ? "-" : ""}${whole}.${`${cents % 100n}`.padStart(2, "0")}`;
}

/** For JSON: every amount as exact decimal text in USD. */
export function plainAmounts(value: unknown): unknown {
  if (typeof value === "bigint") return formatDecimal(value, AMOUNT_DECIMALS);
  if (Array.isArray(value)) return value.map(plainAmounts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainAmounts(member)]));
}
