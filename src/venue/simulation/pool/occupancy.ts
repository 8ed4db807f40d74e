import { Lane, laneOf, lanePartsOf, type Pending } from "./lanes.ts";
import { Group, ROOMS, type Room, roomOf } from "./rooms.ts";

/** Pending transactions by lane, and how many each owner and each room has. */
export class Occupancy {
  readonly #lanes = new Map<string, Lane>();
  readonly #groups = new Map<string, Group>();
  readonly #sizes = new Map<Room, number>(ROOMS.map((room) => [room, 0]));

  lane(name: string): Lane | undefined {
    return this.#lanes.get(name);
  }

  lanes(): IterableIterator<Lane> {
    return this.#lanes.values();
  }

  groups(): IterableIterator<Group> {
    return this.#groups.values();
  }

  sizeOf(room: Room): number {
    return this.#sizes.get(room)!;
  }

  laneOf({ transaction }: Pending): Lane {
    return this.#lanes.get(laneOf(transaction))!;
  }

  groupOf({ parts }: Lane): Group {
    return this.#groups.get(nameGroup(parts.account, roomOf(parts)))!;
  }

  insert(pending: Pending): void {
    const parts = lanePartsOf(pending.transaction);
    const room = roomOf(parts);
    const key = laneOf(pending.transaction);
    let group = this.#groups.get(nameGroup(parts.account, room));
    if (group === undefined) {
      group = new Group(parts.account, room);
      this.#groups.set(nameGroup(parts.account, room), group);
    }
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      lane = new Lane(key, parts);
      this.#lanes.set(key, lane);
      group.lanes.add(lane);
    }
    lane.set(pending);
    group.size++;
    this.#sizes.set(room, this.sizeOf(room) + 1);
  }

  remove(pending: Pending): void {
    const lane = this.laneOf(pending);
    const group = this.groupOf(lane);
    lane.delete(pending.transaction.header.nonce);
    group.size--;
    this.#sizes.set(group.room, this.sizeOf(group.room) - 1);
    if (lane.size === 0) {
      this.#lanes.delete(lane.key);
      group.lanes.delete(lane);
    }
    if (group.size === 0) this.#groups.delete(nameGroup(group.owner, group.room));
  }
}

function nameGroup(owner: string, room: Room): string {
  return `${room} ${owner}`;
}
