import type { PrivateKey } from "../../client/signing/sign.ts";
import type { Authority } from "../../protocol/action.ts";
import type { Genesis } from "../../protocol/genesis.ts";
import type { State } from "../../venue/engine/state/state.ts";
import type { Observer } from "../../venue/simulation/observer.ts";
import type { PoolOptions } from "../../venue/simulation/pool/pendingPool.ts";
import type { BuilderPolicy } from "../../venue/simulation/pool/policy.ts";
import type { SigningKit } from "./signingKit.ts";
import type { TimeMode } from "./virtualTime.ts";

/**
 * When blocks are made: `auto` as soon as a transaction can enter one, `interval` by the clock, even empty ones,
 * `manual` only by `mine`, `batch` when `size` transactions can enter one.
 */
export type BlockMode =
  | { readonly mode: "auto" }
  | { readonly mode: "interval"; readonly everyMs: number }
  | { readonly mode: "manual" }
  | { readonly mode: "batch"; readonly size: number };

export interface HostOptions {
  readonly genesis: Genesis;
  /**
   * Starts with this venue, for example from `readDump`. Its genesis applies, and the host owns it from then on. The
   * host's epoch is above its epoch, since clients of the old chain have not seen this one.
   */
  readonly from?: { readonly state: State; readonly epoch: number };
  /** First epoch of a chain in memory, a whole number from 0; with `from`, the increase of its epoch. Default: 0. */
  readonly epoch?: number;
  /** Default: `auto`. */
  readonly blocks?: BlockMode;
  /** Default: by the clock. */
  readonly time?: TimeMode;
  /** Order within blocks. Default: `cancels-first`. */
  readonly policy?: BuilderPolicy;
  /** Most transactions of a block. Default: 5,000. */
  readonly blockMost?: number;
  /** Most order operations of a block, and again as many of the risk domain (BLK). Default: 10,000. */
  readonly operationsMost?: number;
  readonly pool?: PoolOptions;
  /** Keys that sign system transactions. Default: none, so `submitSystem` refuses. */
  readonly authorityKeys?: Readonly<Partial<Record<Authority, PrivateKey>>>;
  /** Heights between two state roots of blocks. Default: 1,000. */
  readonly rootEvery?: number;
  /** Fewest blocks that are kept, with their transactions. Default: 100,000. */
  readonly keepBlocks?: number;
  /** How long a key is kept after its transaction, in ms of the clock. Default: 24 h. */
  readonly keyMs?: number;
  /** Milliseconds since 1970. Default: the machine's. */
  readonly clock?: () => number;
  /** Default: the one that is available at once. `loadSigningKit` loads a faster one. */
  readonly signing?: SigningKit;
  /** Observers of every block as the engine returns it, before all listeners. */
  readonly observers?: readonly Observer[];
}

export const BLOCK_MOST = 5_000;
export const KEEP_BLOCKS = 100_000;
export const ROOT_EVERY = 1_000;
export const KEY_MS = 24 * 60 * 60 * 1000;
/** Blocks for which a key outlives the last height of its transaction. */
export const KEY_BLOCKS = 1_000;
