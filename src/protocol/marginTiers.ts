import { formatDecimal, scanDecimal } from "../ground/math/decimal.ts";
import { type Amount, bigDivCeil, gcd, LIMIT, mulDivFloor, PPM, type Ppm } from "../ground/math/fixed.ts";
import { countPlaces } from "./feeTiers.ts";
import type { ParameterFault } from "./parameterFault.ts";

/** Margin rates of a market from a notional on (MRG-1). */
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

/** Name of a margin tier's parameter: `tier1`, `tier2`, … */
export const MARGIN_TIER_NAME = /^tier[1-9][0-9]?$/;

/** The greatest amount, as text. */
const AMOUNT_TEXT = formatDecimal(LIMIT, 6);

/**
 * Reads margin tiers, "from initialRate maintenanceRate" each, of which there is at least one.
 *
 * @param lines receives every tier unchanged, for the market's definition
 */
export function readMarginTiers(
  texts: Readonly<Record<string, string>>,
  lines: string[],
  isStepped: boolean,
): { tiers: readonly Tier[] } | ParameterFault {
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
