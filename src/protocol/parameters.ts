/**
 * Parameters of a market: name, kind, default and where it comes from. Definitions arrive as named texts
 * (`createMarket`, `updateMarket`, genesis) and are checked here as a whole; a market that fails a rule is refused.
 */

import { formatDecimal, scanDecimal } from "../ground/math/decimal.ts";
import {
  type Amount,
  bigDivCeil,
  LIMIT,
  type Lots,
  mulDivFloor,
  PPM,
  type Ppb,
  type Ppm,
  type PriceE8,
  type SizeE8,
} from "../ground/math/fixed.ts";
import { countPlaces, FEE_TIER_NAME, type FeeTier, readFeeTiers } from "./feeTiers.ts";
import { LINEAR_TIERS, marketPresets } from "./marketPresets.ts";
import { getTickLotValue, PARAMETER_RULES, type ParameterRule, type RuleTerms } from "./parameterRules.ts";
import {
  FUNDING_METHODS,
  INITIAL_MARGIN_METHOD,
  INITIAL_MARGIN_METHODS,
  LIQUIDATION_POLICIES,
  MARK_METHODS,
  MARKET_STATUSES,
  REDUCE_ONLY_RESTINGS,
  SWITCHES,
} from "./words.ts";

export interface Tier {
  /** Bound at which the tier begins; 0 for the first. */
  readonly from: Amount;
  /** Smallest notional in the tier: `from`, or a unit more in a `stepped` market. */
  readonly least: Amount;
  readonly initialRate: Ppm;
  readonly maintenanceRate: Ppm;
  /** Continuous deductions: margin = notional * rate - deduction. The initial one is 0 in a `stepped` market. */
  readonly initialDeduction: Amount;
  readonly maintenanceDeduction: Amount;
  /** The rates as fractions in lowest terms, over / under: short products are quick. */
  readonly initialOver: number;
  readonly initialUnder: number;
  readonly maintenanceOver: number;
  readonly maintenanceUnder: number;
}

/** One that reports a market's price, and how much it counts. */
export interface Source {
  readonly name: string;
  readonly weight: number;
}

type Kind = "price" | "size" | "amount" | "ppm" | "ppb" | "ms" | "count" | "word" | "sources";

interface ParameterDescriptor {
  readonly kind: Kind;
  readonly words?: readonly string[];
  /** Text of the `linear` preset. */
  readonly initial: string;
  /** May not change after creation. */
  readonly fixed?: true;
  /** May be negative. */
  readonly signed?: true;
  /**
   * Smallest and greatest text, both allowed. By default 0, or what is storable of a signed one, and what is storable.
   */
  readonly least?: string;
  readonly most?: string;
  /** 0 is allowed as well, below `least`. */
  readonly orZero?: true;
  readonly doc: string;
}

const parameter = (kind: Kind, initial: string, doc: string, more: Partial<ParameterDescriptor> = {}) => ({
  kind,
  initial,
  doc,
  ...more,
});

/**
 * Every parameter but the tiers, which are `tier1`, `tier2`, …: "from initialRate maintenanceRate", and the fee tiers,
 * `feeTier1`, …: "volume takerFee makerFee", of which there need be none.
 */
