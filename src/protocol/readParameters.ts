/**
 * Reads the definition of a market. Definitions arrive as named texts (`createMarket`, `updateMarket`, genesis) and are
 * checked here as a whole; a market that fails a rule is refused.
 */

import { gcd, LIMIT, type Lots, PPM, type PriceE8 } from "../ground/math/fixed.ts";
import { FEE_TIER_NAME, readFeeTiers } from "./feeTiers.ts";
import { MARGIN_TIER_NAME, readMarginTiers, type Tier } from "./marginTiers.ts";
import { LINEAR_TIERS, marketPresets } from "./marketPresets.ts";
import { isParameterFault, type ParameterFault } from "./parameterFault.ts";
import { PARAMETER_RANGES, readValue } from "./parameterRanges.ts";
import { getTickLotValue, PARAMETER_RULES, type ParameterRule, type RuleTerms } from "./parameterRules.ts";
import {
  MARKET_PARAMETER_ENTRIES,
  type MarketParameterName,
  type MarketParameters,
  marketParameters,
  type ParameterDescriptor,
  type ParameterTexts,
} from "./parameters.ts";
import { readPriceSources, type Source } from "./priceSources.ts";
import { INITIAL_MARGIN_METHOD } from "./words.ts";

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
  return Object.hasOwn(marketParameters, name) || MARGIN_TIER_NAME.test(name) || FEE_TIER_NAME.test(name);
}

const INITIAL: ParameterTexts = Object.fromEntries(
  MARKET_PARAMETER_ENTRIES.map(([name, { initial }]) => [name, initial]),
);

/** An entry of a table; names that every object has, such as `constructor`, are no entries. */
function own<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
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
  for (const [name, descriptor] of MARKET_PARAMETER_ENTRIES) {
    const text = texts[name]!;
    const before = kept === undefined || Object.hasOwn(kept.changes, name) ? undefined : kept.parameters;
    if (descriptor.kind === "sources") {
      const read = before?.sources ?? readPriceSources(text);
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
  const tiers = keepTiers(texts, lines, kept) ?? readMarginTiers(texts, lines, isStepped);
  if (isParameterFault(tiers)) return tiers;
  const feeTiers = readFeeTiers(texts, lines);
  if (isParameterFault(feeTiers)) return feeTiers;
  const get = (name: MarketParameterName): number => values[name]!;
  const broken = findBrokenRule(get, sources, tiers.tiers[0]!, rules);
  if (broken !== undefined) return broken;
  const definition = lines.join("\n");
  const given = { ...(values as unknown as MarketParameters), sources, ...tiers, ...feeTiers, definition };
  return fixLayout({ ...given, ...derive(get, tiers.tiers) });
}

/** Parameters that are computed from others. */
const DERIVED = [
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
] as const satisfies readonly (keyof MarketParameters)[];

/**
 * An object with all parameters as a text. Numbers that may be large are fractions here: the runtime then reserves room
 * for a double at once. Otherwise it chooses the room by the first value, and the first larger value of any of these
 * numbers changes the layout. All compiled code that reads parameters is then compiled again.
 */
const LAYOUT = JSON.stringify(
  Object.fromEntries([
    ...MARKET_PARAMETER_ENTRIES.filter(([, { kind }]) => kind !== "sources").map(([name, { words }]) => [
      name,
      words ? 0 : 0.5,
    ]),
    ...["sources", "tiers", "feeTiers"].map((name) => [name, null]),
    ...DERIVED.map((name) => [name, 0.5]),
  ]),
);

/** A copy whose layout in memory does not depend on the values. */
function fixLayout(parameters: MarketParameters): MarketParameters {
  return Object.assign(JSON.parse(LAYOUT) as MarketParameters, parameters);
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
  return MARGIN_TIER_NAME.test(name) || name === "initialMarginMethod";
}

/** The first rule between parameters that a definition breaks. */
function findBrokenRule(
  get: RuleTerms["get"],
  sources: readonly Source[],
  { maintenanceRate }: Tier,
  rules: readonly ParameterRule[],
): ParameterFault | undefined {
  const voting = sources.length === 0 ? undefined : sources.filter(({ weight }) => weight > 0).length;
  const terms: RuleTerms = { get, voting, maintenanceRate };
  for (const { parameter, sentence, holds } of rules) {
    const broken = [parameter].flat().find((name) => !holds(terms, name));
    if (broken !== undefined) return { parameter: broken, reason: sentence };
  }
  return undefined;
}

/** The parameters in `DERIVED`. */
function derive(get: RuleTerms["get"], tiers: readonly Tier[]): Pick<MarketParameters, (typeof DERIVED)[number]> {
  const lots = (name: MarketParameterName) => Math.floor(get(name) / get("lotSize")) as Lots;
  // price(1e-8) * lots * lotSize(1e-8) / 1e16 USD, in 1e-6: numerator lotSize, denominator 1e10, in lowest terms.
  const divisor = gcd(get("lotSize"), 1e10);
  const first = tiers[0]!;
  return {
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
    maintenanceMost: tiers.at(-1)!.maintenanceRate,
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
