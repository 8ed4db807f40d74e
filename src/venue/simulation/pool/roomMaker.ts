import type { Address, Bytes32 } from "../../../protocol/fields.ts";
import type { State } from "../../engine/state/state.ts";
import { type Distance, isWaiting, measureLane } from "./distance.ts";
import { compareRanked, type Parties, type Ranked, rankForEviction } from "./eviction.ts";
import { type Lane, laneOf, type Pending } from "./lanes.ts";
import type { Occupancy } from "./occupancy.ts";
import { type Group, ROOMS, type Room, stakeOf } from "./rooms.ts";

/** How many transactions may be pending. System transactions count in their lane alone. */
export interface PoolOptions {
  /** Most pending transactions, those of the risk domain and of authorities not counted. Default: 50,000. */
  readonly most?: number;
  /** Room that is kept for the risk domain: most pending transactions of it. Default: 10,000. */
  readonly riskMost?: number;
  /** Most of one owner outside the risk domain, over all its subaccounts and agents. Default: 1,024. */
  readonly ownersMost?: number;
  /** Most of one owner in the risk domain. Default: 256. */
  readonly ownersRiskMost?: number;
  /** Most pending transactions of one lane. Default: 256. */
  readonly lanesMost?: number;
}

type Bounds = Required<PoolOptions>;

export function completeBounds(options: PoolOptions): Bounds {
  const { most = 50_000, riskMost = 10_000, ownersMost = 1_024, ownersRiskMost = 256, lanesMost = 256 } = options;
  return { most, riskMost, ownersMost, ownersRiskMost, lanesMost };
}

/** What has to happen before a transaction that was inserted may stay. */
type Made =
  | { readonly code: undefined; readonly victim: Pending | undefined }
  | { readonly code: "LANE_FULL" | "OWNER_FULL" | "POOL_FULL"; readonly waitingHelps: boolean };

const FITS: Made = { code: undefined, victim: undefined };

/** Victims of a full room that are kept after a ranking; ranking a room costs time in proportion to what is pending. */
const VICTIMS_KEPT = 1_024;
/** A ranking is done again when one part in so many of the room has come in since. */
const RANKINGS = 64;

/** Among the transactions of one owner: its own signature and each agent's have equal shares. */
const SIGNERS: Parties = { partyOf: ({ transaction }) => transaction.header.signer, stakeOf: () => 1 };

/** Decides who gives way in a pool that is full: in a lane, among one owner's lanes, or in a room. */
export class RoomMaker {
  readonly #occupancy: Occupancy;
  readonly #bounds: Bounds;
  /** Of each full room, the first to give way last. Checked again when used. */
  readonly #victims = new Map<Room, Ranked[]>();
  /** Of each room, transactions that have come in since its last ranking without an eviction. */
  readonly #added = new Map<Room, number>(ROOMS.map((room) => [room, 0]));
  /** Ids that must not be evicted. */
  held: ReadonlySet<Bytes32> = new Set();

  constructor(occupancy: Occupancy, bounds: Bounds) {
    this.#occupancy = occupancy;
    this.#bounds = bounds;
  }

  /** Whether a transaction that was just inserted fits, which one gives way to it, or why it gives way itself. */
  makeRoomFor(state: State, newcomer: Pending): Made {
    const lane = this.#occupancy.laneOf(newcomer);
    const group = this.#occupancy.groupOf(lane);
    const { lanesMost } = this.#bounds;
    if (lane.size > lanesMost) {
      const measured = measureLane(state, lane);
      return this.#decide("LANE_FULL", newcomer, measured.toReversed(), measured[0]!.nonces === 0);
    }
    if (group.size > this.#ownersMost(group.room)) {
      const measured = this.#measureGroup(state, group);
      const ranked = rankForEviction(measured, SIGNERS);
      const helps = measured.some(({ pending, nonces }) => pending !== newcomer && nonces === 0);
      return this.#decide("OWNER_FULL", newcomer, ranked, helps);
    }
    if (this.#occupancy.sizeOf(group.room) <= this.#roomMost(group.room)) {
      this.#added.set(group.room, this.#added.get(group.room)! + 1);
      return FITS;
    }
    return this.#makeRoom(state, group, newcomer);
  }