export const marketParameters = {
  status: parameter("word", "active", "Status of the market (MKT).", { words: MARKET_STATUSES }),
  pauseTrade: parameter("word", "off", "Orders may not enter; cancels are accepted (MKT).", { words: SWITCHES }),
  pauseLiquidate: parameter("word", "off", "Positions of the market are not liquidated (MKT).", { words: SWITCHES }),
  pauseFund: parameter("word", "off", "Funding is neither sampled nor paid; the running interval ends (MKT, FND-4).", {
    words: SWITCHES,
  }),
  pauseWithdraw: parameter("word", "off", "An account with a position in the market moves no collateral away (MKT).", {
    words: SWITCHES,
  }),
  tickSize: parameter("price", "1", "Step of order prices (ORD-5). dYdX BTC: 1 USD.", {
    fixed: true,
    least: "0.00000001",
  }),
  lotSize: parameter("size", "0.0001", "Step of order sizes (ORD-5). dYdX BTC: 0.0001.", {
    fixed: true,
    least: "0.00000001",
  }),
  minSize: parameter("size", "0.0001", "Smallest order; reduce-only orders are exempt (ORD-5)."),
  minNotional: parameter(
    "amount",
    "10",
    "Smallest order value; reduce-only orders are exempt (ORD-5). Hyperliquid: 10.",
  ),
  maxSize: parameter("size", "1000", "Largest order (ORD-5). Binance BTCUSDT: 1,000."),
  positionLimit: parameter("size", "1000", "Largest position of an owner, all subaccounts together (ORD-5)."),
  openInterestLimit: parameter("size", "1000000", "Largest open interest (ORD-5)."),
  openInterestLower: parameter(
    "amount",
    "0",
    "Open interest from which the initial rate rises, up to 100 % at `openInterestUpper` (MRG-1). dYdX: 20,000,000 for BTC.",
  ),
  openInterestUpper: parameter(
    "amount",
    "0",
    "Open interest at which the initial rate is 100 %; with 0 the rate does not rise (MRG-1). dYdX: 50,000,000 for BTC.",
  ),
  initialMarginMethod: parameter(
    "word",
    "continuous",
    "Initial margin by tier (MRG-1): `continuous` takes a deduction off it, `stepped` applies the tier's rate to the whole notional. Binance, Hyperliquid: stepped.",
    { words: INITIAL_MARGIN_METHODS },
  ),
  openOrdersMax: parameter("count", "1000", "Open orders of a subaccount in the market (ORD-5). Lighter: 1000."),
  reduceOnlyResting: parameter(
    "word",
    "capAtMatch",
    "Limit of resting reduce-only orders: each at most the position at entry and cut again at match, or all together at most the position (ORD-9). The default lets two take-profits over the whole position rest.",
    { words: REDUCE_ONLY_RESTINGS },
  ),
  priceBand: parameter(
    "ppm",
    "0.2",
    "Greatest distance of an order price from oracle and index (ORD-5). Paradex: 20 %.",
  ),
  slippageMax: parameter("ppm", "0.1", "Greatest slippage bound of a market order (ORD-1). Dango: 10 %.", {
    most: "1",
  }),
  takerFee: parameter("ppm", "0.00045", "Taker fee of notional (ORD-7). Hyperliquid: 4.5 bps.", { most: "0.999999" }),
  makerFee: parameter("ppm", "0.00015", "Maker fee of notional, negative for a rebate (ORD-7). Hyperliquid: 1.5 bps.", {
    signed: true,
    least: "-0.999999",
    most: "0.999999",
  }),
  sources: parameter(
    "sources",
    "",
    "Oracle sources and their weights, `name:weight name:weight`; none for a plain price (PRC-1). Weights may change later.",
  ),
  minSources: parameter("count", "1", "Fewest fresh sources that make a price (PRC-1).", { least: "1" }),
  oracleStale: parameter(
    "ms",
    "60000",
    "Age above which a price or a report is stale; at exactly this age it is fresh. 0 for never (PRC-1). Drift: 60 s.",
  ),
  oracleUncertain: parameter("ppm", "0.02", "Widest confidence of a price, as a share of it (PRC-1). Drift: 2 %."),
  oracleVolatile: parameter(
    "ppm",
    "5",
    "Ratio to the last price beyond which a report needs confirmation; 0 for never (PRC-1). Drift: 5.",
    { least: "1", orZero: true },
  ),
  oracleConfirmations: parameter("count", "3", "Number of reports in a row that confirm a candidate price (PRC-1).", {
    least: "1",
  }),
  blockGap: parameter(
    "ms",
    "60000",
    "Time between blocks after which the market waits for a fresh price; 0 for never (PRC-4). Vega: 60 s.",
  ),
  markMethod: parameter("word", "median", "Method of the mark price (PRC-3).", { words: MARK_METHODS }),
  markTau: parameter("ms", "150000", "Time constant of the average basis (PRC-3). Hyperliquid: 150 s.", {
    least: "1",
  }),
  markClamp: parameter("ppm", "0.01", "Greatest move of index and mark in a block (PRC-2). Hyperliquid HIP-3: 1 %."),
  markBand: parameter("ppm", "0.05", "Greatest distance of the mark from the index (PRC-2)."),
  unsafe: parameter(
    "count",
    "0",
    "1 switches off the check of the clamp in PRC-2, for studies of venues whose mark may move further than their margin covers.",
    { most: "1" },
  ),
  fundingMethod: parameter(
    "word",
    "hyperliquid",
    "Method of funding (FND-2). `reported` pays recorded rates and ignores the funding parameters below.",
    { words: FUNDING_METHODS },
  ),
  fundingInterval: parameter(
    "ms",
    "3600000",
    "Time between settlements (FND-2), at most 31 days. Continuous funding settles in every block; there it is the longest time that one settlement pays for. Hyperliquid, dYdX: 1 h; Binance: 8 h.",
    { least: "1", most: "2678400000" },
  ),
  fundingSample: parameter(
    "ms",
    "5000",
    "Least time between premium samples (FND-1); binance8h: step of the clock. Not used by dydx, which samples in every block. Hyperliquid, Binance: 5 s.",
    { least: "1" },
  ),
  fundingInterest: parameter(
    "ppb",
    "0.0001",
    "Interest per 8 h (FND-2); dydx adds it whole. Hyperliquid, Binance, Paradex: 0.01 %.",
    { signed: true },
  ),
  fundingClamp: parameter(
    "ppb",
    "0.0005",
    "Greatest pull of interest on the premium (FND-2). Not used by dydx. Hyperliquid, Binance, Paradex: 0.05 %.",
  ),
  fundingCap: parameter("ppb", "0.04", "Greatest rate per hour (FND-2). Hyperliquid: 4 %."),
  fundingPaymentMax: parameter("ppb", "0.002", "Greatest single payment; the excess is paid in later blocks (FND-2)."),
  fundingBound: parameter(
    "ppm",
    "6",
    "Greatest rate per 8 h, as a multiple of the first tier's initial less maintenance rate (FND-2). Not used by binance8h. dYdX: 600 %.",
  ),
  fundingCapMargin: parameter(
    "ppm",
    "0.75",
    "Greatest rate per 8 h, as a multiple of the first tier's maintenance rate (FND-2). Used only by binance8h. Binance: 0.75.",
  ),
  fundingTau: parameter(
    "ms",
    "3600000",
    "Time constant of the average premium (FND-2). Used only by continuous. Paradex averages exponentially and does not publish its time constant.",
    { least: "1" },
  ),
  impactNotional: parameter(
    "amount",
    "20000",
    "Notional for which impact prices are computed (FND-1). Hyperliquid BTC: 20,000.",
  ),
  liquidationFee: parameter("ppm", "0.01", "Greatest liquidation fee of a fill (LIQ-2). Lighter: 1 %.", { most: "1" }),
  liquidationWhole: parameter("amount", "100000", "Positions up to this value are closed whole (LIQ-2). Hyperliquid."),
  liquidationChunk: parameter("ppm", "0.2", "Share of a larger position closed at once (LIQ-2). Hyperliquid: 20 %.", {
    least: "0.000001",
    most: "1",
  }),
  liquidationCooldown: parameter("ms", "30000", "Wait between chunks (LIQ-2). Hyperliquid: 30 s."),
  insuranceSlippage: parameter(
    "ppm",
    "0.005",
    "Greatest distance beyond the mark at which the fund pays for fills (LIQ-4).",
  ),
  closeOut: parameter("ppm", "0", "Ratio of equity to maintenance margin at or below which the fund pays (LIQ-4)."),
  takeoverDistance: parameter(
    "ppm",
    "1000000",
    "Greatest distance beyond the oracle price at which a backstop takes over a position, as a share of that price (LIQ-3).",
  ),
  liquidationPolicy: parameter("word", "perplab", "Policy of liquidations in the market (LIQ).", {
    words: LIQUIDATION_POLICIES,
  }),
  insuranceCapAccount: parameter(
    "amount",
    "1000000",
    "Most that the fund pays for an account in a UTC day; 0 for nothing (LIQ-4). dYdX: 1 M per subaccount.",
  ),
  insuranceCapOwner: parameter(
    "amount",
    "1000000",
    "Most that the fund pays for an owner's subaccounts in a UTC day; 0 for nothing (LIQ-4).",
  ),
  insuranceCapMarket: parameter(
    "ppm",
    "0.1",
    "Share of the fund that it pays for the market in a UTC day; 0 for nothing (LIQ-4).",
    { most: "1" },
  ),
  insuranceCapBlock: parameter("amount", "10000000", "Most that the fund pays in a block; 0 for nothing (LIQ-4)."),
} as const satisfies Readonly<Record<string, ParameterDescriptor>>;

