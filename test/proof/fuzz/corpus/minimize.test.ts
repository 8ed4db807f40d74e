import fc from "fast-check";
import { expect, test } from "vitest";
import { minimizeCorpus } from "../../../../src/proof/fuzz/corpus/minimize.ts";
import { bucketOf } from "../../../../src/proof/fuzz/feedback/coverage.ts";
import { placeOfNearest } from "../../../../src/proof/fuzz/feedback/layout.ts";

const arbitraryCase = fc.record({
  genes: fc.integer({ min: 1, max: 500 }),
  reached: fc
    .array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 1, max: 200 })), { maxLength: 12 })
    .map((pairs) => Uint32Array.from([...new Map(pairs)].sort(([a], [b]) => a - b).flat())),
});
const arbitraryCases = fc
  .array(arbitraryCase, { maxLength: 20 })
  .map((cases) => cases.map((one, at) => ({ ...one, name: `c${String(at).padStart(2, "0")}` })));

function featuresOf(cases: readonly { readonly reached: Uint32Array }[]): Set<string> {
  const features = new Set<string>();
  for (const { reached } of cases) {
    for (let at = 0; at < reached.length; at += 2) features.add(`${reached[at]} ${bucketOf(reached[at + 1]!)}`);
  }
  return features;
}

test("the small set reaches every place of all cases, and each of its cases adds a place", () => {
  fc.assert(
    fc.property(arbitraryCases, (cases) => {
      const kept = new Set(minimizeCorpus(cases));
      const small = cases.filter(({ name }) => kept.has(name));
      expect(featuresOf(small)).toEqual(featuresOf(cases));
      expect(small.length).toBeLessThanOrEqual(featuresOf(cases).size);
    }),
  );
});

test("the order of the cases does not matter", () => {
  fc.assert(
    fc.property(arbitraryCases, (cases) => {
      expect(minimizeCorpus(cases.toReversed())).toEqual(minimizeCorpus(cases));
    }),
  );
});

test("a short case goes before a long one that reaches the same", () => {
  const reached = Uint32Array.of(1, 1, 2, 1);
  const cases = [
    { name: "long", genes: 900, reached },
    { name: "short", genes: 9, reached },
  ];
  expect(minimizeCorpus(cases)).toEqual(["short"]);
});

test("of cases with a small slack only the smallest is kept, if the others add nothing else", () => {
  const reach = (distance: number) => Uint32Array.of(3, 1, placeOfNearest(2, distance)!, 1);
  const cases = [500, 4, 70].map((distance, at) => ({ name: `c${at}`, genes: 10 * at + 5, reached: reach(distance) }));
  expect(minimizeCorpus(cases)).toEqual(["c1"]);
  expect(minimizeCorpus(cases.slice(1))).toEqual(["c1"]);
});
