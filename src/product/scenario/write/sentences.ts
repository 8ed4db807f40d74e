import { formatDecimal } from "../../../ground/math/decimal.ts";
import type { ActionName, Payloads } from "../../../protocol/actions/index.ts";
import { DECIMALS } from "../../../protocol/fields.ts";
import { SENTENCE_ACTIONS, type SentencePart } from "../../../protocol/sentence.ts";
import { ORDER_TYPE, POST_ONLY, SIDES, TIMES_IN_FORCE } from "../../../protocol/words.ts";

/** A transaction that a sentence may express. */
export interface SaidTransaction {
  readonly action: ActionName;
  readonly payload: object;
}

/** Context of a sentence. */
export interface Speaker {
  /** `" BTC-PERP"`, or nothing if there is only one market. */
  market(name: string): string;
  /** Name of an account. */
  account(address: string, subaccount: number): string;
  /** `$label` at a path of the payload; undefined if the path is not a reference. */
  label(path: string): string | undefined;
}

const price = (value: number) => formatDecimal(value, DECIMALS.price);
const size = (value: number) => formatDecimal(value, DECIMALS.size);
const rate = (value: number) => formatDecimal(value, DECIMALS.rate);

/** A transaction as a sentence such as `buy 5 @ 100 IOC`; undefined if no sentence can express all of it. */
export function sentenceOf({ action, payload }: SaidTransaction, speaker: Speaker): string | undefined {
  switch (action) {
    case "placeOrder":
      return order(payload as Payloads["placeOrder"], speaker);
    case "cancelOrder": {
      const { clientOrderId } = payload as Payloads["cancelOrder"];
      const label = speaker.label("orderId");
      return label === undefined || clientOrderId !== "" ? undefined : `cancel ${label}`;
    }
    case "amendOrder": {
      const to = payload as Payloads["amendOrder"];
      const label = speaker.label("orderId");
      if (label === undefined || to.clientOrderId !== "" || to.goodTilHeight !== 0 || to.goodTilTime !== 0)
        return undefined;
      return `amend ${label}${to.size === 0 ? "" : ` to ${size(to.size)}`}${to.price === 0 ? "" : ` @ ${price(to.price)}`}`;
    }
    case "closePosition": {
      const close = payload as Payloads["closePosition"];
      if (close.clientOrderId !== "" || close.slippage < 0) return undefined;
      return `close${close.size === 0 ? "" : ` ${size(close.size)}`}${speaker.market(close.market)}${at(close.price, close.slippage)}`;
    }
    case "setLeverage": {
      const { market, leverage } = payload as Payloads["setLeverage"];
      return `leverage ${leverage}${speaker.market(market)}`;
    }
    default:
      return fill(SENTENCE_ACTIONS.find((sentence) => sentence.action === action)?.parts, payload, speaker);
  }
}

/** The sentence of an action's definition; undefined if it has none, or if a field that it does not name is present. */
function fill(parts: readonly SentencePart[] | undefined, payload: object, speaker: Speaker): string | undefined {
  if (parts === undefined) return undefined;
  const values = new Map(Object.entries(payload as Readonly<Record<string, unknown>>));
  const words = parts.map((part) => {
    if ("word" in part) return part.word;
    const value = values.get(part.name);
    values.delete(part.name);
    if (part.kind !== "address") return write(part.kind, value);
    const subaccount = values.get(`${part.name}Subaccount`);
    values.delete(`${part.name}Subaccount`);
    return speaker.account(value as string, subaccount as number);
  });
  const isAbsent = (value: unknown) => value === "" || value === 0 || value === false;
  return [...values.values()].every(isAbsent) ? words.join(" ") : undefined;
}

function write(kind: string, value: unknown): string {
  const decimals = kind in DECIMALS ? DECIMALS[kind as keyof typeof DECIMALS] : undefined;
  return decimals === undefined ? String(value) : formatDecimal(value as number, decimals);
}

const at = (limit: number, slippage: number) =>
  `${limit === 0 ? "" : ` @ ${price(limit)}`}${slippage === 0 ? "" : ` within ${rate(slippage)}`}`;

function order(given: Payloads["placeOrder"], speaker: Speaker): string | undefined {
  const isMarket = given.orderType === ORDER_TYPE.market;
  const isPlain =
    given.selfTrade === 0 &&
    given.selfTradeScope === 0 &&
    given.goodTilHeight === 0 &&
    given.goodTilTime === 0 &&
    given.slippage >= 0 &&
    given.size > 0 &&
    /^[\w-]*$/.test(given.clientOrderId) &&
    (isMarket ? given.price === 0 : given.price > 0);
  if (!isPlain) return undefined;
  const words = [`${SIDES[given.side]} ${size(given.size)}${speaker.market(given.market)}`];
  words.push(isMarket ? "@ market" : `@ ${price(given.price)}`);
  if (given.slippage > 0) words.push(`within ${rate(given.slippage)}`);
  if (given.timeInForce !== 0) words.push(TIMES_IN_FORCE[given.timeInForce]!);
  if (given.postOnly !== POST_ONLY.no) words.push(given.postOnly === POST_ONLY.slide ? "slide" : "post-only");
  if (given.reduceOnly) words.push("reduce-only");
  if (given.clientOrderId !== "") words.push(`client ${given.clientOrderId}`);
  return words.join(" ");
}