export type MarketParameterName = keyof typeof marketParameters;

/** A market's parameters as the engine reads them. */
export interface MarketParameters {
  readonly status: number;
  /** 1 while paused, like the three below. */
  readonly pauseTrade: number;
  readonly pauseLiquidate: number;
  readonly pauseFund: number;
  readonly pauseWithdraw: number;
  readonly tickSize: PriceE8;
  readonly lotSize: SizeE8;
  readonly minSize: SizeE8;
  readonly minNotional: Amount;
  readonly maxSize: SizeE8;
  readonly positionLimit: SizeE8;
  readonly openInterestLimit: SizeE8;
  readonly openInterestLower: Amount;
  readonly openInterestUpper: Amount;
  readonly initialMarginMethod: number;
  readonly openOrdersMax: number;
  /** REDUCE_ONLY_RESTING */
  readonly reduceOnlyResting: number;
  readonly priceBand: Ppm;
  readonly slippageMax: Ppm;
  readonly takerFee: Ppm;
  readonly makerFee: Ppm;
  readonly sources: readonly Source[];
  readonly minSources: number;
  readonly oracleStale: number;
  readonly oracleUncertain: Ppm;
  readonly oracleVolatile: Ppm;
  readonly oracleConfirmations: number;
  readonly blockGap: number;
  readonly markMethod: number;
  readonly markTau: number;
  readonly markClamp: Ppm;
  readonly markBand: Ppm;
  readonly unsafe: number;
  readonly fundingMethod: number;
  readonly fundingInterval: number;
  readonly fundingSample: number;
  readonly fundingInterest: Ppb;
  readonly fundingClamp: Ppb;
  readonly fundingCap: Ppb;
  readonly fundingPaymentMax: Ppb;
  readonly fundingBound: Ppm;
  readonly fundingCapMargin: Ppm;
  readonly fundingTau: number;
  readonly impactNotional: Amount;
  readonly liquidationFee: Ppm;
  readonly liquidationWhole: Amount;
  readonly liquidationChunk: Ppm;
  readonly liquidationCooldown: number;
  readonly insuranceSlippage: Ppm;
  readonly closeOut: Ppm;
  readonly takeoverDistance: Ppm;
  readonly liquidationPolicy: number;
  readonly insuranceCapAccount: Amount;
  readonly insuranceCapOwner: Amount;
  readonly insuranceCapMarket: Ppm;
  readonly insuranceCapBlock: Amount;
  readonly tiers: readonly Tier[];
  /** By rising volume; none where every owner pays the same. */
  readonly feeTiers: readonly FeeTier[];
  // Derived from the above, once.
  /** Quote units of one lot at one tick; a fill is worth ticks * lots * tickLotValue. */
  readonly tickLotValue: number;
  /** A lot is worth price * lotNumerator / lotDenominator quote units at a reference price (1e-8). */
  readonly lotNumerator: number;
  readonly lotDenominator: number;
  /**
   * Greatest reference price that is taken: a position at its cap stays storable at it, and so does price *
   * lotNumerator (NUM-3).
   */
  readonly priceMost: PriceE8;
  readonly minLots: Lots;
  readonly maxLots: Lots;
  readonly positionLimitLots: Lots;
  readonly openInterestLimitLots: Lots;
  /** Greatest whole leverage of the first tier. */
  readonly leverageMax: number;
  /** Lowest maintenance rate. */
  readonly maintenanceLeast: Ppm;
  /** Highest maintenance rate. */
  readonly maintenanceMost: Ppm;
  /** Every parameter as canonical text, in table order: what marketCreated and marketChanged carry. */
  readonly definition: string;
}

