import { LIMIT } from "../../../ground/math/fixed.ts";
import { REJECTION_NUMBERS } from "../../../protocol/rejectionNumbers.ts";
import type { RejectionCode, RejectionNumbers } from "../../../protocol/rejections.ts";
import { AUTHORIZATION_STATUSES, MARKET_STATUSES, OUTFLOW_WINDOWS } from "../../../protocol/words.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import type { Moment } from "../machinery/moment.ts";

/** Fields of a code that are empty where the payload's field is empty. */
const MAY_BE_EMPTY = new Set(["source", "market", "clientOrderId", "clientIntentId"]);
/** Numbers that the transaction itself carries under the same name and in the same unit. */
const ASKED = ["orderId", "clientOrderId", "intent", "clientIntentId", "amount", "leverage", "time"] as const;
const LIMITS: ReadonlySet<number> = new Set([LIMIT, LIMIT / 2, LIMIT / 4]);

const DAY_MS = 86_400_000;

type Values = Readonly<Record<string, number>>;

/** By code: whether its numbers prove the rejection, where the check knows more than their names. */
const SHOWN: Partial<Record<RejectionCode, (numbers: Values, moment: Moment) => boolean>> = {
  TIME_TOO_SOON: ({ time, least }) => time! < least!,
  SLIPPAGE_TOO_LARGE: ({ slippage, most }) => slippage! > most!,
  OFF_LOT: ({ size, lotSize }) => size! % lotSize! !== 0,
  OFF_TICK: ({ price, tickSize }) => price! % tickSize! !== 0,
  SIZE_TOO_SMALL: ({ lots, least }) => lots! < least!,
  SIZE_TOO_LARGE: ({ lots, most }) => lots! > most!,
  NOTIONAL_TOO_SMALL: ({ value, least }) => value! < least!,
  LEVERAGE_OUT_OF_RANGE: ({ leverage, most }) => leverage! < 1 || leverage! > most!,
  AUTHORIZATION_ORDER_LIMIT: ({ notional, most }) => notional! > most!,
  AUTHORIZATION_POSITION_LIMIT: ({ notional, most }) => notional! > most! || notional === LIMIT,
  AUTHORIZATION_DAILY_LIMIT: (numbers, moment) =>
    numbers["used"]! + numbers["notional"]! > numbers["most"]! && isUsedToday(numbers, moment),
  OPEN_ORDERS_LIMIT: ({ orders, most }) => orders! >= most!,
  AUTHORIZATION_OPEN_ORDERS: ({ orders, most }) => orders! >= most!,
  INSUFFICIENT_MARGIN: (numbers) => (numbers["equity"] ?? numbers["free"])! < numbers["required"]! && isWorse(numbers),
  INSUFFICIENT_FREE_COLLATERAL: ({ amount, free }) => amount! > free!,
  OUTFLOW_LIMIT: ({ amount, left }) => amount! > left!,
  WITHDRAWALS_PAUSED: ({ untilHeight }, { block }) => untilHeight! >= block.height,
  EXPIRY_PASSED: ({ height, timeMs }, { block }) => height === block.height && timeMs === block.timeMs,
  // The state that rejects a leg of a batch may be rolled back with the batch.
  POST_ONLY_WOULD_TAKE: ({ best, leg }, { state }) =>
    leg !== undefined || state.books.some((book) => book.bestAsk === best || book.bestBid === best),
  PRICE_OUT_OF_BAND: ({ price, low, high, index }, { state }) =>
    (price! < low! || price! > high!) &&
    state.marketNames.some((_name, market) => state.markets.index[market as MarketRow] === index),
};

/** What the grant used is of this UTC day alone (AUT). Earlier legs of a batch may have used more. */
function isUsedToday({ used, leg }: Values, { state, transaction }: Moment): boolean {
  const grant = state.grants.find(transaction!.header.authorization);
  const { day, used: sums } = state.authorizations;
  const today = day[grant] === Math.floor(state.timeMs / DAY_MS) ? sums[grant]! : 0;
  return leg === undefined ? used === today : used! >= today;
}

/** The account is below initial margin. Its order would leave it worse, resting whole or filled whole (MRG-4). */
function isWorse({ equity, required, maintenance, orderCost, ...then }: Values): boolean {
  const { requiredResting, equityFilled, requiredFilled, maintenanceFilled } = then;
  if (maintenanceFilled === undefined) return true;
  if (equityFilled !== equity! - orderCost!) return false;
  return (
    equity! < 0 ||
    (requiredResting ?? 0) > required! ||
    requiredFilled! > required! ||
    maintenanceFilled > maintenance! ||
    BigInt(equityFilled) * BigInt(maintenance!) < BigInt(equity!) * BigInt(maintenanceFilled)
  );
}

const WORDS: Readonly<Record<string, readonly string[]>> = {
  from: MARKET_STATUSES,
  to: MARKET_STATUSES,
  // The code is for a market, or for a grant that cannot be revoked.
  status: [...MARKET_STATUSES, ...AUTHORIZATION_STATUSES],
  window: OUTFLOW_WINDOWS,
};

const EMPTY: RejectionNumbers = {};

export const refusalHolds = defineInvariant({
  id: "refusalHolds",
  sentence: "A rejection carries the numbers that its code documents, and they prove that its condition holds.",
  rules: ["ACT-2", "EVT-1"],
  catalogue: ["T05"],
  when: "transaction",
  moments: ["transaction"],
  touched(moment) {
    if (moment.code <= 0) return undefined;
    moment.met++;
    const { receipts } = moment.state;
    const code = receipts.code(moment.index) as RejectionCode;
    const numbers = receipts.numbers.get(moment.index) ?? EMPTY;
    const fault = findFault(moment, code, numbers);
    return fault === undefined
      ? undefined
      : `transaction ${moment.index}, ${code} ${JSON.stringify(numbers)}: ${fault}`;
  },
});

function findFault(moment: Moment, code: RejectionCode, numbers: RejectionNumbers): string | undefined {
  // A batch names the leg that it rejects.
  const names = Object.keys(numbers).filter((name) => name !== "leg");
  if (!REJECTION_NUMBERS[code].includes(names.sort().join(" "))) return "other numbers than the code documents";
  for (const [name, value] of Object.entries(numbers)) {
    const isMeant = typeof value === "string" ? isText(moment, code, name, value) : Number.isFinite(value);
    if (!isMeant) return `${name} is empty`;
  }
  const payload = moment.transaction!.payload as Readonly<Record<string, unknown>>;
  for (const name of ASKED) {
    const asked = payload[name];
    if (numbers[name] !== undefined && asked !== undefined && asked !== numbers[name])
      return `${name} was ${String(asked)}`;
  }
  const { limit } = numbers;
  if (limit !== undefined && !LIMITS.has(Number(limit)) && numbers["ticks"] === undefined)
    return "the market has no such limit";
  return SHOWN[code]?.(numbers as Values, moment) === false ? "the numbers do not prove the rejection" : undefined;
}

function isText({ state }: Moment, code: RejectionCode, name: string, value: string): boolean {
  if (value === "") return MAY_BE_EMPTY.has(name);
  if (name === "market") return value === "*" || state.marketRows.has(value) !== (code === "MARKET_NOT_FOUND");
  return WORDS[name]?.includes(value) ?? true;
}
