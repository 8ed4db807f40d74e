import { type Fees, REPLAY_DEFAULTS } from "../../../replay/settings.ts";
import { formatExact, readExact, roundTo } from "../grid/exactDecimal.ts";
import type { AxisValue } from "../grid/grid.ts";

/** Assumptions that a sensitivity varies, since a market may not keep them. */
export const SENSITIVITIES = ["latency", "feed-latency", "receipt-latency", "fees", "participation"] as const;
export type SensitivityName = (typeof SENSITIVITIES)[number];

/** The latencies among them, and the option of a run that each one is. */
export const LATENCY_OPTIONS = {
  latency: "latencyMs",
  "feed-latency": "feedLatencyMs",
  "receipt-latency": "receiptLatencyMs",
} as const;
export type LatencyName = keyof typeof LATENCY_OPTIONS;

export const isLatencyName = (name: SensitivityName): name is LatencyName => Object.hasOwn(LATENCY_OPTIONS, name);

/** An assumption of the run, and the values that are tried in its place. */
export interface Preset {
  readonly name: SensitivityName;
  /** As `--grid` takes them; from the kindest to the harshest. */
  readonly values: readonly string[];
  /** The value of the run, which is one of them. */
  readonly base: string;
  /** What each value changes, where that is not the same for all accounts. */
  readonly axis?: readonly AxisValue[];
}

/** Assumptions of the run other than its latencies. */
export interface Assumptions {
  readonly fees: Fees;
  readonly participation: string | undefined;
}

/** Latency in ms for a run with none: no factor changes 0. */
const LATENCIES = ["100", "200", "500", "1000", "5000"];
const LATENCY_FACTORS = ["0", "1", "2", "5", "10", "50"];
/** Of a fee; a rebate shrinks as fees grow, and ends at 0. */
const FEE_FACTORS = ["0", "0.5", "1", "1.5", "2", "3"];
const PARTICIPATION_FACTORS = ["2", "1", "0.5", "0.25", "0.1", "0.02"];
const RATIO_DECIMALS = 6;

/** The values that are tried for one assumption. */
export function createPreset(name: Exclude<SensitivityName, LatencyName>, given: Assumptions): Preset {
  switch (name) {
    case "fees": {
      const base = `${given.fees.maker}/${given.fees.taker}`;
      const values = FEE_FACTORS.map((factor) => scaleFees(given.fees, factor));
      return { name, values: unique(values), base };
    }
    case "participation": {
      const base = plain(given.participation ?? REPLAY_DEFAULTS.participation);
      const values = PARTICIPATION_FACTORS.map((factor) => {
        const scaled = multiply(base, factor, RATIO_DECIMALS);
        return Number(scaled) > 1 ? "1" : scaled;
      });
      return { name, values: unique(values), base };
    }
  }
}

/**
 * The values that are tried for a latency.
 *
 * @param latencies that of each account, ms. Where they differ, each account has its own times a factor
 */
export function createLatencyPreset(name: LatencyName, latencies: ReadonlyMap<string, number>): Preset {
  const [base = 0, ...others] = new Set(latencies.values());
  if (others.length > 0) return multiplyEach(name, latencies);
  const multiples = LATENCY_FACTORS.map((factor) => multiply(String(base), factor, 0));
  return { name, values: base === 0 ? ["0", ...LATENCIES] : unique(multiples), base: String(base) };
}

function multiplyEach(name: LatencyName, latencies: ReadonlyMap<string, number>): Preset {
  const axis = LATENCY_FACTORS.map((factor): AxisValue => {
    const each = [...latencies]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([account, own]) => [account, { [LATENCY_OPTIONS[name]]: own * Number(factor) }] as const);
    return { text: `${factor}x`, value: `${factor}x`, each: Object.fromEntries(each) };
  });
  return { name, values: axis.map(({ text }) => text), base: "1x", axis };
}

/** A market refuses a rebate above the taker fee. */
function scaleFees({ maker, taker }: Fees, factor: string): string {
  const [own, paid] = [scaleFee(maker, factor), scaleFee(taker, factor)];
  const rebate = Number(own) < 0 && Number(paid) >= 0 && -Number(own) > Number(paid);
  return `${rebate ? (paid === "0" ? "0" : `-${paid}`) : own}/${paid}`;
}

/** A rebate of 0.0001 at twice the fees is none: costs never fall as the factor grows. */
function scaleFee(fee: string, factor: string): string {
  if (factor === "1" || !fee.startsWith("-")) return factor === "1" ? fee : multiply(fee, factor, RATIO_DECIMALS);
  return Number(factor) >= 2 ? "0" : multiply(fee, formatExact(twoLess(factor)), RATIO_DECIMALS);
}

/** 2 less a factor: a rebate is 2, 1.5, 1, 0.5 and 0 times itself at 0, 0.5, 1, 1.5 and 2 times the fees. */
function twoLess(factor: string) {
  const { digits, scale } = readExact(factor)!;
  return { digits: 2n * 10n ** BigInt(scale) - digits, scale };
}

function multiply(text: string, factor: string, places: number): string {
  const [a, b] = [readExact(text)!, readExact(factor)!];
  return formatExact(roundTo({ digits: a.digits * b.digits, scale: a.scale + b.scale }, places));
}

const plain = (text: string) => formatExact(readExact(text)!);
const unique = (values: readonly string[]) => [...new Set(values)];
