import { NONE } from "../../../ground/collections/table.ts";
import { AccountKey } from "../../../protocol/accountKey.ts";
import type { Address } from "../../../protocol/fields.ts";
import type { State } from "../../engine/state/state.ts";
import type { Lane, LaneParts } from "./lanes.ts";

/**
 * Parts of the pool that fill up separately, so that a full one keeps no transaction out of the others: `system` for
 * authorities, `risk` for the risk domain (cancel-all, closes, margin), `main` for the rest.
 */
export type Room = "main" | "risk" | "system";

export const ROOMS: readonly Room[] = ["main", "risk", "system"];

export function roomOf({ domain }: LaneParts): Room {
  return domain === "risk" || domain === "system" ? domain : "main";
}

/** Lanes of one owner in one room: of all its subaccounts and of every agent that signs for it. */
export class Group {
  readonly owner: Address;
  readonly room: Room;
  readonly lanes = new Set<Lane>();
  size = 0;

  constructor(owner: Address, room: Room) {
    this.owner = owner;
    this.room = room;
  }
}

/**
 * Collateral of an owner in quote units: cross and isolated, over all its subaccounts; at least 1. Splitting it over
 * many accounts or owners gives no more of it.
 */
export function stakeOf(state: State, owner: Address): number {
  const { accounts, owners, positions } = state;
  const row = state.ownerIndex.find(owners, new AccountKey(owner, 0));
  if (row === NONE) return 1;
  let stake = 0;
  for (let account = owners.account[row]!; account !== NONE; account = accounts.ownerNext[account]!) {
    stake += accounts.collateral[account]!;
    let position = accounts.position[account]!;
    for (; position !== NONE; position = positions.next[position]!) stake += positions.isolated[position]!;
  }
  return Math.max(1, stake);
}
