import { type Bucket, openPositionsOf } from "../margin/health.ts";
import { maintenanceOf, notionalOf, valueAt } from "../margin/requirement.ts";
import type { ModelState, Position } from "../state.ts";
import { measureAbove } from "./above.ts";
import { computeZeroValues, Slices } from "./zeroValue.ts";

/** One position of a bucket whose turn it is, as it was before the bucket's first fill (LIQ). */
export interface Part {
  readonly bucket: Bucket;
  readonly position: Position;
  readonly maintenance: bigint;
  readonly notional: bigint;
  /** What closing it at its zero price fetches. */
  readonly zero: Slices;
}

/** A bucket's turn. */
export interface Turn {
  readonly state: ModelState;
  readonly bucket: Bucket;
  /** By larger maintenance, then market. */
  readonly parts: readonly Part[];
  readonly pass: Pass;
}

/** What holds for a whole risk pass. */
export interface Pass {
  /** By market: signed sizes when the pass began, of everybody (LIQ-6). */
  readonly heldAtStart: ReadonlyMap<number, readonly Position[]>;
  readonly longAtStart: ReadonlySet<Position>;
  /** Rankings of the opposite side that were needed, "market/side" (LIQ-5). */
  readonly rankings: Map<string, readonly Position[]>;
}

/** Zero prices are fixed once, before the first fill (LIQ). */
export function readParts(bucket: Bucket): Part[] {
  const sorted = openPositionsOf(bucket)
    .map((position) => ({
      position,
      maintenance: maintenanceOf(position.market, position.size),
      notional: notionalOf(position.market, position.size),
      value: valueAt(position.market, position.size, position.market.mark),
    }))
    .sort((a, b) =>
      a.maintenance > b.maintenance
        ? -1
        : a.maintenance < b.maintenance
          ? 1
          : a.position.market.ordinal - b.position.market.ordinal,
    );
  if (sorted.length === 0) return [];
  const zeros = computeZeroValues(measureAbove(bucket).equity, sorted);
  return sorted.map(({ position, maintenance, notional }, place) => ({
    bucket,
    position,
    maintenance,
    notional,
    zero: new Slices(zeros[place]!, position.size > 0n ? position.size : -position.size),
  }));
}
