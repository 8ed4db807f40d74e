/** Every field of every kind against the tables of the definitions (ACT-3): refused, needed or taken. */
import { describe, expect, test } from "vitest";
import { type ActionName, actions } from "../../../../src/protocol/actions/index.ts";
import { intentLeg } from "../../../../src/protocol/actions/placeIntent.ts";
import type { FieldRule } from "../../../../src/protocol/fieldRules.ts";
import type { Field, Fields } from "../../../../src/protocol/fields.ts";
import { PLAIN_ORDER } from "../../../../src/protocol/plainOrder.ts";
import { REJECTION_NAMES, REJECTION_PRECEDENCE, type RejectionCode } from "../../../../src/protocol/rejections.ts";
import { ZERO_ADDRESS } from "../../../../src/protocol/transaction.ts";
import {
  FUNDING_METHODS,
  INTENT_KIND,
  MARK_METHODS,
  ORDER_TYPE,
  TIME_IN_FORCE,
} from "../../../../src/protocol/words.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import { forkState } from "../../../../src/venue/engine/state/forkState.ts";
import { addressOf } from "../../../helpers/venue/values.ts";
import type { TestVenue } from "../../../helpers/venue.ts";
import { long, open } from "./stage.ts";

type Payload = Readonly<Record<string, unknown>>;

const LIMIT_ORDER = { ...PLAIN_ORDER, market: "TEST", side: 0, size: 1e8, price: 95e8 };
const MARKET_ORDER = { ...LIMIT_ORDER, orderType: ORDER_TYPE.market };
const LEG = {
  ...{ kind: INTENT_KIND.stop, source: 0, trigger: 90e8, trail: 0, trailRate: 0 },
  ...{ orderType: 0, price: 90e8, slippage: 0, timeInForce: 0, postOnly: 0 },
};
const PROFIT = { ...LEG, kind: INTENT_KIND.takeProfit, trigger: 110e8, price: 110e8 };
const INTENT = {
  ...{ ...LEG, market: "TEST", side: 1, size: 1e8, fraction: 0, reduceOnly: false, selfTrade: 0, selfTradeScope: 0 },
  ...{ duration: 0, interval: 0, legs: [], goodTilHeight: 0, goodTilTime: 0, clientIntentId: "" },
};
const GROUP = { ...INTENT, trigger: 0, price: 0 };
const ENTRY = { ...GROUP, side: 0, price: 95e8 };
const AT_MARKET = { orderType: ORDER_TYPE.market, price: 0, slippage: 1e7 };
const UPDATE = { market: "TEST", price: 100e8, sources: [], mark: 0, fundingRate: 0, settleFunding: false };

/** A payload of each kind that the venue takes. */
const KINDS: Partial<Record<ActionName, Record<string, Payload>>> = {
  placeOrder: {
    GTC: LIMIT_ORDER,
    GTT: { ...LIMIT_ORDER, timeInForce: TIME_IN_FORCE.GTT, goodTilHeight: 99 },
    IOC: { ...LIMIT_ORDER, timeInForce: TIME_IN_FORCE.IOC },
    FOK: { ...LIMIT_ORDER, timeInForce: TIME_IN_FORCE.FOK },
    market: MARKET_ORDER,
    "market by slippage": { ...MARKET_ORDER, price: 0, slippage: 1e7 },
    "market FOK": { ...MARKET_ORDER, timeInForce: TIME_IN_FORCE.FOK },
  },
  closePosition: {
    "by price": { market: "TEST", size: 0, price: 95e8, slippage: 0, clientOrderId: "" },
    "by slippage": { market: "TEST", size: 0, price: 0, slippage: 1e7, clientOrderId: "" },
  },
  placeIntent: {
    stop: INTENT,
    "stop at the market": { ...INTENT, ...AT_MARKET },
    takeProfit: { ...INTENT, kind: INTENT_KIND.takeProfit, trigger: 110e8, price: 110e8 },
    "a share": { ...INTENT, size: 0, fraction: 5e8, reduceOnly: true },
    trailingStop: { ...INTENT, kind: INTENT_KIND.trailingStop, trigger: 0, trail: 5e8 },
    "trailingStop by a ratio": { ...INTENT, kind: INTENT_KIND.trailingStop, trigger: 0, trailRate: 5e7 },
    twap: { ...INTENT, ...AT_MARKET, kind: INTENT_KIND.twap, trigger: 0, size: 3e8, duration: 3000, interval: 1000 },
    oco: { ...GROUP, kind: INTENT_KIND.oco, legs: [LEG, PROFIT] },
    oto: { ...ENTRY, kind: INTENT_KIND.oto, legs: [LEG] },
    otoco: { ...ENTRY, kind: INTENT_KIND.otoco, legs: [LEG, PROFIT] },
  },
  oracleUpdate: { price: UPDATE },
  devnetSet: {
    collateral: { what: 0, account: addressOf("alice"), subaccount: 0, amount: 5e6, market: "", price: 0 },
    price: { what: 1, account: ZERO_ADDRESS, subaccount: 0, amount: 0, market: "TEST", price: 101e8 },
  },
};