export type ParameterTexts = Readonly<Record<string, string>>;

/** Why a definition is refused. */
export interface ParameterFault {
  readonly parameter: string;
  readonly reason: string;
}

/** The first parameter that a list names twice (ACT-3). */
export function findNamedTwice(parameters: readonly { readonly name: string }[]): ParameterFault | undefined {
  const named = new Set<string>();
  for (const { name } of parameters) {
    if (named.has(name)) return { parameter: name, reason: "given twice" };
    named.add(name);
  }
  return undefined;
}

/**
 * Reads a definition: texts over the preset's over the defaults. Returns the parameters, or the first fault.
 *
 * @param preset name in `marketPresets`
 * @param texts  named parameters; an empty text for a tier removes it
 * @param before for an update, the parameters now in force: what is not named stays, what is fixed may not change
 * @param rules  between parameters; fewer only for computing without a venue
 */
export function readMarketParameters(
  preset: string,
  texts: ParameterTexts,
  before?: MarketParameters,
  rules: readonly ParameterRule[] = PARAMETER_RULES,
): MarketParameters | ParameterFault {
  const base = before === undefined ? own<ParameterTexts>(marketPresets, preset) : readDefinition(before.definition);
  if (base === undefined) {
    const names = Object.keys(marketPresets).join(", ");
    return { parameter: "preset", reason: `unknown preset ${JSON.stringify(preset)}; there are ${names}` };
  }
  const merged: Record<string, string> = { ...INITIAL };
  if (before === undefined)
    LINEAR_TIERS.forEach((tier, at) => {
      merged[`tier${at + 1}`] = tier;
    });
  Object.assign(merged, base);
  for (const [name, text] of Object.entries(texts)) {
    const descriptor = own<ParameterDescriptor>(marketParameters, name);
    if (!isParameterName(name)) return { parameter: name, reason: "unknown parameter" };
    if (before !== undefined && descriptor?.fixed === true && text !== merged[name]) {
      return { parameter: name, reason: "may not change once the market exists" };
    }
    merged[name] = text;
  }
  const read = build(merged, rules, before && { parameters: before, changes: texts });
  if (before === undefined || isParameterFault(read)) return read;
  const names = ({ sources }: MarketParameters) => sources.map(({ name }) => name).join(" ");
  if (names(read) === names(before)) return read;
  return { parameter: "sources", reason: "only weights may change once the market exists; weight 0 leaves one out" };
}

