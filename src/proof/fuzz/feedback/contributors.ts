/**
 * Limits and sums of the rulebook that add over several contributors, and the place that a search reaches if a second
 * contributor decides one. A contributor *decides* if the outcome would differ without the contributors other than the
 * one in hand, or, where none is in hand, without all but the greatest.
 *
 * Derived from the rules and from the tables of state (`schema.ts`): each column that sums rows, and each limit of a
 * genesis, market or grant that is compared with a sum. Not listed, since other places count them:
 *
 * - `openInterestLimit`: the sum is always of other accounts (`orderCancelled openInterest`);
 * - `liquidationsMax`: the steps before are always of other margin accounts (`event liquidationQueued`);
 * - orders of one account in one market (`openOrdersMax`, MRG-3) have one contributor, the account;
 * - bounds of storable numbers (NUM-3), of the pool (NON-4) and of a service's block (BLK) are no rules of a venue's
 *   sums.
 */
import { CONTRIBUTORS_START } from "./layout.ts";

/** A sum over contributors. */
export interface Contributor {
  readonly rule: string;
  readonly sum: string;
  /** What adds up. */
  readonly over: "markets" | "subaccounts" | "accounts" | "orders" | "days" | "hours" | "intervals";
  /** What it means that the second decides. */
  readonly decides: string;
}

