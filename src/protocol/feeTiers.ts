import { scanDecimal } from "../ground/math/decimal.ts";
import { type Amount, PPM, type Ppm } from "../ground/math/fixed.ts";
import type { ParameterFault } from "./parameterFault.ts";

/** Fees of a market for owners from a volume on (ORD-7). */
export interface FeeTier {
  /** Notional that the owner traded in the 30 UTC days before this one. */
  readonly from: Amount;
  readonly takerFee: Ppm;
  readonly makerFee: Ppm;
}

/** Name of a fee tier's parameter: `feeTier1`, `feeTier2`, … */
export const FEE_TIER_NAME = /^feeTier[1-9][0-9]?$/;

/** The highest number of a text that is not empty, of names such as `tier1`, `tier2`; 0 where there is none. */
export function countPlaces(texts: Readonly<Record<string, string>>, prefix: string): number {
  let most = 0;
  for (const name in texts) {
    if (!name.startsWith(prefix) || texts[name] === "") continue;
    most = Math.max(most, Number(name.slice(prefix.length)));
  }
  return most;
}

/**
 * Reads fee tiers, "volume takerFee makerFee" each. Below the first tier the market's own fees apply.
 *
 * @param lines receives every tier unchanged, for the market's definition
 */
export function readFeeTiers(
  texts: Readonly<Record<string, string>>,
  lines: string[],
): { feeTiers: readonly FeeTier[] } | ParameterFault {
  const feeTiers: FeeTier[] = [];
  let ended = false;
  const places = countPlaces(texts, "feeTier");
  for (let place = 1; place <= places; place++) {
    const name = `feeTier${place}`;
    const text = texts[name] ?? "";
    if (text === "") {
      ended = true;
      continue;
    }
    if (ended) return { parameter: name, reason: `feeTier${place - 1} is missing` };
    const [volume, taker, maker, ...rest] = text.split(" ");
    const from = scanDecimal(volume ?? "", 6);
    const takerFee = scanDecimal(taker ?? "", 6);
    const makerFee = scanDecimal(maker ?? "", 6);
    if (typeof from === "string" || typeof takerFee === "string" || typeof makerFee === "string" || rest.length > 0) {
      return { parameter: name, reason: 'must be "volume takerFee makerFee", for example "1000000 0.0004 0.0001"' };
    }
    if (from <= (feeTiers.at(-1)?.from ?? 0)) return { parameter: name, reason: "volumes must be above 0 and rise" };
    if (takerFee < 0 || takerFee >= PPM || Math.abs(makerFee) >= PPM) {
      return { parameter: name, reason: "a fee must be below 1, and a taker fee not negative" };
    }
    feeTiers.push({ from: from as Amount, takerFee: takerFee as Ppm, makerFee: makerFee as Ppm });
    lines.push(`${name}=${text}`);
  }
  return { feeTiers };
}
