import { expect, test } from "vitest";
import { Flow } from "../../../../src/proof/fuzz/flow/flow.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import { writeCanonical } from "../../../../src/venue/engine/commitment/canonical.ts";
import { readImage, writeImage } from "../../../../src/venue/engine/commitment/image.ts";
import { getHead } from "../../../../src/venue/engine/commitment/root.ts";
import { createVenue } from "../../../../src/venue/engine/genesis.ts";
import { forkState } from "../../../../src/venue/engine/state/forkState.ts";
import { Grants } from "../../../../src/venue/engine/state/grants.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";

/** The rows of a table after those in use, where they have room: a row that is handed out later begins like them. */
function readUnused(fork: State): string {
  const { orders, positions, accounts } = fork;
  return [orders, positions, accounts]
    .flatMap((table) =>
      Object.entries(table).map(([name, column]) =>
        name === "rows" ? "" : `${name} ${String(column[(table.rows as { high: number }).high] ?? "none")}`,
      ),
    )
    .join(", ");
}

// Goal: a fork that becomes another one is that one. Method: one fork is made again and again, of a venue that grows
// and of the same venue as it was long before, and runs for a few blocks in between. Fresh forks are compared with it.
test("a fork made in the memory of another one equals a new fork", () => {
  for (let seed = 1; seed <= 3; seed++) {
    const flow = new Flow(seed);
    const venue = createVenue(flow.genesis);
    const early = forkState(venue);
    let spare = forkState(venue);
    for (let count = 0; count < 30; count++) {
      const source = count % 5 === 4 ? early : venue;
      spare = forkState(source, source.genesis, spare);
      const fresh = forkState(source);
      expect(writeCanonical(spare)).toEqual(writeCanonical(fresh));
      if (readUnused(spare).includes("none") === readUnused(fresh).includes("none"))
        expect(readUnused(spare)).toBe(readUnused(fresh));
      const block = flow.next(venue);
      applyBlock(venue, block);
      if (source !== venue) continue;
      for (const fork of [spare, fresh]) {
        applyBlock(fork, block);
        expect(getHead(fork)).toBe(getHead(venue));
        expect(writeCanonical(readImage(writeImage(fork)))).toEqual(writeCanonical(venue));
      }
    }
  }
});

test("a fork with another genesis takes no memory of a spare one", () => {
  const flow = new Flow(1);
  const venue = createVenue(flow.genesis);
  const spare = forkState(venue);
  const other = { ...venue.genesis };
  expect(forkState(venue, other, spare)).not.toBe(spare);
  expect(forkState(venue, venue.genesis, spare)).toBe(spare);
});

// A deficit is counted per block: a fork that applied a block, and becomes the venue before it again, counts it again.
test("a deficit that a block left is not carried into a fork of the venue before it", () => {
  const venue = createVenue(new Flow(1).genesis);
  const spare = forkState(venue);
  expect(spare.outflow.addUncovered(1, 5)).toBe(5n);
  expect(forkState(venue, venue.genesis, spare).outflow.addUncovered(1, 5)).toBe(5n);
});

// A grant that one of them adds takes the next row in both: with a list in common, each would write over the other's.
test("a copy of grants has lists of its own", () => {
  const grants = new Grants();
  const copy = grants.copy();
  const lists = Object.entries(grants).filter(([, value]) => typeof value === "object");
  expect(lists.map(([name]) => name)).toContain("coveredMarkets");
  for (const [name, list] of lists) expect(copy[name as keyof Grants], name).not.toBe(list);
});