  /** What exceeds the bounds, lane by lane, owner by owner, room by room. */
  *listExcess(state: State): Generator<Pending> {
    const { lanesMost } = this.#bounds;
    for (const lane of [...this.#occupancy.lanes()]) {
      if (lane.size > lanesMost) yield* lane.inOrder().slice(lanesMost);
    }
    for (const group of [...this.#occupancy.groups()]) {
      const excess = group.size - this.#ownersMost(group.room);
      if (excess > 0) yield* pendingOf(rankForEviction(this.#measureGroup(state, group), SIGNERS).slice(0, excess));
    }
    for (const room of ROOMS) {
      const excess = this.#occupancy.sizeOf(room) - this.#roomMost(room);
      if (excess > 0) yield* pendingOf(this.#rankRoom(state, room).slice(0, excess));
    }
  }

  #decide(code: "LANE_FULL" | "OWNER_FULL", newcomer: Pending, ranked: readonly Distance[], helps: boolean): Made {
    const victim = ranked.find(({ pending }) => !this.held.has(pending.id))?.pending;
    if (victim === undefined || victim === newcomer) return { code, waitingHelps: helps };
    return { code: undefined, victim };
  }

  #makeRoom(state: State, group: Group, newcomer: Pending): Made {
    const { room } = group;
    const own = rankForEviction(this.#measureGroup(state, group), ownersOf(state));
    const ranked = own.find(({ pending }) => pending === newcomer)!;
    const refusal: Made = { code: "POOL_FULL", waitingHelps: ranked.nonces === 0 };
    let victims = this.#victims.get(room) ?? [];
    let isFresh = false;
    for (;;) {
      const candidate = victims.at(-1);
      const victim = candidate === undefined ? undefined : this.#findVictim(state, candidate, newcomer);
      if (candidate !== undefined && victim === undefined) {
        victims.pop();
      } else if (victim !== undefined && compareRanked(candidate!, ranked) < 0) {
        victims.pop();
        return { code: undefined, victim };
      } else {
        const isOld = this.#added.get(room)! >= this.#roomMost(room) / RANKINGS;
        if (isFresh || (candidate !== undefined && !isOld)) return refusal;
        isFresh = true;
        victims = this.#rankRoom(state, room).slice(0, VICTIMS_KEPT).reverse();
        this.#victims.set(room, victims);
        this.#added.set(room, 0);
      }
    }
  }

  /** The last transaction of the candidate's lane; undefined where the candidate is no longer what it was ranked as. */
  #findVictim(state: State, candidate: Ranked, newcomer: Pending): Pending | undefined {
    const { pending } = candidate;
    if (pending === newcomer) return undefined;
    const lane: Lane | undefined = this.#occupancy.lane(laneOf(pending.transaction));
    if (lane?.get(pending.transaction.header.nonce) !== pending) return undefined;
    const measured = measureLane(state, lane);
    const now = measured.find((entry) => entry.pending === pending)!;
    if (isWaiting(now) !== isWaiting(candidate)) return undefined;
    const last = measured.findLast((entry) => entry.pending !== newcomer && !this.held.has(entry.pending.id));
    return last?.pending;
  }

  #measureGroup(state: State, { lanes }: Group): Distance[] {
    return [...lanes].flatMap((lane) => measureLane(state, lane));
  }

  #rankRoom(state: State, room: Room): Ranked[] {
    const groups = [...this.#occupancy.groups()].filter((group) => group.room === room);
    const measured = groups.flatMap((group) => this.#measureGroup(state, group));
    return rankForEviction(measured, ownersOf(state)).filter(({ pending }) => !this.held.has(pending.id));
  }

  #ownersMost(room: Room): number {
    if (room === "system") return Number.POSITIVE_INFINITY;
    return room === "risk" ? this.#bounds.ownersRiskMost : this.#bounds.ownersMost;
  }

  #roomMost(room: Room): number {
    if (room === "system") return Number.POSITIVE_INFINITY;
    return room === "risk" ? this.#bounds.riskMost : this.#bounds.most;
  }
}

/** Owners share a room by their collateral: as many accounts as one likes hold no more of it than one account would. */
function ownersOf(state: State): Parties {
  return {
    partyOf: ({ transaction }) => transaction.header.account.address,
    stakeOf: (owner) => stakeOf(state, owner as Address),
  };
}

function pendingOf(ranked: readonly Ranked[]): Pending[] {
  return ranked.map(({ pending }) => pending);
}
