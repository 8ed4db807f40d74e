import { expect, test } from "vitest";
import { Coverage } from "../../../../src/proof/fuzz/feedback/coverage.ts";
import { Feedback } from "../../../../src/proof/fuzz/feedback/feedback.ts";
import { LABEL_NAMES } from "../../../../src/proof/fuzz/feedback/labels.ts";
import { MAP_SIZE } from "../../../../src/proof/fuzz/feedback/layout.ts";
import { NAMED_PLACES } from "../../../../src/proof/fuzz/feedback/namedPlaces.ts";
import { Flow } from "../../../../src/proof/fuzz/flow/flow.ts";
import { Reached } from "../../../../src/proof/fuzz/flow/reached.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import { createVenue } from "../../../../src/venue/engine/genesis.ts";

function runFlow(seed: number, blocks: number, feedback: Feedback): { reached: Reached; pairs: Uint32Array } {
  const flow = new Flow(seed);
  const state = createVenue(flow.genesis);
  const reached = new Reached();
  feedback.start();
  for (let count = 0; count < blocks; count++) {
    const block = flow.next(state);
    const result = applyBlock(state, block);
    reached.add(block, result);
    feedback.observe(state, block, result);
  }
  return { reached, pairs: feedback.map.read() };
}

test("every place is inside the map, and each named place has one name", () => {
  const names = new Map<number, string>();
  for (const { place, name } of NAMED_PLACES) {
    expect(place).toBeLessThan(MAP_SIZE);
    // A market has one status, and its price one validity.
    if (name.startsWith("state ")) continue;
    expect(names.get(place) ?? name, `place ${place}`).toBe(name);
    names.set(place, name);
  }
  expect(new Set(LABEL_NAMES).size).toBe(LABEL_NAMES.length);
});

// A simple implementation decodes each event into an object and counts texts.
test("outcomes and events are counted as a simple implementation counts them", () => {
  const feedback = new Feedback();
  const coverage = new Coverage();
  const plain = new Reached();
  for (let seed = 1; seed <= 6; seed++) {
    const { reached, pairs } = runFlow(seed, 60, feedback);
    plain.merge(reached);
    coverage.merge(pairs);
  }
  const named = coverage.named();
  const kinds = new Map<string, number>();
  for (const [name, count] of named) {
    const kind = name.startsWith("event ") ? name.split(" ", 2).join(" ") : name;
    kinds.set(kind, (kinds.get(kind) ?? 0) + count);
  }
  for (const [name, count] of plain.counts) {
    const [first = "", word] = name.split(" ");
    if (name.startsWith("event ") || word === "applied" || /^[A-Z_]+$/.test(word ?? "")) {
      expect(kinds.get(name), name).toBe(count);
    } else expect(named.get(`event ${first} ${word}`), name).toBe(count);
  }
  expect(kinds.size).toBeGreaterThan(80);
});

test("feedback that is used again keeps nothing of the previous run", () => {
  const used = new Feedback();
  runFlow(1, 30, used);
  expect(runFlow(2, 30, used).pairs).toEqual(runFlow(2, 30, new Feedback()).pairs);
});

test("only new places and new count levels are new", () => {
  const coverage = new Coverage();
  expect(coverage.merge(Uint32Array.of(7, 1, 9, 4))).toEqual({ buckets: 2, places: [0, 1] });
  expect(coverage.merge(Uint32Array.of(7, 1, 9, 7))).toEqual({ buckets: 0, places: [] });
  expect(coverage.merge(Uint32Array.of(7, 2, 9, 8))).toEqual({ buckets: 2, places: [] });
  expect(coverage.merge(Uint32Array.of(7, 128, 9, 127))).toEqual({ buckets: 2, places: [] });
  expect(coverage.merge(Uint32Array.of(7, 1_000_000))).toEqual({ buckets: 0, places: [] });
  expect([coverage.places, coverage.totals[7], coverage.totals[9]]).toEqual([2, 1_000_132, 146]);
});

// Goal: only a smaller slack than any before reaches a new place.
test("a run with a smaller slack than any before is new, another one is not", () => {
  const coverage = new Coverage();
  const feedback = new Feedback();
  const news = (...distances: number[]) => {
    feedback.start();
    feedback.observeNearest(new Map(distances.map((distance, slot) => [`i${slot}`, { distance, height: 1 }])));
    return coverage.merge(feedback.map.read()).buckets;
  };
  const never = Number.POSITIVE_INFINITY;
  expect(news(1_000, never)).toBe(1);
  expect([news(1_000, never), news(1_023, never), news(512, never), news(5e15, never)]).toEqual([0, 0, 0, 0]);
  expect(news(511, never)).toBe(1);
  expect(news(1_000, 7)).toBe(1);
  expect([news(0, 8), news(1, 4), news(-3, 3)]).toEqual([1, 0, 1]);
  expect(coverage.places).toBe(8);
  // Any number of slacks stays inside its region of the map.
  expect(news(...Array.from({ length: 300 }, () => 0))).toBeLessThan(90);
});
