/** The fills of a book in order, as columns: which resting order, at which price, how many lots. */
export class FillLog {
  makers: Float64Array;
  prices: Int32Array;
  sizes: Int32Array;
  count = 0;

  constructor(capacity: number) {
    this.makers = new Float64Array(capacity);
    this.prices = new Int32Array(capacity);
    this.sizes = new Int32Array(capacity);
  }

  add(maker: number, price: number, size: number): void {
    const at = this.count++;
    this.makers[at] = maker;
    this.prices[at] = price;
    this.sizes[at] = size;
  }
}

/** Throws unless two books filled the same orders at the same prices in the same order. */
export function expectEqualFills(name: string, found: FillLog, expected: FillLog, upTo = expected.count): void {
  if (found.count !== upTo) throw new Error(`${name}: ${found.count} fills where the plain book has ${upTo}`);
  if (found.count > found.makers.length) throw new Error(`${name}: the log has no room for ${found.count} fills`);
  for (let at = 0; at < upTo; at++) {
    const same =
      found.makers[at] === expected.makers[at] &&
      found.prices[at] === expected.prices[at] &&
      found.sizes[at] === expected.sizes[at];
    if (!same) throw new Error(`${name}: fill ${at} differs: ${show(found, at)} instead of ${show(expected, at)}`);
  }
}

function show(log: FillLog, at: number): string {
  return `order ${log.makers[at]}, ${log.sizes[at]} at ${log.prices[at]}`;
}
