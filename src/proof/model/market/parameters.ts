import type { ParameterTexts } from "../../../protocol/parameters.ts";
import { abs, divCeil, divFloor, min, readDecimal } from "../arithmetic.ts";
import { LIMIT, PPM } from "../words.ts";
import { DEFAULT_TIERS, DEFAULTS, FIXED, type ParameterKind, PRESETS, SIGNED, WORDS } from "./defaults.ts";

type Name = keyof typeof DEFAULTS;
type OfKind<Kind extends ParameterKind> = {
  [K in Name]: (typeof DEFAULTS)[K]["kind"] extends Kind ? K : never;
}[Name];
type WordName = keyof typeof WORDS;

export interface ModelTier {
  readonly from: bigint;
  /** ppm */
  readonly initialRate: bigint;
  readonly maintenanceRate: bigint;
  readonly initialDeduction: bigint;
  readonly maintenanceDeduction: bigint;
}

export interface ModelFeeTier {
  readonly from: bigint;
  readonly takerFee: bigint;
  readonly makerFee: bigint;
}

/** A market's parameters: words as words, times and counts as numbers, quantities as exact integers. */
export type ModelParameters = { readonly [K in WordName]: (typeof WORDS)[K][number] } & {
  readonly [K in OfKind<"ms" | "count">]: number;
} & { readonly [K in OfKind<"price" | "size" | "amount" | "ppm" | "ppb">]: bigint } & {
  /** All texts in force, for the next update. */
  readonly texts: ParameterTexts;
  readonly sources: readonly { readonly name: string; readonly weight: bigint }[];
  readonly tiers: readonly ModelTier[];
  readonly feeTiers: readonly ModelFeeTier[];
  /** Quote units of one lot at one tick: a fill's value is ticks * lots of it (NUM-1). */
  readonly tickLotValue: bigint;
  /** Greatest accepted reference price (NUM-3). */
  readonly priceMost: bigint;
  /** Limits in lots. */
  readonly minLots: bigint;
  readonly maxLots: bigint;
  readonly positionLimitLots: bigint;
  readonly openInterestLimitLots: bigint;
  /** Greatest whole leverage of the first tier. */
  readonly leverageMax: bigint;
};

const KINDS = Object.entries(DEFAULTS) as [Name & keyof ModelParameters, (typeof DEFAULTS)[Name]][];

const DECIMALS: Readonly<Record<string, number>> = { price: 8, size: 8, amount: 6, ppm: 6, ppb: 9, ms: 0, count: 0 };

/** The value of lots at a reference price is lots * price * lotSize / VALUE_SCALE quote units. */
export const VALUE_SCALE = 10_000_000_000n;

/**
 * The parameters of a definition: its texts over the preset's over the defaults, or over those in force. Undefined if
 * any rule refuses it (MRG-1, PRC-2, NUM-1, ORD-7, LIQ-4).
 */
export function readParameters(
  preset: string,
  texts: ParameterTexts,
  before?: ModelParameters,
): ModelParameters | undefined {
  const merged: Record<string, string> = {};
  if (before !== undefined) Object.assign(merged, before.texts);
  else {
    if (!Object.hasOwn(PRESETS, preset)) return undefined;
    for (const [name, { initial }] of Object.entries(DEFAULTS)) merged[name] = initial;
    DEFAULT_TIERS.forEach((tier, place) => {
      merged[`tier${place + 1}`] = tier;
    });
    Object.assign(merged, PRESETS[preset]);
  }
  for (const [name, text] of Object.entries(texts)) {
    if (!Object.hasOwn(DEFAULTS, name) && !/^(tier|feeTier)[1-9][0-9]?$/.test(name)) return undefined;
    if (before !== undefined && FIXED.includes(name) && merged[name] !== text) return undefined;
    merged[name] = text;
  }
  const read = readTexts(merged, before);
  if (read === undefined || before === undefined) return read;
  const same =
    read.sources.length === before.sources.length &&
    read.sources.every(({ name }, place) => name === before.sources[place]?.name);
  return same ? read : undefined;
}

