import type { Domain } from "../../../protocol/action.ts";
import type { ActionName } from "../../../protocol/actions/index.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import type { Names } from "../../../venue/simulation/accountNames.ts";
import type { Written } from "../../../venue/simulation/restoreVenue.ts";
import type { Fault } from "../faults.ts";
import type { Cell, MapCell, Place } from "../parse/cell.ts";

/** Description of a file, from the file itself. */
export interface ScenarioHead {
  readonly file: string;
  readonly name: string;
  /** First comment of the file, as one text. */
  readonly sentence: string;
  readonly rules: readonly string[];
  readonly tags: readonly string[];
  readonly kind: string | undefined;
  readonly story: string | undefined;
  readonly source: string | undefined;
  readonly defect: string | undefined;
}

/** A file, read and checked: from here on only the venue's behaviour can be wrong. */
export interface Scenario extends ScenarioHead {
  readonly cases: readonly Case[];
  /** Advice found while it was read: labels that nothing uses. */
  readonly advice: readonly Fault[];
}

/** A stored venue that a case continues from. */
export interface CaseStart {
  readonly place: Place;
  readonly snapshot: Uint8Array;
  readonly expect: Cell | undefined;
}

/** How a world is explored: a small alphabet of blocks in every order, from the end of its own blocks. */
export interface ExplorePlan {
  readonly place: Place;
  /** Most blocks of a sequence; in a nightly run. */
  readonly depth: number;
  readonly nightly: number;
  /** Groups of interchangeable accounts. */
  readonly alike: readonly (readonly string[])[];
  /** Names of blocks after which an exploration starts. */
  readonly from: readonly string[];
  /** Invariants that must meet a case. */
  readonly shows: readonly string[];
  readonly alphabet: readonly PlannedBlock[];
}

/** One way to run a scenario. */
export interface Case {
  readonly name: string;
  readonly variant: string | undefined;
  readonly genesis: Genesis;
  /** Where the chain continues from; undefined if it starts at genesis. */
  readonly start: CaseStart | undefined;
  readonly names: Names;
  /** The only market, for actions and expectations that name none. */
  readonly market: string | undefined;
  readonly blocks: readonly PlannedBlock[];
  readonly end: Cell | undefined;
  readonly golden: Cell | undefined;
  /** Of a world. */
  readonly explore: ExplorePlan | undefined;
  readonly disabled: readonly string[];
}

export interface PlannedBlock {
  readonly place: Place;
  /** Its name in reports: its own, or `block 2`. */
  readonly name: string;
  readonly note: string | undefined;
  readonly timeMs: number | undefined;
  readonly afterMs: number;
  /** Forms from which the venue is restarted before it, in turn; empty if it is not restarted. */
  readonly restart: readonly Written[];
  readonly repeat: number;
  /** Oracle updates from `prices`. */
  readonly prices: readonly PlannedStep[];
  /** Market updates from `markets`. */
  readonly markets: readonly PlannedStep[];
  /** Transactions that the file writes, in its order. */
  readonly steps: readonly PlannedStep[];
  readonly expect: Cell | undefined;
  /** The block as a whole is to be refused. */
  readonly refused: boolean;
}

/** A number of the header that may count from the next nonce, the present height or the present time. */
export interface Relative {
  readonly base: number;
  readonly isRelative: boolean;
}

/** A transaction before its labels, its nonce and its block are known. */
export interface PlannedStep {
  readonly place: Place;
  /** Name of an account or of an authority. */
  readonly who: string;
  readonly action: ActionName;
  readonly payload: MapCell;
  readonly labels: readonly string[];
  readonly expect: Cell | undefined;
  /** In words, for messages: `alice: buy 5 BTC-PERP @ 60000`. */
  readonly words: string;
  readonly nonce: Relative | undefined;
  readonly domain: Domain | undefined;
  readonly validFrom: Relative | undefined;
  readonly validUntil: Relative | undefined;
  readonly signer: string | undefined;
  readonly authorization: string | undefined;
  readonly badSignature: boolean;
  readonly network: string | undefined;
  /** Versions of protocol and envelope in the header. */
  readonly version: number | undefined;
  readonly envelope: number | undefined;
  /** Id of the pending transaction that it replaces. */
  readonly replaces: string | undefined;
  readonly clientTxId: string | undefined;
  /** Something in its header is not as it would be by default, so it may not be admissible. */
  readonly isOdd: boolean;
}