/** Values to set, besides the empty one: each word, a few numbers, a text. */
function valuesOf(name: string, field: Field): readonly unknown[] {
  switch (field.kind) {
    case "word":
      return field.words.map((_word, place) => place);
    case "flag":
      return [false, true];
    case "price":
      return [0, name === "trigger" ? 90e8 : 95e8];
    case "rate":
      return [0, 1e7, -1];
    case "size":
    case "amount":
      return [0, 2e8];
    case "count":
      return [0, 1000];
    case "time":
      return [0, 2e12];
    case "address":
      return [ZERO_ADDRESS, addressOf("bob")];
    case "list":
      return name === "legs" ? [[], [LEG], [LEG, PROFIT]] : [[]];
    default:
      return ["", "x"];
  }
}

/** What discriminates kinds: to change it is to have another kind, which has a payload of its own. */
const KIND_FIELDS = new Set(["kind", "market", "side", "what"]);

// The rows once more, read plainly: which are broken by a payload.
function broken(
  fields: Fields,
  rules: readonly FieldRule[],
  payload: Payload,
  market: Readonly<Record<string, string>>,
) {
  const word = (name: string) => {
    const field = fields[name]!;
    return field.kind === "word" ? field.words[payload[name] as number]! : String(payload[name]);
  };
  const isGiven = (name: string) =>
    ![0, "", false, ZERO_ADDRESS].includes(payload[name] as never) && String(payload[name]) !== "";
  return rules.filter((rule) => {
    if (Object.entries(rule.when ?? {}).some(([name, words]) => !words.includes(word(name)))) return false;
    if (Object.entries(rule.market ?? {}).some(([name, words]) => !words.includes(market[name]!))) return false;
    if (rule.given !== undefined && !isGiven(rule.given)) return false;
    const value = payload[rule.field] as number;
    if (rule.use === "refused") return rule.words?.includes(word(rule.field)) ?? isGiven(rule.field);
    if (rule.use === "multiple") return value % (payload[rule.of] as number) !== 0;
    if (rule.use === "within") return isGiven(rule.field) && !(value >= rule.least && value <= (rule.most ?? 9e15));
    if (rule.entries !== undefined) return (payload[rule.field] as readonly unknown[]).length !== rule.entries;
    return !isGiven(rule.field) && !(rule.or !== undefined && isGiven(rule.or));
  });
}

const venues = {
  plain: long(),
  own: open({ markets: { TEST: { markMethod: "oracle", fundingMethod: "hyperliquid" } } }),
  recorded: open({ markets: { TEST: { markMethod: "reported", fundingMethod: "reported" } } }),
  devnet: open({ genesis: { features: { devnet: true } } }),
};
/** Words of the parameters that rows read. */
const wordsOf = (v: TestVenue) => {
  const { markMethod, fundingMethod } = v.state.parameters[0]!;
  return { markMethod: MARK_METHODS[markMethod]!, fundingMethod: FUNDING_METHODS[fundingMethod]! };
};

