import { NONE } from "../../../ground/collections/table.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { volumeOf } from "../../model/fees/volume.ts";
import type { ModelState } from "../../model/state.ts";
import type { Comparison } from "./comparison.ts";

/** Compares each owner's volume, by UTC day and for the fee tier (ORD-7). */
export function compareVolumes(comparison: Comparison, venue: State, model: ModelState): void {
  const { owners, volumes, accounts } = venue;
  if (comparison.isFull || volumes.rows.count + model.volumes.size === 0) return;
  let days = 0;
  for (const { id, owner } of model.accounts) {
    const row = id as AccountRow;
    // Once per owner, at the owner's first account.
    if (accounts.ownerNext[row] !== NONE) continue;
    const of = accounts.owner[row]!;
    const same = comparison.of(() => `volume of ${comparison.nameOf(id)}'s owner (ORD-7), `);
    const traded = model.volumes.get(owner);
    same("days", countDays(venue, owners.volume[of]!), traded?.size ?? 0);
    for (let at = owners.volume[of]!; at !== NONE; at = volumes.older[at]!) {
      const day = volumes.day[at]!;
      same(`day ${day}`, volumes.volume[at], traded?.get(day) ?? "none");
      days++;
    }
    same("days that count", owners.volumePast[of], volumeOf(model, owner));
  }
  comparison.same("days with volume (ORD-7)", volumes.rows.count, days);
}

function countDays({ volumes }: State, newest: number): number {
  let days = 0;
  for (let at = newest; at !== NONE; at = volumes.older[at as never]!) days++;
  return days;
}
