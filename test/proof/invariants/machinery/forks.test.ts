import { expect, test } from "vitest";
import { Flow } from "../../../../src/proof/fuzz/flow/flow.ts";
import { Forks } from "../../../../src/proof/invariants/machinery/forks.ts";
import { compareAll } from "../../../../src/proof/invariants/machinery/ledger/compare.ts";
import { Ledger } from "../../../../src/proof/invariants/machinery/ledger/ledger.ts";
import { postEvent } from "../../../../src/proof/invariants/machinery/ledger/post.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import { writeImage } from "../../../../src/venue/engine/commitment/image.ts";
import { computeRoot, getHead } from "../../../../src/venue/engine/commitment/root.ts";
import { EVENT_WIDTHS } from "../../../../src/venue/engine/events/readEvents.ts";
import { createVenue } from "../../../../src/venue/engine/genesis.ts";
import { forkState } from "../../../../src/venue/engine/state/forkState.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";

/** Venues of one chain, before and after some of its blocks, largest last. */
function listVenues(seed: number): { state: State; flow: Flow }[] {
  const flow = new Flow(seed);
  const state = createVenue(flow.genesis);
  return Array.from({ length: 8 }, () => {
    applyBlock(state, flow.next(state));
    return { state: forkState(state), flow };
  });
}

// Goal: the memory of an earlier fork leaves nothing in a later one. Method: forks of large and small venues in turn,
// in the same memory, each compared with its source, byte for byte, before and after a block.
test("a fork in the memory of another one is equal to a new fork", () => {
  for (let seed = 1; seed <= 6; seed++) {
    const venues = listVenues(seed);
    const forks = new Forks();
    for (const at of [7, 0, 5, 1, 6, 2, 7, 3]) {
      const { state, flow } = venues[at]!;
      const [one, other] = [forks.make(state), forkState(state)];
      expect(Buffer.compare(writeImage(one), writeImage(other)), `seed ${seed}, venue ${at}`).toBe(0);
      // What no image has: derived values, and values of the last block.
      for (const part of ["risk", "insured", "clients", "grants", "totals", "outflow", "marketRows", "chain"] as const)
        expect(one[part], `seed ${seed}, venue ${at}: ${part}`).toEqual(other[part]);
      const block = flow.next(other);
      applyBlock(one, block);
      applyBlock(other, block);
      expect([computeRoot(one), getHead(one)]).toEqual([computeRoot(other), getHead(other)]);
      forks.release();
    }
  }
});

test("forks of one check are different venues, and those of a check that threw are not used again", () => {
  const { state } = listVenues(1)[0]!;
  const forks = new Forks();
  const [one, other] = [forks.make(state), forks.make(state)];
  expect(one).not.toBe(other);
  forks.release();
  expect([forks.make(state), forks.make(state)]).toEqual([one, other]);
  forks.drop();
  expect(forks.make(state)).not.toBe(one);
});

test("a ledger that starts again has nothing of its earlier venue", () => {
  for (let seed = 1; seed <= 6; seed++) {
    const venues = listVenues(seed);
    const ledger = new Ledger(venues[7]!.state);
    for (const at of [0, 6, 1, 7, 2]) {
      const { state } = venues[at]!;
      ledger.startAgain(state);
      expect(compareAll(ledger, state), `seed ${seed}, venue ${at}`).toBeUndefined();
      const plain = new Ledger(state);
      for (const book of ["now", "was"] as const) {
        for (const table of ["accounts", "positions", "orders", "markets"] as const)
          expect(liveOf(ledger[book][table]), `${book}.${table}`).toEqual(liveOf(plain[book][table]));
      }
      expect([ledger.nets, ledger.longs, ledger.consumed]).toEqual([plain.nets, plain.longs, plain.consumed]);
    }
  }
});

// Goal: what a block posted is gone. Method: the events of a block go to the ledger, which returns to its venue. It is
// compared with a new one, column by column.
test("a ledger that returns to its venue is as one that reads it again", () => {
  for (let seed = 1; seed <= 6; seed++) {
    const ledger = new Ledger(createVenue(new Flow(seed).genesis));
    for (const { state, flow } of listVenues(seed)) {
      ledger.startAgain(state);
      const plain = new Ledger(state);
      for (let round = 0; round < 3; round++) {
        const after = forkState(state);
        const { events, from, to } = applyBlock(after, flow.next(after));
        for (let at = from; at < to; at += EVENT_WIDTHS[events[at]!]!) {
          if (round > 0 || at % 3 === 0) ledger.begin();
          postEvent(ledger, events, at);
        }
        ledger.rewind();
        for (const book of ["now", "was"] as const) {
          for (const table of ["accounts", "positions", "orders", "markets"] as const)
            expect(liveOf(ledger[book][table]), `${book}.${table}`).toEqual(liveOf(plain[book][table]));
        }
        expect([ledger.nets, ledger.longs, ledger.consumed]).toEqual([plain.nets, plain.longs, plain.consumed]);
        expect([ledger.totals, ledger.authorityNonces, ledger.fault]).toEqual([
          plain.totals,
          plain.authorityNonces,
          undefined,
        ]);
        expect([ledger.restingOrders, ledger.accounts.count, ledger.orders.count]).toEqual([plain.restingOrders, 0, 0]);
        expect(compareAll(ledger, state)).toBeUndefined();
      }
    }
  }
});

/** The columns of a table, up to its last row. */
function liveOf(table: object): Record<string, number[]> {
  const { rows, ...columns } = table as Record<string, Float64Array> & { rows: { high: number } };
  return Object.fromEntries(
    Object.entries(columns).map(([name, values]) => [name, Array.from(values.subarray(0, rows.high))]),
  );
}