/** Whether a market parameter has this name, or a tier of margin or of fees. */
export function isParameterName(name: string): boolean {
  return Object.hasOwn(marketParameters, name) || TIER_NAME.test(name) || FEE_TIER_NAME.test(name);
}

const DESCRIPTORS = Object.entries(marketParameters) as [MarketParameterName, ParameterDescriptor][];
const INITIAL: ParameterTexts = Object.fromEntries(DESCRIPTORS.map(([name, { initial }]) => [name, initial]));

/** An entry of a table; names that every object has, such as `constructor`, are no entries. */
function own<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The greatest amount, as text. */
const AMOUNT_TEXT = formatDecimal(LIMIT, 6);

const TIER_NAME = /^tier[1-9][0-9]?$/;

/** The texts of a definition, as `MarketParameters.definition` holds them. */
export function readDefinition(definition: string): ParameterTexts {
  return Object.fromEntries(definition.split("\n").map(splitOnce));
}

function splitOnce(line: string): [string, string] {
  const at = line.indexOf("=");
  return [line.slice(0, at), line.slice(at + 1)];
}

/** Parameters before an update, and the texts that it gives. Values of other texts are taken over, not read again. */
interface Kept {
  readonly parameters: MarketParameters;
  readonly changes: ParameterTexts;
}

