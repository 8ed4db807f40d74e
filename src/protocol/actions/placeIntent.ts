import { PPB } from "../../ground/math/fixed.ts";
import { defineAction } from "../action.ts";
import { type FieldRule, need, refuse } from "../fieldRules.ts";
import {
  choice,
  count,
  flag,
  list,
  market,
  optionalPrice,
  optionalRate,
  optionalSize,
  optionalText,
  optionalTime,
  record,
  word,
} from "../fields.ts";
import {
  INTENT_KINDS,
  ORDER_TYPES,
  POST_ONLY_MODES,
  PRICE_SOURCES,
  SELF_TRADE_MODES,
  SELF_TRADE_SCOPES,
  SIDES,
  TIMES_IN_FORCE,
  TRIGGER_KINDS,
} from "../words.ts";
import { orderRules } from "./orderRules.ts";

const code = "INTENT_MALFORMED" as const;
const WAITS_FOR_PRICE = ["stop", "takeProfit"];
const SINGLE = ["stop", "takeProfit", "trailingStop", "twap"];
const ENTRY = ["oto", "otoco"];

/** Where a trigger is, and how a trailing stop has its distance. */
const triggerRules: readonly FieldRule[] = [
  need("trigger", { when: { kind: WAITS_FOR_PRICE }, code }),
  ...refuse(["trigger"], { when: { kind: ["trailingStop"] }, code }),
  ...refuse(["trail"], { when: { kind: WAITS_FOR_PRICE }, code }),
  need("trail", { when: { kind: ["trailingStop"] }, or: "trailRate", code }),
  ...refuse(["trail"], { when: { kind: ["trailingStop"] }, given: "trailRate", code }),
  ...refuse(["trailRate"], { when: { kind: WAITS_FOR_PRICE }, code }),
  {
    field: "trailRate",
    use: "within",
    least: 1,
    most: PPB - 1,
    range: "more than 0 and less than 1",
    when: { kind: ["trailingStop"] },
    code,
  },
];

/** One condition of a group, with the order that it places. */
export const intentLeg = record(
  "IntentLeg",
  {
    kind: choice(TRIGGER_KINDS, "Kind of its condition."),
    source: word(PRICE_SOURCES, "The price that it watches."),
    trigger: optionalPrice("Stop and take-profit: the price at which it fires."),
    trail: optionalPrice("Trailing stop: distance from the best price, absolute."),
    trailRate: optionalRate("Trailing stop: distance from the best price, as a ratio of it."),
    orderType: word(ORDER_TYPES, "The order that it places."),
    price: optionalPrice("Limit price, or worst price of a market order."),
    slippage: optionalRate(
      "Market orders: greatest distance from the mark, as a ratio; with a price the tighter of the two holds.",
    ),
    timeInForce: word(TIMES_IN_FORCE, "How long the order that it places may live."),
    postOnly: word(POST_ONLY_MODES, "What happens to the order if it may only make and would take."),
  },
  "One condition of a group, with the order that it places.",
  [...triggerRules, ...orderRules()],
);

/** Arms an order that is placed when its condition comes true. */
export const placeIntent = defineAction({
  name: "placeIntent",
  code: 18,
  domain: "trading",
  scope: "trade",
  doc: "Arms an order that is placed when its condition comes true: a stop, a take-profit, a trailing stop, a schedule, or a group of them, with or without an entry order.",
  needsCollateral: true,
  readsUnsettledFunding: false,
  weight: 84,
  fields: {
    kind: choice(
      INTENT_KINDS,
      "A single intent; or two legs of which one cancels the other (oco), an order whose fills arm one leg (oto) or two (otoco).",
    ),
    market: market(),
    side: choice(
      SIDES,
      "Side of the order that it places; of the entry order in oto and otoco, whose legs take the other side.",
    ),
    size: optionalSize("Size in base units; empty where a fraction is given."),
    fraction: optionalRate("Share of the position at the time it fires, up to 1; reduce-only intents without a size."),
    reduceOnly: flag(
      "The orders that it places only reduce a position, and the intent ends with it. In oto and otoco this applies to the legs only.",
    ),
    source: word(PRICE_SOURCES, "The price that it watches."),
    trigger: optionalPrice("Stop and take-profit: the price at which it fires."),
    trail: optionalPrice("Trailing stop: distance from the best price, absolute."),
    trailRate: optionalRate("Trailing stop: distance from the best price, as a ratio of it."),
    orderType: word(ORDER_TYPES, "The order that it places; the entry order in oto and otoco."),
    price: optionalPrice("Limit price, or worst price of a market order."),
    slippage: optionalRate(
      "Market orders: greatest distance from the mark, as a ratio; with a price the tighter of the two holds.",
    ),
    timeInForce: word(TIMES_IN_FORCE, "How long that order may live."),
    postOnly: word(POST_ONLY_MODES, "What happens to that order if it may only make and would take."),
    selfTrade: word(SELF_TRADE_MODES, "What happens when its order would match an order of its own account or owner."),
    selfTradeScope: word(SELF_TRADE_SCOPES, "Which resting orders count as own."),
    duration: count("twap: time over which the size is spread, in ms; a multiple of the interval."),
    interval: count("twap: time between two slices, in ms."),
    legs: list(intentLeg, 2, "oco and otoco: two legs; oto: one; empty for others."),
    goodTilHeight: optionalTime(
      "Last height at which it may fire; in oto and otoco that of the entry order, which is then GTT; 0 for none.",
    ),
    goodTilTime: optionalTime(
      "Last block time at which it may fire, in ms; in oto and otoco that of the entry order, which is then GTT; 0 for none.",
    ),
    clientIntentId: optionalText("Own name for the intent, shared by the legs of a group."),
  },
  rules: [
    ...refuse(["legs"], { when: { kind: SINGLE }, code }),
    need("legs", { when: { kind: ["oto"] }, entries: 1, code }),
    need("legs", { when: { kind: ["oco", "otoco"] }, entries: 2, code }),
    ...refuse(["fraction"], { when: { kind: ["twap", ...ENTRY] }, code }),
    ...refuse(["fraction"], { given: "size", code }),
    ...refuse(["fraction"], { when: { reduceOnly: ["false"] }, code }),
    { field: "fraction", use: "within", least: 1, most: PPB, range: "more than 0 and at most 1", code },
    ...refuse(["source"], { when: { kind: ["twap", "oco", ...ENTRY] }, code }),
    ...refuse(["trigger", "trail", "trailRate"], { when: { kind: ["twap", "oco", ...ENTRY] }, code }),
    ...triggerRules,
    need("orderType", { when: { kind: ["twap"] }, code }),
    ...refuse(["orderType", "price", "slippage", "timeInForce", "postOnly"], { when: { kind: ["oco"] }, code }),
    need("interval", { when: { kind: ["twap"] }, code }),
    need("duration", { when: { kind: ["twap"] }, code }),
    { field: "duration", use: "multiple", of: "interval", when: { kind: ["twap"] }, code },
    ...refuse(["interval", "duration"], { when: { kind: INTENT_KINDS.filter((kind) => kind !== "twap") }, code }),
    ...orderRules({ kind: [...SINGLE, ...ENTRY] }),
    ...refuse(["goodTilHeight", "goodTilTime"], {
      when: { kind: ENTRY, timeInForce: ["GTC", "IOC", "FOK"] },
      code: "EXPIRY_MISMATCH",
    }),
    need("goodTilHeight", {
      when: { kind: [...SINGLE, ...ENTRY], timeInForce: ["GTT"] },
      or: "goodTilTime",
      code: "EXPIRY_MISMATCH",
    }),
  ],
});
