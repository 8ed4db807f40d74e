import { DecimalError, formatDecimal, parseDecimal } from "../../../ground/math/decimal.ts";
import { LIMIT } from "../../../ground/math/fixed.ts";
import { events as EVENTS, type VenueEvent } from "../../../protocol/events.ts";
import { DECIMALS } from "../../../protocol/fields.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import { marketParameters } from "../../../protocol/parameters.ts";
import { MARK_METHOD } from "../../../protocol/words.ts";
import type { BlockResult } from "../../../venue/engine/applyBlock.ts";
import { readEvents } from "../../../venue/engine/events/readEvents.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import { ORACLES } from "../run/violation.ts";
import { mapPayload } from "../shrink/payloads.ts";
import { playScript } from "../shrink/runner.ts";
import type { Line, Script } from "../shrink/script.ts";
import { describeEvent, type MetamorphicPair, meetsBound, NAMES, SILENT, violate } from "./pair.ts";

/** Sizes in tenths of the base: sizes are a tenth, so lots stay lots; prices are tenfold, so ticks stay ticks. */
const SCALE = 10;
/** In units of 1e-8 USD: tolerance of one clamp, average or bound that is rounded in other units. */
const ROUNDING = 2 * SCALE;

/**
 * Changes the unit of the base, for example from kilograms to hundreds of grams. Every lot and every amount of money is
 * the same to the unit. Only prices are rounded to finer units. So marks are recorded ones or the oracle's in both
 * chains. The chains are compared up to the first rounding difference, for example in a trailing stop or a premium.
 */
export const unitsDoNotMatter: MetamorphicPair = {
  id: "unitsDoNotMatter",
  sentence: ORACLES.unitsDoNotMatter,
  rules: ["NUM-1", "MRG-1", "FND-3", "ORD-5"],
  check({ script, apply }) {
    const plain = keepDivisible(script);
    const scaled = plain === undefined ? undefined : scaleScript(plain);
    if (plain === undefined || scaled === undefined) return undefined;
    const [one, two] = [playScript(plain, apply).chronicle, playScript(scaled, apply).chronicle];
    const [first, second] = [createVenue(one.genesis), createVenue(two.genesis)];
    for (const [at, block] of one.blocks.entries()) {
      const other = two.blocks[at];
      if (other === undefined) return violate(this.id, block.height, "the other chain ends before it");
      const [before, after] = [apply(first, block), apply(second, other)];
      const indexOf = (market: number) => first.markets.index[market as MarketRow]!;
      const found = findScaled(readAll(before), readAll(after), indexOf);
      if (found === undefined) continue;
      return found === "rounded" || meetsBound(before) || meetsBound(after)
        ? undefined
        : violate(this.id, block.height, found);
    }
    return undefined;
  },
};

function readAll({ events, from, to }: BlockResult): VenueEvent[] {
  return readEvents(events, from, to).filter(({ kind }) => !SILENT.has(kind));
}

/** The first difference that the scale does not explain; `rounded` if rounding of a price explains it. */
function findScaled(
  before: readonly VenueEvent[],
  after: readonly VenueEvent[],
  indexOf: (market: number) => number,
): string | undefined {
  for (let at = 0; at < Math.max(before.length, after.length); at++) {
    const [one, two] = [before[at], after[at]];
    const words = () =>
      `${one === undefined ? "nothing" : describeEvent(one)}, in other units ${two === undefined ? "nothing" : describeEvent(two)}`;
    if (one === undefined || two === undefined || one.kind !== two.kind) return words();
    const [a, b] = [one, two] as unknown as readonly Readonly<Record<string, number>>[];
    for (const [field, unit] of Object.entries<string>(EVENTS[one.kind].fields)) {
      if (NAMES.has(unit)) continue;
      const off = Math.abs(b![field]! - a![field]! * (unit === "priceE8" ? SCALE : 1));
      // A bankruptcy price is for display only: no value is computed from it.
      if (off === 0 || field === "bankruptcyPrice") continue;
      if (unit === "priceE8" && off <= ROUNDING) return "rounded";
      // A value that is not storable in the other unit is capped at the bound (NUM-3).
      if (unit === "priceE8" && a![field]! * SCALE > LIMIT) return "rounded";
      // The average price of an order, from which the premium is computed, is rounded as well.
      if (one.kind === "fundingSampled" && field === "premium" && off <= 2 + 2e9 / indexOf(one.market))
        return "rounded";
      return words();
    }
  }
  return undefined;
}