export const CONTRIBUTORS = {
  initialOfMarkets: {
    rule: "MRG-4",
    sum: "initial margin with orders of an account",
    over: "markets",
    decides: "an order lacks margin, and would not without the other markets",
  },
  initialOfOrders: {
    rule: "MRG-3",
    sum: "initial margin with orders of an account",
    over: "markets",
    decides: "an order lacks margin, and would not without the orders that rest in other markets",
  },
  initialOfIsolated: {
    rule: "MRG-2",
    sum: "reserves of isolated markets from cross",
    over: "markets",
    decides: "an order lacks margin, and would not without the reserve of another, isolated market",
  },
  heldOfMarkets: {
    rule: "MRG-5",
    sum: "initial margin, or a tenth of the notional, that free collateral leaves",
    over: "markets",
    decides: "collateral may not leave, and might with the greatest market alone",
  },
  lossesOfMarkets: {
    rule: "MRG-5",
    sum: "losses in free collateral",
    over: "markets",
    decides: "collateral may not leave, and might with the greatest loss alone",
  },
  lossNextToGain: {
    rule: "MRG-5",
    sum: "losses in free collateral, without gains",
    over: "markets",
    decides: "collateral may not leave, and might if a gain in another market made up for a loss",
  },
  maintenanceOfMarkets: {
    rule: "LIQ",
    sum: "maintenance margin of a cross margin account",
    over: "markets",
    decides: "a liquidation starts, and would not with the greatest maintenance margin alone",
  },
  backstopOfMarkets: {
    rule: "LIQ-3",
    sum: "initial margin with orders of a backstop",
    over: "markets",
    decides: "a backstop leaves lots that it would take without its other markets",
  },
  intentsOfMarkets: {
    rule: "INT",
    sum: "intents of a subaccount",
    over: "markets",
    decides: "an intent is refused, and would not be without the intents of other markets",
  },
  grantOrdersOfMarkets: {
    rule: "AUT",
    sum: "open orders of a grant",
    over: "markets",
    decides: "an order is refused, and would not be without the orders of other markets or subaccounts",
  },
  grantOrdersOfSubaccounts: {
    rule: "AUT",
    sum: "open orders of a grant",
    over: "subaccounts",
    decides: "an order is refused, and would not be without the orders of other subaccounts",
  },
  grantDayOfMarkets: {
    rule: "AUT",
    sum: "values of a grant's orders of a day",
    over: "markets",
    decides: "an order is refused, and would not be without the orders of other markets or subaccounts",
  },
  grantDayOfDays: {
    rule: "AUT",
    sum: "values of a grant's orders of a day",
    over: "days",
    decides: "an order enters, and would not if the last day of use still counted",
  },
  grantPositionOfOrders: {
    rule: "AUT",
    sum: "position and resting orders under a grant",
    over: "orders",
    decides: "an order is refused, and would not be without the orders that rest",
  },
  positionOfSubaccounts: {
    rule: "ORD-5",
    sum: "position of an owner",
    over: "subaccounts",
    decides: "a position limit stops an order that the subaccount alone could fill further",
  },
  reduceOnlyOfOrders: {
    rule: "ORD-9",
    sum: "resting reduce-only orders of a position, with trim",
    over: "orders",
    decides: "an order is cut at entry, and would not be without the others",
  },
  volumeOfDays: {
    rule: "ORD-7",
    sum: "volume of an owner in 30 days",
    over: "days",
    decides: "a fill has a fee tier that no day alone reaches",
  },
  volumeOfOldestDay: {
    rule: "ORD-7",
    sum: "volume of an owner in 30 days",
    over: "days",
    decides: "a fill has a fee tier that is not reached without the oldest of the days",
  },
  volumeOfSubaccounts: {
    rule: "ORD-7",
    sum: "volume of an owner in 30 days",
    over: "subaccounts",
    decides: "a fill has a fee tier that the subaccount alone does not reach",
  },
  outflowOfAccounts: {
    rule: "MRG-5",
    sum: "withdrawals of an hour or a day",
    over: "accounts",
    decides: "a withdrawal is refused, and would not be without those of other accounts",
  },
  outflowOfHours: {
    rule: "MRG-5",
    sum: "withdrawals of a day",
    over: "hours",
    decides: "a withdrawal is refused, and would not be without those of earlier hours",
  },
  outflowOfDays: {
    rule: "MRG-5",
    sum: "withdrawals of an hour or a day",
    over: "days",
    decides: "a withdrawal is applied, and would not be if the window before still counted",
  },
  deficitsOfAccounts: {
    rule: "MRG-5",
    sum: "deficits of a block that the fund does not pay",
    over: "accounts",
    decides: "withdrawals are paused, and would not be by the greatest deficit alone",
  },
  fundAccountOfMarkets: {
    rule: "LIQ-4",
    sum: "payments of the fund to an account in a day",
    over: "markets",
    decides: "a deficit is not paid whole, and would have room without the payments in other markets",
  },
  fundOwnerOfSubaccounts: {
    rule: "LIQ-4",
    sum: "payments of the fund to an owner in a day",
    over: "subaccounts",
    decides: "a deficit is not paid whole, and would have room without the payments to other subaccounts",
  },
  fundMarketOfAccounts: {
    rule: "LIQ-4",
    sum: "payments of the fund in a market in a day",
    over: "accounts",
    decides: "a deficit is not paid whole, and would have room without the payments to other accounts",
  },
  fundBlockOfAccounts: {
    rule: "LIQ-4",
    sum: "payments of the fund in a block",
    over: "accounts",
    decides: "a deficit is not paid whole, and would have room without the other payments of the block",
  },
  fundShareOfPayments: {
    rule: "LIQ-4",
    sum: "what the fund would hold had it paid nothing today",
    over: "accounts",
    decides: "the fund pays more than a share of what it still holds",
  },
  fundOfDays: {
    rule: "LIQ-4",
    sum: "payments of the fund in a day",
    over: "days",
    decides: "the fund pays, and would not pay as much if the last day of payments still counted",
  },
  lossOfHolders: {
    rule: "LIQ-6",
    sum: "equity above maintenance margin of the opposite side",
    over: "accounts",
    decides: "two margin accounts share a loss",
  },
  lossOfMarkets: {
    rule: "LIQ-6",
    sum: "holders of the opposite side",
    over: "markets",
    decides: "a payer of a shared loss held the opposite side in another market than that of the largest position",
  },
  haircutOfGainers: {
    rule: "MKT",
    sum: "gains in a settled market",
    over: "accounts",
    decides: "two accounts share the haircut of a settlement",
  },
  haircutOfDeficits: {
    rule: "MKT",
    sum: "deficits in a settled market",
    over: "accounts",
    decides: "a settlement covers two margin accounts",
  },
  settledOfMarkets: {
    rule: "MKT",
    sum: "positions of a margin account in a settlement",
    over: "markets",
    decides: "a negative margin account is not paid for, since it has a position in another market",
  },
  fundingOfIntervals: {
    rule: "FND-2",
    sum: "funding that is due",
    over: "intervals",
    decides: "a payment is cut, and would not be without what was due before",
  },
} as const satisfies Readonly<Record<string, Contributor>>;

export type ContributorName = keyof typeof CONTRIBUTORS;

export const CONTRIBUTOR_NAMES = Object.keys(CONTRIBUTORS) as ContributorName[];

const PLACES = new Map(CONTRIBUTOR_NAMES.map((name, at) => [name, CONTRIBUTORS_START + at]));

export function placeOfContributor(name: ContributorName): number {
  return PLACES.get(name)!;
}

/** Name of a place, as a search reports it if it is missing. */
export function nameOfContributor(name: ContributorName): string {
  return `second ${name}`;
}
