import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import type { HouseLevel } from "../../replay/houseState.ts";
import type { Reads } from "./venueReads.ts";

/** Levels of a side that a picture has. */
export const PICTURE_LEVELS = 20;

/** A market at one moment, in the venue's units. */
export interface MarketPicture {
  readonly mark: number;
  readonly index: number;
  readonly last: number;
  readonly bid: number;
  readonly ask: number;
  readonly fundingRate: number;
  readonly settledTime: number;
  /** What margin at the mark is computed from. */
  readonly lotWhole: number;
  readonly lotRest: number;
  readonly initialRate: number;
  /** At most `PICTURE_LEVELS`, best first. */
  readonly bids: readonly HouseLevel[];
  readonly asks: readonly HouseLevel[];
}

/** The public part of a venue at one moment: a message of the feed has it. */
export interface VenuePicture {
  readonly height: number;
  /** By market. */
  readonly markets: readonly MarketPicture[];
}

/** Takes the picture of the last instant. */
export function takePicture(reads: Reads): VenuePicture {
  const { state } = reads;
  const { fundingRate, settledTime } = state.markets;
  const markets = state.parameters.map((_, place): MarketPicture => {
    const market = place as MarketRow;
    // The levels first: where an order of the run rests, the block that shows them is made here.
    const bids = reads.listLevels("buy", market, PICTURE_LEVELS);
    const asks = reads.listLevels("sell", market, PICTURE_LEVELS);
    const { lotWhole, lotRest, initialRate } = reads.tables.markets;
    return {
      mark: reads.readMark(market),
      index: reads.readIndex(market),
      last: reads.readLast(market),
      bid: bids[0]?.ticks ?? 0,
      ask: asks[0]?.ticks ?? 0,
      fundingRate: fundingRate[market]!,
      settledTime: settledTime[market]!,
      lotWhole: lotWhole[market]!,
      lotRest: lotRest[market]!,
      initialRate: initialRate[market]!,
      bids,
      asks,
    };
  });
  return { height: state.height, markets };
}
