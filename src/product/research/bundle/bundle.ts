import type { ParamValue } from "../../../client/strategy/params.ts";
import type { RunOptions } from "../runs/job.ts";

/** Raised when a reader of older bundles would take a new one for something else. */
export const BUNDLE_VERSION = 1;

/** What a bundle says of its run, as JSON. The blocks and the tape follow it, see `format.ts`. */
export interface BundleHeader {
  readonly format: "perplab-bundle";
  readonly version: typeof BUNDLE_VERSION;
  readonly versions: BundleVersions;
  readonly strategy: BundledStrategy;
  /** Every parameter, defaults included. */
  readonly params: Readonly<Record<string, ParamValue>>;
  readonly options: RunOptions;
  readonly data: BundledData;
  readonly result: BundledResult;
}

export interface BundleVersions {
  readonly perplab: string;
  readonly protocol: string;
  /** SHA-256 of perplab's own code, see `hashCode`: clone and package differ. */
  readonly code: string;
}

/** An example by its name, or the files of a strategy of the user's. */
export interface BundledStrategy {
  readonly id: string;
  readonly example: string | null;
  /** Path of the module among `files`; null for an example. */
  readonly entry: string | null;
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

/** What the run gave, to be proved by making it again. */
export interface BundledResult {
  readonly root: string;
  readonly head: string;
  readonly blocks: number;
  readonly transactions: number;
  /** Equity at the end, USD. */
  readonly finalEquity: string;
}