function build(
  texts: Record<string, string>,
  rules: readonly ParameterRule[],
  kept: Kept | undefined,
): MarketParameters | ParameterFault {
  const values: Record<string, number> = {};
  const lines: string[] = [];
  let sources: readonly Source[] = [];
  for (const [name, descriptor] of DESCRIPTORS) {
    const text = texts[name]!;
    const before = kept === undefined || Object.hasOwn(kept.changes, name) ? undefined : kept.parameters;
    if (descriptor.kind === "sources") {
      const read = before?.sources ?? readSourceList(text);
      if (typeof read === "string") return { parameter: name, reason: read };
      sources = read;
      lines.push(`${name}=${text}`);
      continue;
    }
    const value = (before?.[name] as number | undefined) ?? readValue(PARAMETER_RANGES.get(name)!, text);
    if (typeof value === "string") return { parameter: name, reason: value };
    values[name] = value;
    lines.push(`${name}=${text}`);
  }
  const isStepped = values["initialMarginMethod"] === INITIAL_MARGIN_METHOD.stepped;
  const tiers = keepTiers(texts, lines, kept) ?? readTiers(texts, lines, isStepped);
  if ("reason" in tiers) return tiers;
  const feeTiers = readFeeTiers(texts, lines);
  if ("reason" in feeTiers) return feeTiers;
  const checked = check(values, sources, tiers.tiers, lines.join("\n"), rules);
  return "reason" in checked ? checked : fixLayout({ ...checked, ...feeTiers });
}

/** Parameters that are computed from others. */
const DERIVED: readonly (keyof MarketParameters)[] = [
  "tickLotValue",
  "lotNumerator",
  "lotDenominator",
  "priceMost",
  "minLots",
  "maxLots",
  "positionLimitLots",
  "openInterestLimitLots",
  "leverageMax",
  "maintenanceLeast",
  "maintenanceMost",
];

/**
 * An object with all parameters as a text. Numbers that may be large are fractions here: the runtime then reserves room
 * for a double at once. Otherwise it chooses the room by the first value, and the first larger value of any of these
 * numbers changes the layout. All compiled code that reads parameters is then compiled again.
 */
const LAYOUT = JSON.stringify(
  Object.fromEntries([
    ...DESCRIPTORS.filter(([, { kind }]) => kind !== "sources").map(([name, { words }]) => [name, words ? 0 : 0.5]),
    ...["sources", "tiers", "feeTiers"].map((name) => [name, null]),
    ...DERIVED.map((name) => [name, 0.5]),
  ]),
);

/** A copy whose layout in memory does not depend on the values. */
function fixLayout(parameters: MarketParameters): MarketParameters {
  return Object.assign(JSON.parse(LAYOUT) as MarketParameters, parameters);
}

const SOURCE = /^([A-Za-z0-9._-]{1,20}):(0|[1-9][0-9]{0,5})$/;
/** Most sources of a market. */
export const SOURCES_MAX = 32;

/** Reads "name:weight name:weight"; weights are whole numbers below a million. */
function readSourceList(text: string): Source[] | string {
  const list: Source[] = [];
  for (const part of text === "" ? [] : text.split(" ")) {
    const found = SOURCE.exec(part);
    if (found === null) return 'must be "name:weight name:weight", for example "a:2 b:1"';
    if (list.some(({ name }) => name === found[1])) return `${found[1]} is given twice`;
    list.push({ name: found[1]!, weight: Number(found[2]) });
  }
  if (list.length > SOURCES_MAX) return `at most ${SOURCES_MAX} sources`;
  return list;
}

const DECIMALS_OF: Readonly<Record<string, number>> = { price: 8, size: 8, amount: 6, ppm: 6, ppb: 9, ms: 0, count: 0 };

/** What a parameter's text may be: one of its words, or a decimal between two bounds. */
export interface ParameterRange {
  readonly words: readonly string[];
  /** Decimals of its unit; 0 where it has words or sources. */
  readonly decimals: number;
  /** In its unit, both allowed. */
  readonly least: number;
  readonly most: number;
  /** 0 is allowed as well, below `least`. */
  readonly orZero: boolean;
}

/**
 * Range of each parameter but `sources`, the tiers and the fee tiers: what the check refuses, the parameter page
 * documents and the search draws up to.
 */
export const PARAMETER_RANGES: ReadonlyMap<string, ParameterRange> = new Map(
  (Object.entries(marketParameters) as [string, ParameterDescriptor][])
    .filter(([, { kind }]) => kind !== "sources")
    .map(([name, { kind, words = [], signed, least, most, orZero = false }]) => {
      const decimals = DECIMALS_OF[kind] ?? 0;
      const read = (text: string) => scanDecimal(text, decimals) as number;
      return [
        name,
        {
          words,
          decimals,
          least: least === undefined ? (signed ? 0 - LIMIT : 0) : read(least),
          most: most === undefined ? LIMIT : read(most),
          orZero,
        },
      ];
    }),
);

