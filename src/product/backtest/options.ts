import type { ParameterTexts } from "../../protocol/parameters.ts";
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
import {
  ACCOUNT_DEFAULTS,
  type AccountOptions,
  readAmount,
  resolveStrategies,
  type StrategyChoice,
  type StrategyOptions,
  type StrategySettings,
} from "./strategyOptions.ts";
import { TRADE_BAR_MS } from "./tradeBars.ts";

export { INTRABAR_ORDERS, type IntrabarOrder };

/** Settings of a run of one strategy. Money and ratios are decimal text, as a user types them. */
export interface BacktestOptions extends VenueOptions, StrategyChoice, AccountOptions {}

/**
 * Settings of a run in which several strategies trade in the same books, each with its own account. Settings of
 * accounts are those of every strategy that has none of its own.
 */
export interface PortfolioOptions extends VenueOptions, AccountOptions {
  readonly strategies: readonly StrategyOptions[];
}

/** Settings of a run that hold for all of its strategies. */
export interface VenueOptions extends ReplayOptions {
  /** Opened by the caller, who closes it. */
  readonly data: EventSource;
  /** The name of each source of the data in the report, in the order of its manifest. Default: its file name. */
  readonly dataNames?: readonly string[];
  /** Half-open range of time. A bar belongs to the moment of its open. */
  readonly fromMs?: number;
  readonly toMs?: number;

  /** Collateral of the insurance fund at the start, USD. Default: 1000000. */
  readonly insurance?: string;
  /** Maker and taker fee as ratios of notional, for example 0.0002. Default: those of the market's preset. */
  readonly fees?: Fees;

  /**
   * Length of the bars that `onBar` gets of a market with trades and no recorded bars, ms; a whole part of a day.
   * Default: 60000.
   */
  readonly barMs?: number;

  /**
   * `needed` makes a block where something can happen: to an order, at a funding time, near a liquidation, or where the
   * strategy asks for it. `all` makes one wherever the data has something. Both give the same fills, payments and
   * equity. Default: `needed`.
   */
  readonly blocks?: BlockSchedule;

  /** Step of prices and of sizes; default: chosen from the data. */
  readonly tick?: string;
  readonly lot?: string;
  /** Further parameters of every market over those of the preset `replay`. */
  readonly parameters?: ParameterTexts;

  /** `verify` signs every transaction and checks the signature; `elide` takes them as signed. Default: `elide`. */
  readonly signatures?: "verify" | "elide";
  /** Path of a block log to write; it appears only when the run is complete. */
  readonly log?: string;
  /**
   * Paths of tables to write: `.csv` or `.parquet`, with the name of the table as the last word of the stem, for
   * example `out/btc-fills.parquet`. Like the log, they appear only when the run is complete.
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
  /** By name. */
  readonly strategies: readonly StrategySettings[];
  readonly insurance: string;
  readonly fees: Fees | undefined;
  readonly barMs: number;
  readonly blocks: BlockSchedule;
  readonly signatures: "verify" | "elide";
  /** Undefined: as the data has it. */
  readonly equityMs: number | undefined;
}

export const DEFAULTS = {
  ...ACCOUNT_DEFAULTS,
  insurance: "1000000",
  ...REPLAY_DEFAULTS,
  blocks: "needed",
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
export function resolveSettings(options: RunOptions): Settings {
  const insurance = options.insurance ?? DEFAULTS.insurance;
  if (readAmount("insurance", insurance) < 0) throw optionError("insurance", "must not be negative");
  const { fromMs, toMs } = options;
  if (fromMs !== undefined && toMs !== undefined && fromMs >= toMs) {
    throw optionError("from", "must be before `to`");
  }
  refuseTwice(options);
  const blocks = options.blocks ?? DEFAULTS.blocks;
  if (!BLOCK_SCHEDULES.includes(blocks)) throw optionError("blocks", `must be one of ${BLOCK_SCHEDULES.join(", ")}`);
  return {
    strategies: resolveStrategies(listStrategies(options), options),
    insurance,
    fees: options.fees,
    barMs: readBarMs(options.barMs),
    ...resolveReplay(options),
    blocks,
    signatures: options.signatures ?? DEFAULTS.signatures,
    equityMs: readEquityMs(options),
  };
}

/** Options that give the value of a parameter of the markets. */
const GIVE_PARAMETERS = [
  ["fees", "makerFee"],
  ["fees", "takerFee"],
  ["tick", "tickSize"],
  ["lot", "lotSize"],
] as const;

/** Refuses an option and a parameter of the markets for the same value: one of them would be dropped. */
function refuseTwice(options: RunOptions): void {
  const { parameters = {} } = options;
  for (const [option, parameter] of GIVE_PARAMETERS) {
    if (options[option] === undefined || parameters[parameter] === undefined) continue;
    throw optionError(option, `and the market parameter ${parameter} are both given`, "leave one of them out");
  }
}

/** Options of a run of either form, without its data. */
export type RunOptions = Omit<BacktestOptions, "data"> | Omit<PortfolioOptions, "data">;

/** The strategies of a run, as they were given: a run of one strategy is a list of one. */
export function listStrategies(options: RunOptions): readonly StrategyOptions[] {
  const { strategy, params, strategies } = options as Partial<BacktestOptions & PortfolioOptions>;
  if (strategies === undefined) {
    if (strategy === undefined) throw optionError("strategy", "is missing");
    return [params === undefined ? { strategy } : { strategy, params }];
  }
  if (strategy !== undefined) throw optionError("strategies", "go without `strategy`: add that one to the list");
  if (params !== undefined) throw optionError("params", "belong to one of the strategies of the list");
  return strategies;
}

/** Checks the names of the tables with it: whether one of them is the table that the interval is for. */
function readEquityMs({ tables = [], equityMs }: RunOptions): number | undefined {
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
