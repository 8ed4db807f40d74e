import type { MarginMode } from "../../client/strategy/context.ts";
import type { ParamValue } from "../../client/strategy/params.ts";
import { resolveParams } from "../../client/strategy/params.ts";
import type { AnyStrategy } from "../../client/strategy/strategy.ts";
import { scanDecimal } from "../../ground/math/decimal.ts";
import { AMOUNT_DECIMALS, type Amount } from "../../ground/math/fixed.ts";
import type { ParameterTexts } from "../../protocol/parameters.ts";
import { MARGIN_MODE } from "../../protocol/words.ts";
import { INTRABAR_ORDERS, type IntrabarOrder } from "../market-data/stream/barPath.ts";
import type { EventSource } from "../market-data/types.ts";
import {
  type Fees,
  optionError,
  REPLAY_DEFAULTS,
  type ReplayOptions,
  type ReplaySettings,
  readFees,
  readWhole,
  resolveReplay,
} from "../replay/settings.ts";
import { BacktestError, toBacktestError } from "./errors.ts";
import { readExportName } from "./exports/exportName.ts";
import { TRADE_BAR_MS } from "./tradeBars.ts";

export { INTRABAR_ORDERS, type IntrabarOrder };

/** Settings of a run. Money and ratios are decimal text, as a user types them. */
export interface BacktestOptions extends ReplayOptions {
  readonly strategy: AnyStrategy;
  /** Over the strategy's defaults. Texts of the command line go through `parseParams` first. */
  readonly params?: Readonly<Record<string, ParamValue>>;
  /** Opened by the caller, who closes it. */
  readonly data: EventSource;
  /** What each source of the data is called in the report, in the order of its manifest. Default: its file name. */
  readonly dataNames?: readonly string[];
  /** Half-open range of time. A bar belongs to the moment of its open. */
  readonly fromMs?: number;
  readonly toMs?: number;

  /** Collateral of the strategy's account at the start, USD. Default: 10000. */
  readonly deposit?: string;
  /** Collateral of the insurance fund at the start, USD. Default: 1000000. */
  readonly insurance?: string;
  /** Whole multiple that the account chooses in every market. Default: 1. */
  readonly leverage?: number;
  /**
   * `isolated` backs each position by collateral of its own: it moves from the account with every opening fill, and a
   * liquidation takes no more. Default: `cross`.
   */
  readonly margin?: MarginMode;
  /** Maker and taker fee as ratios of notional, for example 0.0002. Default: those of the market's preset. */
  readonly fees?: Fees;
  /** From sending a transaction to the earliest block that may carry it. Default: 100. */
  readonly latencyMs?: number;

  /**
   * Length of the bars that `onBar` gets of a market with trades and no recorded bars, ms; a whole part of a day.
   * Default: 60000.
   */
  readonly barMs?: number;

  /**
   * `needed` makes a block where something can happen: to an order, at a funding time, near a liquidation, or where the
   * strategy asks for it. `all` makes one wherever the data has something. Both give the same fills, payments and equity.
   * Default: `needed`.
   */
  readonly blocks?: BlockSchedule;

  /** Step of prices and of sizes; default: chosen from the data. */
  readonly tick?: string;
  readonly lot?: string;
  /** Further parameters of every market over those of the preset `replay`. */
  readonly parameters?: ParameterTexts;

  /** Default: `1`. */
  readonly seed?: string;
  /** `verify` signs every transaction and checks the signature; `elide` takes them as signed. Default: `elide`. */
  readonly signatures?: "verify" | "elide";
  /** Path of a block log to write; it appears only when the run is complete. */
  readonly log?: string;
  /**
   * Paths of tables to write: `.csv` or `.parquet`, with the name of the table as the last word of the stem, for example
   * `out/btc-fills.parquet`. Like the log, they appear only when the run is complete.
   */
  readonly tables?: readonly string[];
  /** Time between two rows of the table `equity`, ms, from 1000. Default: the shortest bar of the run. */
  readonly equityMs?: number;
  /** The command that makes this report again. Default: one built from the options. */
  readonly command?: string;
  readonly onProgress?: (progress: BacktestProgress) => void;
}

/** Where a run makes blocks. */
export const BLOCK_SCHEDULES = ["needed", "all"] as const;
export type BlockSchedule = (typeof BLOCK_SCHEDULES)[number];

/** How far a run is. */
export interface BacktestProgress {
  readonly eventsDone: number;
  /** Of the whole source, also where only a range of it is replayed. */
  readonly eventsTotal: number;
  readonly timeMs: number;
  readonly blocks: number;
}