function readValue({ words, decimals, least, most, orZero }: ParameterRange, text: string): number | string {
  if (words.length > 0) {
    const place = words.indexOf(text);
    return place < 0 ? `must be one of ${words.join(", ")}` : place;
  }
  const value = scanDecimal(text, decimals);
  if (value === "malformed")
    return `${JSON.stringify(text)} is not a canonical decimal such as "0.5", "-12" or "60000"`;
  if (value === "precision") return `${JSON.stringify(text)} has more than ${decimals} digits after the point`;
  const isLarge = value === "range";
  if (isLarge ? text.startsWith("-") : value < least && !(orZero && value === 0)) {
    const bound = least === 0 ? "not be negative" : `be at least ${formatDecimal(least, decimals)}`;
    return orZero ? `must be 0 or at least ${formatDecimal(least, decimals)}` : `must ${bound}`;
  }
  return isLarge || value > most ? `must be at most ${formatDecimal(most, decimals)}` : value;
}

/** The tiers before an update that changes nothing that they depend on. */
function keepTiers(
  texts: Record<string, string>,
  lines: string[],
  kept: Kept | undefined,
): { tiers: readonly Tier[] } | undefined {
  if (kept === undefined || Object.keys(kept.changes).some(decidesTiers)) return undefined;
  const { tiers } = kept.parameters;
  for (let place = 1; place <= tiers.length; place++) lines.push(`tier${place}=${texts[`tier${place}`]}`);
  return { tiers };
}

function decidesTiers(name: string): boolean {
  return TIER_NAME.test(name) || name === "initialMarginMethod";
}

function readTiers(
  texts: Record<string, string>,
  lines: string[],
  isStepped: boolean,
): { tiers: Tier[] } | ParameterFault {
  const tiers: Tier[] = [];
  let ended = false;
  const places = countPlaces(texts, "tier");
  for (let place = 1; place <= places; place++) {
    const name = `tier${place}`;
    const text = texts[name] ?? "";
    if (text === "") {
      ended = true;
      continue;
    }
    if (ended) return { parameter: name, reason: `tier${place - 1} is missing` };
    const [from, initialRate, maintenanceRate, ...rest] = text.split(" ");
    const bound = scanDecimal(from ?? "", 6);
    const initial = scanDecimal(initialRate ?? "", 6);
    const maintenance = scanDecimal(maintenanceRate ?? "", 6);
    if (
      typeof bound === "string" ||
      typeof initial === "string" ||
      typeof maintenance === "string" ||
      rest.length > 0
    ) {
      const reason = 'must be "from initialRate maintenanceRate", for example "0 0.025 0.0125"';
      return { parameter: name, reason: bound === "range" ? `its bound must be at most ${AMOUNT_TEXT}` : reason };
    }
    const before = tiers.at(-1);
    if (before === undefined ? bound !== 0 : bound <= before.from) {
      return { parameter: name, reason: "tiers start at 0 and their bounds rise" };
    }
    if (!(maintenance > 0 && maintenance < initial && initial <= PPM)) {
      return { parameter: name, reason: "0 < maintenance rate < initial rate <= 1 must hold" };
    }
    if (before !== undefined && (initial <= before.initialRate || maintenance <= before.maintenanceRate)) {
      return { parameter: name, reason: "rates must rise from tier to tier" };
    }
    const step = (rate: number, last: number, deduction: number) => deduction + mulDivFloor(bound, rate - last, PPM);
    const tier: Tier = {
      from: bound as Amount,
      least: (isStepped && before !== undefined ? bound + 1 : bound) as Amount,
      initialRate: initial as Ppm,
      maintenanceRate: maintenance as Ppm,
      initialDeduction: (before === undefined || isStepped
        ? 0
        : step(initial, before.initialRate, before.initialDeduction)) as Amount,
      maintenanceDeduction: (before === undefined
        ? 0
        : step(maintenance, before.maintenanceRate, before.maintenanceDeduction)) as Amount,
      initialOver: initial / gcd(initial, PPM),
      initialUnder: PPM / gcd(initial, PPM),
      maintenanceOver: maintenance / gcd(maintenance, PPM),
      maintenanceUnder: PPM / gcd(maintenance, PPM),
    };
    if (before !== undefined && !isMaintenanceBelow(before, tier)) {
      return {
        parameter: name,
        reason: "maintenance margin must be below initial margin at the bound and a unit above it (MRG-1)",
      };
    }
    tiers.push(tier);
    lines.push(`${name}=${text}`);
  }
  if (tiers.length === 0) return { parameter: "tier1", reason: "at least one tier is needed" };
  return { tiers };
}

