// How outcomes of runs are laid out beside each other: a figure a row, a run a column.
import { formatDecimal } from "../math/decimal.ts";
import { AMOUNT_DECIMALS } from "../math/fixed.ts";
import type { Outcome } from "../simulation/outcome/outcome.ts";
import { formatCount } from "./format.ts";

interface OutcomeRow {
  readonly name: string;
  read(outcome: Outcome): bigint | number;
  readonly unit: "usd" | "count" | "percent";
}

const ROWS: readonly OutcomeRow[] = [
  { name: "transactions applied", unit: "count", read: ({ transactions }) => transactions.applied },
  { name: "transactions rejected", unit: "count", read: ({ transactions }) => transactions.rejected },
  { name: "accounts liquidated", unit: "count", read: ({ liquidations }) => liquidations.accounts },
  { name: "accounts wiped out", unit: "count", read: ({ liquidations }) => liquidations.wipedOut },
  { name: "liquidated in the book", unit: "usd", read: ({ liquidations }) => liquidations.bookValue },
  { name: "taken over by backstops", unit: "usd", read: ({ liquidations }) => liquidations.takenOverValue },
  { name: "deleveraged", unit: "usd", read: ({ liquidations }) => liquidations.deleveragedValue },
  { name: "closed out at the mark", unit: "usd", read: ({ liquidations }) => liquidations.closedOutValue },
  { name: "insurance at the end", unit: "usd", read: ({ insurance }) => insurance.end },
  { name: "insurance at its least", unit: "usd", read: ({ insurance }) => insurance.least },
  { name: "insurance paid", unit: "usd", read: ({ insurance }) => insurance.paid },
  { name: "losses shared out", unit: "usd", read: ({ socialized }) => socialized },
  { name: "bad debt", unit: "usd", read: ({ badDebt }) => badDebt },
  { name: "funding paid", unit: "usd", read: ({ fundingPaid }) => fundingPaid },
  { name: "fees", unit: "usd", read: ({ fees }) => fees },
  { name: "accounts closed against", unit: "count", read: ({ fairness }) => fairness.accounts },
  { name: "borne by the top tenth", unit: "percent", read: ({ fairness }) => fairness.topTenthPpm },
  { name: "hedged accounts among them", unit: "count", read: ({ fairness }) => fairness.hedgedAccounts },
  { name: "taken from hedged accounts", unit: "usd", read: ({ fairness }) => fairness.hedgedValue },
];

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
  const whole = `${cents / 100n}`.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${units < 0n ? "-" : ""}${whole}.${`${cents % 100n}`.padStart(2, "0")}`;
}

/** For JSON: every amount as exact decimal text in USD. */
export function plainAmounts(value: unknown): unknown {
  if (typeof value === "bigint") return formatDecimal(value, AMOUNT_DECIMALS);
  if (Array.isArray(value)) return value.map(plainAmounts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainAmounts(member)]));
}
