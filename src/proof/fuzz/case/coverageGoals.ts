import { ACTION_NAMES } from "../../../protocol/actions/index.ts";
import {
  BALANCE_CAUSES,
  CANCEL_CAUSES,
  CLOSE_KINDS,
  EVENT_KINDS,
  INSURANCE_CAUSES,
  INTENT_CAUSES,
  ISOLATED_CAUSES,
  LIQUIDATION_STAGES,
} from "../../../protocol/events.ts";
import { INVALID_NAMES, REJECTION_NAMES } from "../../../protocol/rejections.ts";
import { AUTHORIZATION_STATUSES } from "../../../protocol/words.ts";

/** Places that no case reaches, and why. */
export const UNREACHABLE: Readonly<Record<string, string>> = {
  "noop rejected": "a noop is always applied",
  "insuranceChanged seed": "the seed exists before the first block",
  "liquidationStage open": "the event liquidationStarted reports it",
  "authorizationChanged scheduled": "a grant is created as scheduled, it never becomes scheduled",
};

/** Rejections that are rare: agents outside of their markets and limits, changes in a market that does not trade. */
const SELDOM = [
  ...["placeOrder", "amendOrder", "cancelOrder", "cancelOrders", "closePosition", "placeIntent", "cancelIntent"].map(
    (action) => `${action} AUTHORIZATION_MARKET`,
  ),
  ...["closePosition AUTHORIZATION_SCOPE", "amendOrder AUTHORIZATION_SCOPE", "placeOrders AUTHORIZATION_MARKET"],
  ...["ORDER", "POSITION", "DAILY"].map((limit) => `amendOrder AUTHORIZATION_${limit}_LIMIT`),
  ...["MARKET_CLOSED", "OPERATION_PAUSED", "MARKET_RESTARTING", "EXPIRY_PASSED", "INSUFFICIENT_MARGIN"].map(
    (code) => `amendOrder ${code}`,
  ),
  ...["INSUFFICIENT_MARGIN", "OFF_LOT", "ORDER_KILLED", "CLIENT_ORDER_ID_USED"].map((code) => `placeOrders ${code}`),
];

const named = (event: string, causes: readonly string[]) => causes.map((cause) => `${event} ${cause}`);

/**
 * Codes of rejected receipts. At placement, the codes of an ended grant are invalid transactions; intents fail with
 * them later.
 */
const REJECTED = REJECTION_NAMES.filter((code) => !INVALID_NAMES.some((invalid) => invalid === code));

/**
 * Places that a search should reach at some point, named as in `Reached`: every action applied and rejected, every
 * event and cause, every code (`code NAME`, of any action). A search that never reached a place proves nothing about
 * it.
 */
export const SOMETIMES: readonly string[] = [
  ...ACTION_NAMES.flatMap((name) => [`${name} applied`, `${name} rejected`]),
  ...EVENT_KINDS.map((kind) => `event ${kind}`),
  ...named("orderCancelled", CANCEL_CAUSES),
  ...named("balanceChanged", BALANCE_CAUSES),
  ...named("insuranceChanged", INSURANCE_CAUSES),
  ...named("liquidationStage", LIQUIDATION_STAGES),
  ...named("intentCancelled", INTENT_CAUSES),
  ...named("isolatedMarginChanged", ISOLATED_CAUSES),
  ...named("authorizationChanged", AUTHORIZATION_STATUSES),
  ...named("deleveraged", CLOSE_KINDS),
  ...SELDOM,
  ...[...INVALID_NAMES, ...REJECTED].map((code) => `code ${code}`),
].filter((name) => UNREACHABLE[name] === undefined);

/** Counts of `SOMETIMES` from the counts that `Reached` keeps. */
export function countSometimes(counts: ReadonlyMap<string, number>): Map<string, number> {
  const found = new Map<string, number>(SOMETIMES.map((name) => [name, counts.get(name) ?? 0]));
  const add = (name: string, count: number) => found.set(name, (found.get(name) ?? 0) + count);
  for (const action of ACTION_NAMES) {
    for (const code of REJECTED) {
      const count = counts.get(`${action} ${code}`) ?? 0;
      add(`${action} rejected`, count);
      add(`code ${code}`, count);
    }
    for (const code of INVALID_NAMES) add(`code ${code}`, counts.get(`${action} ${code}`) ?? 0);
  }
  for (const name of Object.keys(UNREACHABLE)) found.delete(name);
  return found;
}
