import { DECIMALS } from "../../../protocol/fields.ts";
import { computeBookChecksum } from "../../api/bookChecksum.ts";
import type { BookLevel } from "../../api/schemas/markets.ts";

/** Levels as the channel sends them: absolute sizes, and "0" for a removed level. */
export interface BookChange {
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
}

/** One side of a book, best price first. */
class BookSide {
  readonly #prices: bigint[] = [];
  readonly levels: BookLevel[] = [];
  /** 1 where higher prices come first, -1 where lower ones do. */
  readonly #way: 1 | -1;

  constructor(way: 1 | -1) {
    this.#way = way;
  }

  clear(): void {
    this.#prices.length = 0;
    this.levels.length = 0;
  }

  set(level: BookLevel): void {
    const price = readPrice(level[0]);
    const place = this.#find(price);
    const isThere = this.#prices[place] === price;
    if (level[1] === "0") {
      if (!isThere) return;
      this.#prices.splice(place, 1);
      this.levels.splice(place, 1);
    } else if (isThere) {
      this.levels[place] = level;
    } else {
      this.#prices.splice(place, 0, price);
      this.levels.splice(place, 0, level);
    }
  }

  /** First index whose price is not better than this one. */
  #find(price: bigint): number {
    let low = 0;
    let high = this.#prices.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#prices[middle]!;
      if (this.#way === 1 ? other > price : other < price) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Units of a price. A coarse tick makes prices that are larger than any amount that can be stored. */
function readPrice(text: string): bigint {
  const [whole = "", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(DECIMALS.price, "0"));
}

/** A book kept up to date by a stream. */
export class LiveBook {
  readonly #bids = new BookSide(1);
  readonly #asks = new BookSide(-1);

  /** Best price first. */
  get bids(): readonly BookLevel[] {
    return this.#bids.levels;
  }

  get asks(): readonly BookLevel[] {
    return this.#asks.levels;
  }

  replace(change: BookChange): void {
    this.#bids.clear();
    this.#asks.clear();
    this.apply(change);
  }

  apply({ bids, asks }: BookChange): void {
    for (const level of bids) this.#bids.set(level);
    for (const level of asks) this.#asks.set(level);
  }

  /** CRC-32 over the ten best levels, as the venue computes it. */
  checksum(): number {
    return computeBookChecksum(this.bids, this.asks);
  }
}
