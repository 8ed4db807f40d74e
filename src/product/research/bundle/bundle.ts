import type { ParamValue } from "../../../client/strategy/params.ts";
import type { AccountOptions } from "../../backtest/strategyOptions.ts";
import type { RunOptions } from "../runs/job.ts";

/**
 * Of the form of a bundle: a run of one strategy, or of several. A reader refuses the versions that it does not know.
 */
export const BUNDLE_VERSION = { one: 1, several: 2 } as const;

/** The facts of a bundle's run, as JSON. The blocks and the tape follow it, see `format.ts`. */
export type BundleHeader = SingleBundleHeader | PortfolioBundleHeader;

interface AnyBundleHeader {
  readonly format: "perplab-bundle";
  readonly versions: BundleVersions;
  readonly options: RunOptions;
  readonly data: BundledData;
  readonly result: BundledResult;
}

export interface SingleBundleHeader extends AnyBundleHeader {
  readonly version: typeof BUNDLE_VERSION.one;
  readonly strategy: BundledStrategy;
  /** Every parameter, defaults included. */
  readonly params: Readonly<Record<string, ParamValue>>;
}

export interface PortfolioBundleHeader extends AnyBundleHeader {
  readonly version: typeof BUNDLE_VERSION.several;
  readonly code: BundledCode;
  /** By name. */
  readonly strategies: readonly BundledEntry[];
}

/** One strategy of several. */
export interface BundledEntry extends StrategyModule {
  readonly name: string;
  /** Every parameter, defaults included. */
  readonly params: Readonly<Record<string, ParamValue>>;
  /** All settings of its account. */
  readonly account: AccountOptions;
}

export interface BundleVersions {
  readonly perplab: string;
  readonly protocol: string;
  /** SHA-256 of perplab's own code, see `hashCode`: clone and package differ. */
  readonly code: string;
}

/** A strategy with its code. */
export interface BundledStrategy extends StrategyModule, BundledCode {}

/** An example by its name, or a module of the user's. */
export interface StrategyModule {
  readonly id: string;
  readonly example: string | null;
  /** Path of the module among the files of the bundle; null for an example. */
  readonly entry: string | null;
}

/** Files of the user's. */
export interface BundledCode {
  /** By path below the folder that all of them share. */
  readonly files: Readonly<Record<string, string>>;
  /** Packages that the files import, as `name@version`. */
  readonly packages: readonly string[];
}

export interface BundledData {
  /** Whether the tape is in the bundle. */
  readonly included: boolean;
  /** SHA-256 of the tape's index, which has the hash of every chunk. */
  readonly hash: string;
  /** Names of the files, for a reader. */
  readonly names: readonly string[];
}

/** The results of the run, to be proved by making it again. */
export interface BundledResult {
  readonly root: string;
  readonly head: string;
  readonly blocks: number;
  readonly transactions: number;
  /** Equity at the end, USD. */
  readonly finalEquity: string;
}