/** Whether maintenance margin is below initial margin at a tier's bound and one quote unit above it (MRG-1). */
function isMaintenanceBelow(before: Tier, tier: Tier): boolean {
  return [tier.from, tier.from + 1].every((notional) => {
    const holding = notional < tier.least ? before : tier;
    // Above the greatest bound a margin may be beyond what a number stores.
    const marginAt = (rate: number, deduction: number) =>
      bigDivCeil(BigInt(notional) * BigInt(rate), BigInt(PPM)) - BigInt(deduction);
    return (
      marginAt(holding.maintenanceRate, holding.maintenanceDeduction) <
      marginAt(holding.initialRate, holding.initialDeduction)
    );
  });
}

function check(
  v: Record<string, number>,
  sources: readonly Source[],
  tiers: readonly Tier[],
  definition: string,
  rules: readonly ParameterRule[],
): MarketParameters | ParameterFault {
  const get = (name: MarketParameterName): number => v[name]!;
  const first = tiers[0]!;
  const last = tiers.at(-1)!;
  const voting = sources.filter(({ weight }) => weight > 0).length;
  const terms: RuleTerms = {
    get,
    voting: sources.length === 0 ? undefined : voting,
    maintenanceRate: first.maintenanceRate,
  };
  for (const { parameter, sentence, holds } of rules) {
    const broken = [parameter].flat().find((name) => !holds(terms, name));
    if (broken !== undefined) return { parameter: broken, reason: sentence };
  }
  const lots = (name: MarketParameterName) => Math.floor(get(name) / get("lotSize")) as Lots;
  // price(1e-8) * lots * lotSize(1e-8) / 1e16 USD, in 1e-6: numerator lotSize, denominator 1e10, in lowest terms.
  const divisor = gcd(get("lotSize"), 1e10);
  return {
    ...(v as unknown as MarketParameters),
    sources,
    tiers,
    feeTiers: [],
    tickLotValue: getTickLotValue(get),
    lotNumerator: get("lotSize") / divisor,
    lotDenominator: 1e10 / divisor,
    priceMost: computePriceMost(lots("positionLimit"), get("lotSize") / divisor, 1e10 / divisor),
    minLots: Math.ceil(get("minSize") / get("lotSize")) as Lots,
    maxLots: lots("maxSize"),
    positionLimitLots: lots("positionLimit"),
    openInterestLimitLots: lots("openInterestLimit"),
    leverageMax: Math.floor(PPM / first.initialRate),
    maintenanceLeast: first.maintenanceRate,
    maintenanceMost: last.maintenanceRate,
    definition,
  };
}

/**
 * Greatest reference price of a market (NUM-3), 1e-8 USD. At it the largest position is worth a quarter of the largest
 * amount, so that other sums have room. A price times the numerator of a lot is storable.
 *
 * @param lots largest position
 */
function computePriceMost(lots: number, numerator: number, denominator: number): PriceE8 {
  const byValue = (BigInt(LIMIT / 4) * BigInt(denominator)) / (BigInt(lots) * BigInt(numerator));
  const byProduct = BigInt(Math.floor(LIMIT / numerator));
  return Number(byValue < byProduct ? byValue : byProduct) as PriceE8;
}

/**
 * Greatest price of a market at which a position of so many lots keeps the room that one at `positionLimit` has
 * (NUM-3).
 */
export function getPriceMost({ lotNumerator, lotDenominator }: MarketParameters, lots: number): PriceE8 {
  return computePriceMost(lots, lotNumerator, lotDenominator);
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}

/** True if `readMarketParameters` refused. */
export function isParameterFault(value: MarketParameters | ParameterFault): value is ParameterFault {
  return "reason" in value;
}
