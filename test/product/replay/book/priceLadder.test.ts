import { expect, test } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { NO_SLOT, PriceLadder } from "../../../../src/product/replay/book/priceLadder.ts";

const MOST = 2 ** 31 - 1;

/** The prices of a ladder from the best to the worst, as its links have them, with the slots that it finds by price. */
function walk(ladder: PriceLadder): [ticks: number, slot: number][] {
  const found: [number, number][] = [];
  for (let slot = ladder.best; slot !== NO_SLOT; slot = ladder.worse[slot]!) {
    found.push([ladder.ticks[slot]!, ladder.find(ladder.ticks[slot]!)]);
  }
  return found;
}

/** The same of a map from prices to slots: it is sorted whenever it is asked. */
const sort = (plain: ReadonlyMap<number, number>, sign: number) => [...plain].sort(([a], [b]) => (b - a) * sign);

test.each([1, -1] as const)(
  "a ladder of sign %i has the prices of a sorted map, in its order, at slots that they keep",
  (sign) => {
    const reached = { far: 0, pages: 0, slots: 0 };
    for (let seed = 1; seed <= 40; seed++) {
      const random = Random.ofSeed([seed, 61]);
      const ladder = new PriceLadder(sign);
      const plain = new Map<number, number>();
      const taken = new Set<number>();
      const width = random.pick([8, 700, 5_000, 200_000]);
      const within = (ticks: number) => Math.min(MOST, Math.max(1, ticks));
      let middle = random.pick([width + 1, 1_000_000, MOST - width]);
      for (let step = 0; step < 1_500; step++) {
        const away = random.below(random.chance(1, 2) ? Math.min(width, 40) : width);
        const ticks = within(middle + random.between(-1, 1) * away);
        const slot = plain.get(ticks);
        if (ladder.find(ticks) !== (slot ?? NO_SLOT))
          expect({ seed, step, ticks, found: ladder.find(ticks) }).toBe(slot);
        if (slot === undefined) {
          const added = ladder.add(ticks);
          if (taken.has(added)) expect({ seed, step, added }).toBe("a slot that no other price has");
          plain.set(ticks, added);
          taken.add(added);
        } else if (random.chance(2, 3)) {
          ladder.drop(slot);
          plain.delete(ticks);
          taken.delete(slot);
        }
        if (random.chance(1, 300)) middle = within(middle + random.between(-width, width));
        // All of them go, as with a snapshot of other prices.
        if (random.chance(1, 700)) {
          for (const one of taken) ladder.drop(one);
          plain.clear();
          taken.clear();
        }
        if (!random.chance(1, 40)) continue;
        expect({ seed, step, count: ladder.count }).toEqual({ seed, step, count: plain.size });
        expect({ seed, step, found: walk(ladder) }).toEqual({ seed, step, found: sort(plain, sign) });
      }
      const prices = [...plain.keys()];
      if (width > 5_000) reached.far++;
      if (prices.length > 0 && Math.max(...prices) - Math.min(...prices) > 10_000) reached.pages++;
      if (Math.max(...taken) > 256) reached.slots++;
    }
    expect(Math.min(...Object.values(reached))).toBeGreaterThan(2);
  },
);

test("a ladder has the first and the last price that a book can have, and one between them", () => {
  for (const sign of [1, -1] as const) {
    const ladder = new PriceLadder(sign);
    const prices = [1, MOST, 2 ** 30];
    const plain = new Map(prices.map((ticks) => [ticks, ladder.add(ticks)]));
    expect(walk(ladder)).toEqual(sort(plain, sign));
    expect(ladder.find(2)).toBe(NO_SLOT);
    ladder.drop(plain.get(MOST)!);
    plain.delete(MOST);
    expect(walk(ladder)).toEqual(sort(plain, sign));
  }
});

test("prices that come and go far apart use the slots of those before", () => {
  const ladder = new PriceLadder(-1);
  const kept = ladder.add(1);
  for (let step = 1; step <= 10_000; step++) {
    const slot = ladder.add(step * 1_000);
    if (slot > 1) expect({ step, slot }).toBe("one of two slots");
    ladder.drop(slot);
  }
  expect(walk(ladder)).toEqual([[1, kept]]);
});