/** Options as the run uses them: checked, with defaults, in integers. */
export interface Settings extends ReplaySettings {
  readonly strategy: AnyStrategy;
  readonly params: Readonly<Record<string, ParamValue>>;
  readonly deposit: Amount;
  readonly insurance: string;
  readonly leverage: number;
  readonly margin: MarginMode;
  readonly fees: Fees | undefined;
  readonly latencyMs: number;
  readonly barMs: number;
  readonly blocks: BlockSchedule;
  readonly seed: string;
  readonly signatures: "verify" | "elide";
  /** Undefined: as the data has it. */
  readonly equityMs: number | undefined;
}

export const DEFAULTS = {
  deposit: "10000",
  insurance: "1000000",
  leverage: 1,
  margin: "cross",
  latencyMs: 100,
  ...REPLAY_DEFAULTS,
  blocks: "needed",
  seed: "1",
  signatures: "elide",
} as const;

const DAY_MS = 86_400_000;

/**
 * Checks the options of a run and fills in the defaults.
 *
 * @throws {ReplayError} OPTION_INVALID
 * @throws {BacktestError} TABLE_UNKNOWN
 * @throws {StrategyError} PARAM_UNKNOWN, PARAM_INVALID
 */
export function resolveSettings(options: Omit<BacktestOptions, "data">): Settings {
  const { strategy } = options;
  const deposit = readAmount("deposit", options.deposit ?? DEFAULTS.deposit);
  if (deposit <= 0) throw optionError("deposit", "must be positive");
  const insurance = options.insurance ?? DEFAULTS.insurance;
  if (readAmount("insurance", insurance) < 0) throw optionError("insurance", "must not be negative");
  const seed = options.seed ?? DEFAULTS.seed;
  if (seed === "" || seed.length > 64) throw optionError("seed", "must be a text of 1 to 64 characters");
  const { fromMs, toMs } = options;
  if (fromMs !== undefined && toMs !== undefined && fromMs >= toMs) {
    throw optionError("from", "must be before `to`");
  }
  const blocks = options.blocks ?? DEFAULTS.blocks;
  if (!BLOCK_SCHEDULES.includes(blocks)) throw optionError("blocks", `must be one of ${BLOCK_SCHEDULES.join(", ")}`);
  return {
    strategy,
    params: resolveParams(strategy.params, options.params) as Settings["params"],
    deposit,
    insurance,
    leverage: readWhole("leverage", options.leverage ?? DEFAULTS.leverage, 1, 1_000),
    margin: readMargin(options.margin ?? DEFAULTS.margin),
    fees: options.fees,
    latencyMs: readWhole("latency", options.latencyMs ?? DEFAULTS.latencyMs, 0, 86_400_000),
    barMs: readBarMs(options.barMs),
    ...resolveReplay(options),
    blocks,
    seed,
    signatures: options.signatures ?? DEFAULTS.signatures,
    equityMs: readEquityMs(options),
  };
}

function readMargin(margin: MarginMode): MarginMode {
  if (Object.hasOwn(MARGIN_MODE, margin)) return margin;
  throw optionError("margin", `there is no margin mode ${JSON.stringify(margin)}; give cross or isolated`);
}

/** Checks the names of the tables with it: whether one of them is the table that the interval is for. */
function readEquityMs({ tables = [], equityMs }: Omit<BacktestOptions, "data">): number | undefined {
  const names = tables.map(readExportName);
  if (equityMs === undefined) return undefined;
  if (!names.includes("equity")) {
    throw new BacktestError("OPTION_INVALID", "no table equity is written", {
      place: "equity-interval",
      hint: "leave the option out, or write a file such as equity.csv",
    });
  }
  return readWhole("equity-interval", equityMs, 1_000, 366 * DAY_MS);
}

function readBarMs(barMs: number | undefined): number {
  const length = readWhole("bars", barMs ?? TRADE_BAR_MS, 1, DAY_MS);
  if (DAY_MS % length === 0) return length;
  throw optionError("bars", `${length} ms is not a whole part of a day`);
}

/**
 * Reads fees as one text: `none`, one ratio for both (`0.0005`), or `maker/taker` (`0.0002/0.0005`).
 *
 * @throws {BacktestError} OPTION_INVALID
 */
export function parseFees(text: string): Fees {
  try {
    return readFees(text);
  } catch (error) {
    throw toBacktestError(error);
  }
}

function readAmount(option: string, text: string): Amount {
  const value = scanDecimal(text, AMOUNT_DECIMALS);
  if (typeof value === "number") return value as Amount;
  if (value === "range") throw optionError(option, `${JSON.stringify(text)} is too large, at most 9,000,000,000 USD`);
  throw optionError(
    option,
    `${JSON.stringify(text)} is not an amount in USD with at most ${AMOUNT_DECIMALS} decimals`,
    "write it as 1000 or 0.5",
  );
}
