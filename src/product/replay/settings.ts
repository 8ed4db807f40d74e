import { scanDecimal } from "../../ground/math/decimal.ts";
import { PPM, type Ppm } from "../../ground/math/fixed.ts";
import { INTRABAR_ORDERS, type IntrabarOrder } from "../market-data/stream/barPath.ts";
import { QUEUE_MODELS, type QueueModel, readQueueModel } from "./book/queueModel.ts";
import { ReplayError } from "./errors.ts";

/** How history is placed in the venue. Ratios are decimal text, as a user types them. */
export interface ReplayOptions {
  /** Trades: time that a block gathers. Default: 1000. */
  readonly blockMs?: number;
  /** Distance between the house's best bid and ask, in ticks. Default: 1. */
  readonly spreadTicks?: number;
  /** Bars: share of the volume that the house offers, over the four points of the path. Default: 0.1. */
  readonly participation?: string;
  /** Bars: ticks between one quarter of a point's depth and the next. Default: 1. */
  readonly impactTicks?: number;
  /** Bars: which extreme comes first. Default: `nearest` to the open. */
  readonly intrabar?: IntrabarOrder;
  /**
   * Order books: where a decrease comes from that no trade explains, as an order at its price sees it: `behind`,
   * `proportional`, `log`, or `power(n)` with a whole n from 1 to 9. Default: `behind`.
   */
  readonly queue?: string;
}

/** The options checked, with defaults, in integers. */
export interface ReplaySettings {
  readonly blockMs: number;
  readonly spreadTicks: number;
  readonly participation: Ppm;
  readonly impactTicks: number;
  readonly intrabar: IntrabarOrder;
  readonly queue: QueueModel;
}

export const REPLAY_DEFAULTS = {
  blockMs: 1_000,
  spreadTicks: 1,
  participation: "0.1",
  impactTicks: 1,
  intrabar: "nearest",
  queue: "behind",
} as const;

/** @throws {ReplayError} OPTION_INVALID */
export function resolveReplay(options: ReplayOptions = {}): ReplaySettings {
  const participation = readRatio("participation", options.participation ?? REPLAY_DEFAULTS.participation);
  if (participation < 0 || participation > PPM) throw optionError("participation", "must be from 0 to 1");
  const intrabar = options.intrabar ?? REPLAY_DEFAULTS.intrabar;
  if (!INTRABAR_ORDERS.includes(intrabar)) {
    throw optionError("intrabar", `must be one of ${INTRABAR_ORDERS.join(", ")}`);
  }
  return {
    blockMs: readWhole("block", options.blockMs ?? REPLAY_DEFAULTS.blockMs, 1, 86_400_000),
    spreadTicks: readWhole("spread", options.spreadTicks ?? REPLAY_DEFAULTS.spreadTicks, 1, 1_000_000),
    participation,
    impactTicks: readWhole("impact", options.impactTicks ?? REPLAY_DEFAULTS.impactTicks, 0, 1_000_000),
    intrabar,
    queue: readQueue(options.queue ?? REPLAY_DEFAULTS.queue),
  };
}

/** Fees as ratios of value. */
export interface Fees {
  readonly maker: string;
  readonly taker: string;
}

/**
 * Reads fees as one text: `none`, one ratio for both (`0.0005`), or `maker/taker` (`0.0002/0.0005`).
 *
 * @throws {ReplayError} OPTION_INVALID
 */
export function readFees(text: string): Fees {
  const [maker, taker, ...rest] = text === "none" ? ["0"] : text.split("/");
  const fees = { maker: maker!, taker: taker ?? maker! };
  if (rest.length > 0) throw optionError("fees", "must be none, one ratio, or maker/taker");
  for (const ratio of [fees.maker, fees.taker]) readRatio("fees", ratio);
  return fees;
}

/** @throws {ReplayError} OPTION_INVALID */
function readQueue(text: string): QueueModel {
  const model = typeof text === "string" ? readQueueModel(text) : undefined;
  if (model !== undefined) return model;
  const names = QUEUE_MODELS.join(", ");
  throw optionError("queue", `must be one of ${names}, not ${JSON.stringify(text)}`, "n is a whole number from 1 to 9");
}

/** @throws {ReplayError} OPTION_INVALID */
function readRatio(option: string, text: string): Ppm {
  const value = scanDecimal(text, 6);
  if (typeof value === "number") return value as Ppm;
  throw optionError(option, `${JSON.stringify(text)} is not a ratio with at most 6 decimals, such as 0.0005`);
}

/** @throws {ReplayError} OPTION_INVALID */
export function readWhole(option: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw optionError(option, `must be a whole number from ${least} to ${most}, not ${value}`);
}

export function optionError(option: string, reason: string, hint = "see --help for the option"): ReplayError {
  return new ReplayError("OPTION_INVALID", `${option} ${reason}`, { place: option, hint });
}
