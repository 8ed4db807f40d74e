import type { Payloads } from "../../../protocol/actions/index.ts";
import type { VenueEvent } from "../../../protocol/events.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import type { OrderOutcome, Receipt } from "../../../protocol/receipt.ts";
import { INVALID_CODES, REJECTION_CODES, RESULT_CODES, type RejectionNumbers } from "../../../protocol/rejections.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import type { State } from "../../engine/state/state.ts";
import { formatLots } from "../../formulas/text.ts";
import { actingOf } from "./carriedTransaction.ts";
import { readNumber, rulesOf } from "./numberText.ts";

/** Every code of a receipt in words. */
export const MEANINGS: Readonly<Record<string, string>> = {
  ...INVALID_CODES,
  ...REJECTION_CODES,
  ...RESULT_CODES,
};

/** Why a transaction was not applied, with its numbers in the units of traders. */
export interface RefusalText {
  readonly code: string | null;
  readonly meaning: string | null;
  readonly numbers: Record<string, string> | null;
}

/** Market of an order that no longer rests, where that is known: its lots and ticks are counted in the market's. */
export type MarketOf = (order: number) => number | undefined;

export function readRefusal(
  state: State,
  transaction: Transaction,
  { code, numbers }: Pick<Receipt, "code" | "numbers">,
  marketOf?: MarketOf,
): RefusalText {
  if (code === undefined) return { code: null, meaning: null, numbers: null };
  const rules = rulesOf(state, actingOf(transaction), numbers, marketOf);
  return { code, meaning: MEANINGS[code]!, numbers: numbers === undefined ? null : textNumbers(code, numbers, rules) };
}

function textNumbers(
  code: string,
  numbers: RejectionNumbers,
  rules: MarketParameters | undefined,
): Record<string, string> {
  return Object.fromEntries(Object.keys(numbers).map((name) => [name, readNumber(code, name, numbers, rules).text]));
}

/** The outcome of one order of a transaction, within the transaction. */
export interface OrderResult {
  /** Id of the order or intent, decimal text; null where it never had one. */
  readonly orderId: string | null;
  readonly status: OrderOutcome;
  /** Filled by the transaction, in units of base; fills of later blocks are not in it. */
  readonly filled: string;
  /** Why it was rejected, or why part of it was cancelled at entry; null where neither is so. */
  readonly code: string | null;
  /** The numbers that the code compared, in the units of traders; null where there are none. */
  readonly numbers: Record<string, string> | null;
}

/**
 * The outcome of each order of a transaction, in their order.
 *
 * @param events of the transaction
 */
export function readResults(
  state: State,
  transaction: Transaction,
  { results = [] }: Pick<Receipt, "results">,
  events: readonly VenueEvent[],
): OrderResult[] {
  return results.map(({ orderId, status, code, numbers }, leg) => ({
    orderId: orderId === undefined ? null : `${orderId}`,
    status,
    filled: orderId === undefined ? "0" : readFilled(state, orderId, events),
    code: code ?? null,
    numbers:
      code === undefined || numbers === undefined
        ? null
        : textNumbers(code, numbers, rulesOfLeg(state, actingOf(transaction), leg)),
  }));
}

/** Filled of an order as a taker, in units of base. */
function readFilled({ parameters }: State, orderId: number, events: readonly VenueEvent[]): string {
  let lots = 0;
  let rules: MarketParameters | undefined;
  for (const event of events) {
    if (event.kind !== "fill" || event.takerOrder !== orderId) continue;
    lots += event.size;
    rules = parameters[event.market];
  }
  return rules === undefined ? "0" : formatLots(rules, lots);
}

/** Rules of the market of a leg of a batch, or of the one order of another action. */
function rulesOfLeg(state: State, transaction: Transaction, leg: number): MarketParameters | undefined {
  if (transaction.action !== "placeOrders") return rulesOf(state, transaction, undefined);
  const { orders } = transaction.payload as Payloads["placeOrders"];
  const row = state.marketRows.get(orders[leg]?.market ?? "");
  return row === undefined ? undefined : state.parameters[row];
}
