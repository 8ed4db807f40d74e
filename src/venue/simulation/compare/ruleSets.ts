import { LINEAR_TIERS, marketPresets } from "../../../protocol/marketPresets.ts";
import { marketParameters, type ParameterTexts } from "../../../protocol/parameters.ts";
import { readDefinition } from "../../../protocol/readParameters.ts";
import type { ForkChange } from "../../engine/forkRecord.ts";
import type { State } from "../../engine/state/state.ts";

/** Rules by a name, as changes of every market of a venue. */
export interface RuleSet {
  readonly name: string;
  readonly changes: readonly ForkChange[];
}

/** Parameters that describe the instrument and not the rules of the venue: a rule set leaves them as recorded. */
const SCALE: ReadonlySet<string> = new Set([
  "status",
  "tickSize",
  "lotSize",
  "minSize",
  "minNotional",
  "maxSize",
  "positionLimit",
  "openInterestLimit",
  "openOrdersMax",
  "priceBand",
  "slippageMax",
]);

/**
 * Parameters of how prices are made. With recorded marks and rates (PRC-2), a rule set leaves these as recorded too.
 */
const isOfPrices = (name: string) => /^(mark|funding|impact|oracle|source|minSources|blockGap)/.test(name);

/** Name of the venue's own rules among the presets of markets. */
const OWN = "perplab";

/** The presets that rules can be compared under, with the venue's own first. */
export function ruleSetNames(): string[] {
  const others = Object.keys(marketPresets).filter((name) => !["linear", "thin", "replay", "minimal"].includes(name));
  return [OWN, ...others];
}

/**
 * The rules of a preset for the markets of a venue: fees, tiers, liquidation and everything else that a preset sets or
 * leaves at its default. Excluded are the instrument's scale and, for recorded prices, the making of prices.
 *
 * @returns undefined where there is no such preset
 */
export function ruleSetOf(name: string, state: State): RuleSet | undefined {
  const preset = Object.hasOwn(marketPresets, name)
    ? marketPresets[name]!
    : name === OWN
      ? marketPresets["linear"]!
      : undefined;
  if (preset === undefined) return undefined;
  const changes = state.marketNames.map((market, row): ForkChange => {
    const present = readDefinition(state.parameters[row]!.definition);
    return { market, parameters: toParameters(preset, present) };
  });
  return { name, changes: changes.filter(({ parameters }) => Object.keys(parameters).length > 0) };
}

function toParameters(preset: ParameterTexts, present: ParameterTexts): ParameterTexts {
  const recorded = present["markMethod"] === "reported";
  const wanted: Record<string, string> = {};
  for (const [name, { initial }] of Object.entries(marketParameters)) wanted[name] = initial;
  for (const [place, tier] of LINEAR_TIERS.entries()) wanted[`tier${place + 1}`] = tier;
  Object.assign(wanted, preset);
  for (const name of Object.keys(present)) if (/^(tier|feeTier)\d+$/.test(name)) wanted[name] ??= "";
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([name, text]) => !SCALE.has(name) && !(recorded && isOfPrices(name)) && (present[name] ?? "") !== text,
    ),
  );
}