/** @param before parameters in force: a text that stays has the value that it has there */
function readTexts(
  texts: Readonly<Record<string, string>>,
  before: ModelParameters | undefined,
): ModelParameters | undefined {
  const values: Record<string, unknown> = {};
  for (const [name, { kind }] of KINDS) {
    const text = texts[name] ?? "";
    if (kind === "sources") continue;
    if (before !== undefined && before.texts[name] === text) {
      values[name] = before[name];
      continue;
    }
    if (kind === "word") {
      if (!(WORDS[name as WordName] as readonly string[]).includes(text)) return undefined;
      values[name] = text;
      continue;
    }
    const value = readDecimal(text, DECIMALS[kind] ?? 0);
    if (value === undefined || abs(value) > LIMIT || (value < 0n && !SIGNED.includes(name))) return undefined;
    values[name] = kind === "ms" || kind === "count" ? Number(value) : value;
  }
  const sources = readSources(texts["sources"] ?? "");
  const tiers = readTiers(texts, values["initialMarginMethod"] === "stepped");
  const feeTiers = readFeeTiers(texts);
  if (sources === undefined || tiers === undefined || feeTiers === undefined) return undefined;
  const plain = { ...values, texts, sources, tiers, feeTiers } as unknown as ModelParameters;
  return isAllowed(plain) ? { ...plain, ...derive(plain) } : undefined;
}

function readSources(text: string): ModelParameters["sources"] | undefined {
  const sources: { name: string; weight: bigint }[] = [];
  for (const part of text === "" ? [] : text.split(" ")) {
    const found = /^([A-Za-z0-9._-]{1,20}):(0|[1-9][0-9]{0,5})$/.exec(part);
    if (found === null) return undefined;
    const [, name = "", weight = ""] = found;
    if (sources.some((source) => source.name === name)) return undefined;
    sources.push({ name, weight: BigInt(weight) });
  }
  return sources.length > 32 ? undefined : sources;
}

/** The texts `name1`, `name2`, … up to the first that is missing; undefined if a later one exists. */
function readList(texts: Readonly<Record<string, string>>, name: string): string[][] | undefined {
  const given = Object.keys(texts).filter((key) => key.startsWith(name) && texts[key] !== "");
  const lines: string[][] = [];
  for (let place = 1; place <= given.length; place++) {
    const text = texts[`${name}${place}`] ?? "";
    if (text === "") return undefined;
    lines.push(text.split(" "));
  }
  return lines;
}

/**
 * Tiers with the deductions that make margin continuous at their bounds; `stepped` has none for initial margin (MRG-1).
 */
function readTiers(texts: Readonly<Record<string, string>>, isStepped: boolean): ModelTier[] | undefined {
  const lines = readList(texts, "tier");
  if (lines === undefined || lines.length === 0) return undefined;
  const tiers: ModelTier[] = [];
  for (const line of lines) {
    const [from, initialRate, maintenanceRate] = line.map((part) => readDecimal(part, 6));
    if (line.length !== 3 || from === undefined || initialRate === undefined || maintenanceRate === undefined)
      return undefined;
    const before = tiers.at(-1);
    if (before === undefined ? from !== 0n : from <= before.from) return undefined;
    if (!(maintenanceRate > 0n && maintenanceRate < initialRate && initialRate <= PPM)) return undefined;
    if (before !== undefined && (initialRate <= before.initialRate || maintenanceRate <= before.maintenanceRate))
      return undefined;
    tiers.push({
      from,
      initialRate,
      maintenanceRate,
      initialDeduction:
        before === undefined || isStepped
          ? 0n
          : before.initialDeduction + divFloor(from * (initialRate - before.initialRate), PPM),
      maintenanceDeduction:
        before === undefined
          ? 0n
          : before.maintenanceDeduction + divFloor(from * (maintenanceRate - before.maintenanceRate), PPM),
    });
  }
  return tiers;
}

function readFeeTiers(texts: Readonly<Record<string, string>>): ModelFeeTier[] | undefined {
  const lines = readList(texts, "feeTier");
  if (lines === undefined) return undefined;
  const tiers: ModelFeeTier[] = [];
  for (const line of lines) {
    const [from, takerFee, makerFee] = line.map((part) => readDecimal(part, 6));
    if (line.length !== 3 || from === undefined || takerFee === undefined || makerFee === undefined) return undefined;
    if (from <= (tiers.at(-1)?.from ?? 0n) || takerFee < 0n || takerFee >= PPM || abs(makerFee) >= PPM)
      return undefined;
    tiers.push({ from, takerFee, makerFee });
  }
  return tiers;
}

/** Initial margin by the tier alone: with `stepped` the tier's rate applies to the whole notional (MRG-1). */
export function tieredInitial(p: Pick<ModelParameters, "initialMarginMethod" | "tiers">, notional: bigint): bigint {
  const { initialRate, initialDeduction } = tierAt(p, notional);
  return divCeil(notional * initialRate, PPM) - initialDeduction;
}