/** A clamp rounds a price in each unit. So in both chains it is too wide to move a mark. */
const UNCLAMPED = { markClamp: "1", unsafe: "1" } as const;
/** Parameters that would reintroduce rounding. */
const FIXED: ReadonlySet<string> = new Set(["markMethod", ...Object.keys(UNCLAMPED)]);

/** Lines that can be expressed in the other unit; undefined if a market cannot. */
function keepDivisible({ genesis, lines }: Script): Script | undefined {
  const given = createVenue(genesis).parameters;
  const markets = genesis.markets.map((market, at) => {
    const values = given[at] as unknown as Readonly<Record<string, number>>;
    const texts = Object.entries(marketParameters).flatMap(([name, { kind }]): [string, string][] =>
      kind === "price" || kind === "size" ? [[name, formatDecimal(values[name]!, DECIMALS[kind])]] : [],
    );
    const isRecorded = given[at]!.markMethod === MARK_METHOD.reported;
    const marks = isRecorded ? {} : { markMethod: "oracle", ...UNCLAMPED };
    return { ...market, parameters: { ...market.parameters, ...Object.fromEntries(texts), ...marks } };
  });
  if (scaleMarkets(markets) === undefined) return undefined;
  return { genesis: { ...genesis, markets }, lines: lines.filter((line) => scaleLine(line) !== undefined) };
}

function scaleScript({ genesis, lines }: Script): Script | undefined {
  const markets = scaleMarkets(genesis.markets);
  return markets && { genesis: { ...genesis, markets }, lines: lines.map((line) => scaleLine(line)!) };
}

function scaleMarkets(markets: Genesis["markets"]): Genesis["markets"] | undefined {
  const scaled = markets.map((market) => {
    const texts = Object.entries(market.parameters).map(([name, text]) => [name, scaleText(name, text)] as const);
    return texts.some(([, text]) => text === undefined)
      ? undefined
      : { ...market, parameters: Object.fromEntries(texts) };
  });
  return scaled.includes(undefined) ? undefined : (scaled as Genesis["markets"]);
}

/** Text of a parameter in the other unit; undefined if it has none. */
function scaleText(name: string, text: string): string | undefined {
  const kind = (marketParameters as Readonly<Record<string, { readonly kind: string }>>)[name]?.kind;
  if (kind !== "price" && kind !== "size") return text;
  try {
    const value = scale(kind, parseDecimal(text, DECIMALS[kind]));
    return value === undefined ? undefined : formatDecimal(value, DECIMALS[kind]);
  } catch (error) {
    if (error instanceof DecimalError) return undefined;
    throw error;
  }
}

/** A price or a size in the other unit; undefined if it has none or is too close to the bound. */
function scale(kind: "price" | "size", value: number): number | undefined {
  if (kind === "price") return value <= LIMIT / (SCALE * SCALE) ? value * SCALE : undefined;
  return value % SCALE === 0 ? value / SCALE : undefined;
}

/** Actions that do not consist of prices and sizes only: a market that a preset completes, bytes. */
const LEFT_OUT: ReadonlySet<string> = new Set(["createMarket", "devnetImpersonate"]);

/** A line in the other unit; undefined if it has none. */
function scaleLine(line: Line): Line | undefined {
  if (line.kind === "block") return line;
  if (LEFT_OUT.has(line.action)) return undefined;
  let isWhole = true;
  const payload = mapPayload(line.action, line.payload, ({ kind }, value, name) => {
    // The trigger of a stop that trails by a ratio is rounded.
    if (name === "trailRate" && value !== 0) isWhole = false;
    if (kind !== "price" && kind !== "size") return value;
    const scaled = scale(kind, value as number);
    if (scaled === undefined) isWhole = false;
    return scaled;
  });
  if (!isWhole) return undefined;
  if (line.action !== "updateMarket") return { ...line, payload };
  const { parameters } = payload as {
    readonly parameters: readonly { readonly name: string; readonly value: string }[];
  };
  if (parameters.some(({ name }) => FIXED.has(name))) return undefined;
  const texts = parameters.map(({ name, value }) => ({ name, value: scaleText(name, value) }));
  return texts.some(({ value }) => value === undefined)
    ? undefined
    : { ...line, payload: { ...payload, parameters: texts } };
}
