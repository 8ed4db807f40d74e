import { ReplayError } from "../errors.ts";
import { BookSide } from "./bookSide.ts";

/** Sides that are kept, and bytes of each, at most. */
const KEPT_MOST = 4;
const BYTES_MOST = 2 ** 21;

/**
 * Sides of books whose runs have ended. The arrays of a book grow with the first snapshot of a run. Those of a new book
 * would be three quarters of all typed arrays of a run, and lead to full collections.
 */
const kept: BookSide[] = [];

/** An empty side of a book. */
export function takeSide(sign: 1 | -1): BookSide {
  const place = kept.findIndex((side) => side.sign === sign);
  return place < 0 ? new BookSide(sign) : kept.splice(place, 1)[0]!;
}

/** Gives up a side that its owner does not use any more. */
export function giveBack(side: BookSide): void {
  if (kept.length === KEPT_MOST || side.bytes > BYTES_MOST) return;
  side.clear();
  kept.push(side);
}

/** A side of a book whose run has ended. It has no levels, and a strategy that kept its context must not read that. */
class EndedSide extends BookSide {
  override findBestShown(): never {
    throw new ReplayError("RUN_ENDED", "the run has ended, and its recorded order books are gone", {
      place: "depth",
      hint: "read the book in a hook, at the latest in onEnd, and keep what is needed",
    });
  }
}

/** Sides of a book whose run has ended. */
export const NO_BIDS: BookSide = new EndedSide(1);
export const NO_ASKS: BookSide = new EndedSide(-1);
