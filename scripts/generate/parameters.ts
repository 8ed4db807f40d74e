/** Renders `docs/reference/parameters.md` from the tables of market parameters and presets. */
import { LINEAR_TIERS, marketPresets } from "../../src/protocol/marketPresets.ts";
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
  readonly words?: readonly string[];
  readonly initial: string;
  readonly fixed?: true;
  readonly signed?: true;
  readonly doc: string;
}

function describeParameter([name, parameter]: [string, Parameter]): string[] {
  const { kind, words, initial, fixed, signed, doc } = parameter;
  const notes = [
    words === undefined ? "" : `Words: ${words.join(", ")}.`,
    fixed ? "Fixed once the market exists." : "",
    signed ? "May be negative." : "",
  ];
  return [code(name), kind, code(initial), [doc, ...notes].filter((note) => note !== "").join(" ")];
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
  ["kind", "text"],
  Object.entries(KINDS).map(([kind, text]) => [kind, text]),
)}

## Parameters

${table(["name", "kind", "default", "meaning"], Object.entries(marketParameters as Readonly<Record<string, Parameter>>).map(describeParameter))}

## Tiers

${code("tier1")}, ${code("tier2")}, … are \`from initialRate maintenanceRate\`: from which value of a position they hold, in USD, and the two
rates. The first starts at 0; bounds and both rates rise from tier to tier; 0 < maintenance < initial <= 1. An empty text
removes a tier. Requirements are continuous at a bound. By default: ${LINEAR_TIERS.map((tier, at) => `\`tier${at + 1}=${tier}\``).join(", ")}. The
greatest leverage of a market is 1 over the first initial rate.

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

What differs from the defaults.

${presets.join("\n")}`;
}
