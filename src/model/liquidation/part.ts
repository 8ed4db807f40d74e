import { clamp } from "../arithmetic.ts";
import { settleFunding } from "../funding/settle.ts";
import { type Bucket, openPositionsOf } from "../margin/health.ts";
import { maintenanceOf, notionalOf, valueAt } from "../margin/requirement.ts";
import type { ModelState, Position } from "../state.ts";
import { tell } from "../told.ts";
import { LIMIT } from "../words.ts";
import { measureAbove } from "./above.ts";
import { openRecord, placeOf, recordOf } from "./record.ts";
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
  readonly pass: Pass;
  /** Equity when its zero prices were fixed. */
  readonly equity: bigint;
  /** By larger maintenance, then market. */
  readonly parts: readonly Part[];
  /** Notional that was sent to the book, for policies with a cap on it. */
  sent: bigint;
}

/** What holds for a whole risk pass. */
export interface Pass {
  /** Who held what when the pass began (LIQ-6). */
  readonly longs: readonly Position[];
  readonly shorts: readonly Position[];
  /** Their sizes then. */
  readonly sizes: ReadonlyMap<Position, bigint>;
  /** Rankings of the opposite side that were needed, "market/side" (LIQ-5). */
  readonly rankings: Map<string, readonly Position[]>;
  /** Number of the next record that begins. */
  nextRecord: number;
}

/** Funding is settled first; zero prices are fixed once, before the first fill (LIQ). */
export function openTurn(state: ModelState, pass: Pass, bucket: Bucket): Turn {
  for (const position of openPositionsOf(bucket)) settleFunding(position);
  const isFirst = recordOf(bucket) === 0;
  openRecord(pass, bucket);
  const { equity, maintenance } = measureAbove(bucket);
  const names = { liquidation: recordOf(bucket), account: bucket.account.id, bucket: placeOf(bucket) };
  tell(state, isFirst ? "liquidationStarted" : "liquidationContinued", {
    ...names,
    equity: clampStorable(equity),
    maintenance: clampStorable(maintenance),
  });
  return { state, bucket, pass, equity, parts: readParts(bucket, equity), sent: 0n };
}

/** As readers are told: at most what is storable (NUM-3). */
function clampStorable(amount: bigint): bigint {
  return clamp(amount, -LIMIT, LIMIT);
}

function readParts(bucket: Bucket, equity: bigint): Part[] {
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
  const zeros = computeZeroValues(equity, sorted);
  return sorted.map(({ position, maintenance, notional }, place) => ({
    bucket,
    position,
    maintenance,
    notional,
    zero: new Slices(zeros[place]!, position.size > 0n ? position.size : -position.size),
  }));
}