/** ceil(notional * maintenanceRate) - deduction (MRG-1). */
export function tieredMaintenance(p: Pick<ModelParameters, "initialMarginMethod" | "tiers">, notional: bigint): bigint {
  const { maintenanceRate, maintenanceDeduction } = tierAt(p, notional);
  return divCeil(notional * maintenanceRate, PPM) - maintenanceDeduction;
}

/** The tier of a notional: at a bound the upper tier, with `stepped` the lower one (MRG-1). */
function tierAt(
  { initialMarginMethod, tiers }: Pick<ModelParameters, "initialMarginMethod" | "tiers">,
  notional: bigint,
): ModelTier {
  const isStepped = initialMarginMethod === "stepped";
  return tiers.findLast(({ from }) => (isStepped ? notional > from : notional >= from)) ?? tiers[0]!;
}

/** At every bound, and a unit above it, maintenance margin is below initial margin (MRG-1). */
function areTiersApart(p: ModelParameters): boolean {
  return p.tiers
    .slice(1)
    .flatMap(({ from }) => [from, from + 1n])
    .every((notional) => tieredMaintenance(p, notional) < tieredInitial(p, notional));
}

/** Checks the rules of a whole definition. */
function isAllowed(p: ModelParameters): boolean {
  if (!areTiersApart(p)) return false;
  if (p.tickSize === 0n || p.lotSize === 0n || (p.tickSize * p.lotSize) % VALUE_SCALE !== 0n) return false;
  if ((p.tickSize * p.lotSize) / VALUE_SCALE > 1_000_000_000n) return false;
  if (p.fundingInterval === 0 || p.fundingSample === 0 || p.fundingTau === 0 || p.markTau === 0) return false;
  for (const sizeE8 of [p.maxSize, p.positionLimit, p.openInterestLimit]) if (sizeE8 < p.lotSize) return false;
  if (p.fundingInterval > 31 * 86_400_000) return false;
  const voting = p.sources.filter(({ weight }) => weight > 0n).length;
  if (p.minSources < 1 || (p.sources.length > 0 && p.minSources > voting)) return false;
  if (p.oracleVolatile !== 0n && p.oracleVolatile < PPM) return false;
  if (p.oracleConfirmations < 1 || p.unsafe > 1) return false;
  const maintenance = p.tiers[0]?.maintenanceRate ?? 0n;
  if (p.markMethod !== "reported") {
    if (p.markClamp === 0n) return false;
    // PRC-2, in ppb.
    if (p.markClamp * 1000n + p.fundingPaymentMax >= maintenance * 1000n && p.unsafe === 0) return false;
  }
  if (p.openInterestUpper !== 0n && p.openInterestUpper <= p.openInterestLower) return false;
  if (p.takerFee + p.makerFee < 0n || p.takerFee >= PPM || p.makerFee >= PPM) return false;
  if (p.liquidationFee > PPM || p.slippageMax > PPM || p.insuranceCapMarket > PPM) return false;
  if (p.liquidationChunk === 0n || p.liquidationChunk > PPM) return false;
  return p.insuranceSlippage < maintenance;
}

/**
 * The greatest price for a position limit. So many lots are then worth at most a quarter of the bound, and n times the
 * price is storable for a lot of value n / d (NUM-3).
 */
export function priceMostFor({ lotSize }: Pick<ModelParameters, "lotSize">, lots: bigint): bigint {
  const byValue = ((LIMIT / 4n) * VALUE_SCALE) / (lots * lotSize);
  let [numerator, rest] = [lotSize, VALUE_SCALE];
  while (rest !== 0n) [numerator, rest] = [rest, numerator % rest];
  return min(byValue, LIMIT / (lotSize / numerator));
}

function derive(p: ModelParameters): Partial<ModelParameters> {
  const positionLimitLots = p.positionLimit / p.lotSize;
  return {
    tickLotValue: (p.tickSize * p.lotSize) / VALUE_SCALE,
    priceMost: priceMostFor(p, positionLimitLots),
    minLots: -divFloor(-p.minSize, p.lotSize),
    maxLots: p.maxSize / p.lotSize,
    positionLimitLots,
    openInterestLimitLots: p.openInterestLimit / p.lotSize,
    leverageMax: PPM / (p.tiers[0]?.initialRate ?? PPM),
  };
}
