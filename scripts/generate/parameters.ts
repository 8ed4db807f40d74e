/** Renders `docs/reference/parameters.md` from the tables of market parameters and presets. */

import { formatDecimal } from "../../src/ground/math/decimal.ts";
import { LIMIT } from "../../src/ground/math/fixed.ts";
import { LINEAR_TIERS, MARKET_PRESET_DOCS, marketPresets } from "../../src/protocol/marketPresets.ts";
import { PARAMETER_RANGES } from "../../src/protocol/parameterRanges.ts";
import { PARAMETER_RULES } from "../../src/protocol/parameterRules.ts";
import { marketParameters } from "../../src/protocol/parameters.ts";
import { OPERATION_DOCS, OPERATIONS, VALIDITIES, VALIDITY_DOCS, VALIDITY_MATRIX } from "../../src/protocol/validity.ts";
import { code, generatedFrom, table } from "../markdown.ts";

export const path = "docs/reference/parameters.md";

const KINDS = {
  price: "USD per unit of base, 8 decimals",
  size: "units of base, 8 decimals",
  amount: "USD, 6 decimals",
  ppm: "ratio, 6 decimals",
  ppb: "ratio, 9 decimals",
  ms: "milliseconds",
  count: "whole number",
  word: "one of its words",
  sources: "names and weights of price sources",
} as const;

interface Parameter {
  readonly kind: keyof typeof KINDS;
  readonly initial: string;
  readonly fixed?: true;
  readonly doc: string;
}

function describeParameter([name, parameter]: [string, Parameter]): string[] {
  const { kind, initial, fixed, doc } = parameter;
  const notes = [fixed ? "Fixed once the market exists." : ""];
  return [
    code(name),
    kind,
    code(initial),
    describeRange(name),
    [doc, ...notes].filter((note) => note !== "").join(" "),
  ];
}

/** The accepted range; a bound equal to the greatest storable number is in the table of kinds. */
function describeRange(name: string): string {
  const range = PARAMETER_RANGES.get(name);
  if (range === undefined) return "at most 32 sources, weights 0 to 999999";
  const { words, decimals, least, most, orZero } = range;
  if (words.length > 0) return words.map(code).join(", ");
  const [low, high] = [formatDecimal(least, decimals), formatDecimal(most, decimals)];
  const zero = orZero ? "0, or " : "";
  return most === LIMIT && least > -LIMIT ? `${zero}${low} and more` : `${zero}${low} to ${high}`;
}

const MOST = { price: 8, size: 8, amount: 6, ppm: 6, ppb: 9, ms: 0, count: 0 } as const;

/** Greatest storable value of a kind. */
function describeMost(kind: string): string {
  return Object.hasOwn(MOST, kind) ? formatDecimal(LIMIT, MOST[kind as keyof typeof MOST]) : "";
}

export function render(): string {
  const presets = Object.entries(marketPresets).map(([name, texts]) => {
    const differences = Object.entries(texts).map(([parameter, text]) => [code(parameter), code(text)]);
    const body = differences.length === 0 ? "Every default as above." : table(["parameter", "value"], differences);
    return `### ${name}\n\n${body}\n`;
  });
  return `${generatedFrom("src/protocol/parameters.ts, src/protocol/marketPresets.ts")}
# Parameters of a market

Given as named texts to \`createMarket\`, \`updateMarket\`, in genesis and to \`perplab backtest --set\`, over those of a preset.
A definition is checked as a whole; one that breaks a rule is refused with \`PARAMETER_INVALID\` (in genesis, with its
place), and nothing changes.

${table(
  ["kind", "text", "greatest"],
  Object.entries(KINDS).map(([kind, text]) => [kind, text, describeMost(kind)]),
)}

## Parameters

The check of a definition and the search read the same ranges. Both bounds are allowed.
"and more" ends at the greatest value of the kind.

${table(["name", "kind", "default", "range", "meaning"], Object.entries(marketParameters as Readonly<Record<string, Parameter>>).map(describeParameter))}

## Rules between parameters

Checked in this order, after the ranges, the tiers and the fee tiers. The error names the first broken rule, with its parameter.

${table(
  ["parameter", "rule"],
  PARAMETER_RULES.map(({ parameter, sentence }) => [[parameter].flat().map(code).join(", "), sentence]),
)}

A change by \`updateMarket\` also needs: fixed parameters keep their texts; sources keep their names; the market's prices,
positions and orders are within the greatest price of the new definition (NUM-3).

## Tiers

${code("tier1")}, ${code("tier2")}, … are \`from initialRate maintenanceRate\`: the position value from which the tier applies, in USD, and its two
rates. The first bound is 0, the others are at most 9,000,000,000. There are 1 to 99 tiers. Bounds and both rates rise from tier to tier;
0 < maintenance rate < initial rate <= 1. At a bound and one quote unit above it, maintenance margin is below initial margin. An
empty text removes a tier. \`initialMarginMethod\` selects whether initial margin is continuous at a bound (MRG-1). By default: ${LINEAR_TIERS.map((tier, at) => `\`tier${at + 1}=${tier}\``).join(", ")}. The
greatest leverage of a market is 1 over the first initial rate, rounded down.

${code("feeTier1")}, ${code("feeTier2")}, … are \`volume takerFee makerFee\`: the fees of an owner from a 30-day volume on, in USD (ORD-7). Volumes are
above 0 and rise; a taker fee is 0 to 0.999999, a maker fee -0.999999 to 0.999999. A rebate is paid up to the taker fee of the match.
There are 0 to 99 fee tiers, none by default.

## Validity of prices

How far a market's oracle price may be trusted, from worst to best (PRC-1). A market with recorded marks trusts them.

${table(
  ["validity", "when"],
  VALIDITIES.map((name) => [code(name), VALIDITY_DOCS[name]]),
)}

What each still allows. In a gap (PRC-4) nothing of it is allowed, but post-only orders may rest at a price that is no worse
than stale.

${table(
  ["operation", "", ...VALIDITIES],
  OPERATIONS.map((name) => [
    code(name),
    OPERATION_DOCS[name],
    ...VALIDITY_MATRIX[name].map((allowed) => (allowed ? "yes" : "no")),
  ]),
)}

## Presets

${table(
  ["preset", ""],
  Object.entries(MARKET_PRESET_DOCS).map(([name, doc]) => [code(name), doc]),
)}

What differs from the defaults.

${presets.join("\n")}`;
}