/** Sends a payload in a copy of a venue; answers with its code and numbers. */
function send(place: keyof typeof venues, action: ActionName, payload: Payload) {
  const v = venues[place];
  const who = { oracleUpdate: "oracle", devnetSet: "operator" }[action as string] ?? "alice";
  const transactions = v.toTransactions([{ action, who, payload, header: {} } as never]);
  const state = forkState(v.state);
  const { receipts } = applyBlock(state, { height: state.height + 1, timeMs: state.timeMs + 1000, transactions });
  const { code, status, numbers } = receipts.at(0);
  return { code, status, numbers };
}

// Goal: the venue refuses what the tables refuse, and nothing else by their codes. Method: every value of every field.
describe.each(Object.entries(KINDS))("%s", (name, kinds) => {
  const action = name as ActionName;
  const { fields, rules } = actions[action] as { fields: Fields; rules: readonly FieldRule[] };
  const places =
    action === "oracleUpdate"
      ? (["plain", "own", "recorded"] as const)
      : action === "devnetSet"
        ? (["devnet"] as const)
        : (["plain"] as const);
  const codes: ReadonlySet<string> = new Set(rules.map(({ code }) => code));

  test.each(Object.entries(kinds))("%s", (_kind, base) => {
    for (const place of places) {
      expect(send(place, action, base).status).toBe("applied");
      for (const [field, definition] of Object.entries(fields)) {
        if (KIND_FIELDS.has(field)) continue;
        for (const value of valuesOf(field, definition)) {
          const payload = { ...base, [field]: value };
          const faults = broken(fields, rules, payload, wordsOf(venues[place]));
          const first = faults.reduce<RejectionCode | undefined>(
            (code, fault) =>
              code === undefined || REJECTION_PRECEDENCE[fault.code] < REJECTION_PRECEDENCE[code] ? fault.code : code,
            undefined,
          );
          const { code, status, numbers } = send(place, action, payload);
          const says = `${place} ${field} ${JSON.stringify(value)}: ${code} ${JSON.stringify(numbers)}`;
          if (first === undefined) {
            expect(status === "applied" || !codes.has(code!), says).toBe(true);
            continue;
          }
          expect(code, says).toBe(first);
          const named = faults.filter((fault) => fault.code === first).map((fault) => fault.field);
          if (numbers?.["field"] !== undefined) expect(named, says).toContain(numbers["field"]);
        }
      }
    }
  });
});

// Goal: the rows of a leg hold for each leg, of each group. Method: every value of every field of every leg.
describe.each(["oco", "oto", "otoco"] as const)("legs of %s", (kind) => {
  const base = KINDS.placeIntent![kind]!;
  const { members, rules } = intentLeg as { members: Fields; rules: readonly FieldRule[] };
  const legs = base["legs"] as readonly Payload[];
  test.each(legs.map((_leg, place) => place))("leg %i", (place) => {
    for (const [field, definition] of Object.entries(members)) {
      for (const value of valuesOf(field, definition)) {
        if (field === "kind") continue;
        const leg = { ...legs[place]!, [field]: value };
        const first = broken(members, rules, leg, {})
          .map(({ code }) => code)
          .sort((a, b) => REJECTION_PRECEDENCE[a] - REJECTION_PRECEDENCE[b])[0];
        const { code, numbers } = send("plain", "placeIntent", { ...base, legs: legs.with(place, leg) });
        const says = `${field} ${JSON.stringify(value)}: ${code} ${JSON.stringify(numbers)}`;
        if (first === undefined) {
          expect(rules.some((rule) => rule.code === code) && code !== "EXPIRY_MISMATCH", says).toBe(false);
          continue;
        }
        expect(code, says).toBe(first);
        expect(numbers?.["leg"], says).toBe(place);
      }
    }
  });
});

test("the codes that were added later are reported after the one that they follow", () => {
  const order = [...REJECTION_NAMES].sort((a, b) => REJECTION_PRECEDENCE[a] - REJECTION_PRECEDENCE[b]);
  expect(order[order.indexOf("FIELD_REFUSED") - 1]).toBe("INTENT_MALFORMED");
  expect(order.filter((code) => code !== "FIELD_REFUSED")).toEqual(
    REJECTION_NAMES.filter((code) => code !== "FIELD_REFUSED"),
  );
});
