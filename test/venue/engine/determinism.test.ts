import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isEngineError } from "../../../src/protocol/engineError.ts";
import { createGenesis } from "../../../src/protocol/genesis.ts";
import type { Block, Transaction } from "../../../src/protocol/transaction.ts";
import { applyBlock } from "../../../src/venue/engine/applyBlock.ts";
import { readCanonical, writeCanonical } from "../../../src/venue/engine/commitment/canonical.ts";
import { readImage, writeImage } from "../../../src/venue/engine/commitment/image.ts";
import { computeRoot, getHead } from "../../../src/venue/engine/commitment/root.ts";
import { readSnapshot, writeSnapshot } from "../../../src/venue/engine/commitment/snapshot.ts";
import { createVenue } from "../../../src/venue/engine/genesis.ts";
import { forkState } from "../../../src/venue/engine/state/forkState.ts";
import type { State } from "../../../src/venue/engine/state/state.ts";
import { arbitraryBlock, type FlowBlock, flowVenue, toSteps } from "../../helpers/flow.ts";
import { TestVenue } from "../../helpers/venue.ts";

const image = (state: State) => readImage(writeImage(state));
const snapshot = (state: State) => readSnapshot(writeSnapshot(state));

/** Plays a block on a venue of names and hands back what was played. */
function play(v: TestVenue, block: FlowBlock): Block {
  const transactions: Transaction[] = v.toTransactions(toSteps(v, block));
  const timeMs = v.state.timeMs + block.ms;
  const height = v.state.height + 1;
  v.apply(timeMs, transactions);
  return { height, timeMs, transactions };
}

// Goal: a venue restored or forked continues as the original (DET-1, DET-3). Method: random blocks; at a random height
// the
// venue is copied in every way there is; then all of them get the same blocks, and every root, head and receipt is
// compared.
test("snapshots, images, canonical forms and forks continue as the original", () => {
  const reached = { liquidated: 0, funded: 0, blocks: 0 };
  fc.assert(
    fc.property(
      fc.array(arbitraryBlock, { minLength: 5, maxLength: 20, size: "max" }),
      fc.array(arbitraryBlock, { minLength: 4, maxLength: 12, size: "max" }),
      (before, after) => {
        const v = flowVenue();
        for (const block of before) play(v, block);
        const root = v.root();
        const copies: Record<string, State> = {
          snapshot: snapshot(v.state),
          image: image(v.state),
          fork: forkState(v.state),
          "fork of an image": forkState(image(v.state)),
          "snapshot of a snapshot": snapshot(snapshot(v.state)),
        };
        const canonical = readCanonical(writeCanonical(v.state));
        for (const [way, copy] of Object.entries(copies)) {
          expect([way, computeRoot(copy), getHead(copy)]).toEqual([way, root, v.head()]);
        }
        expect(computeRoot(canonical)).toBe(root);
        for (const block of after) {
          const played = play(v, block);
          reached.blocks++;
          reached.liquidated += v.lastStory!.of("liquidationStarted").length;
          reached.funded += v.lastStory!.of("fundingSettled").length;
          for (const [way, copy] of Object.entries(copies)) {
            const { receipts } = applyBlock(copy, played);
            expect(played.transactions.map((_, index) => receipts.at(index).code ?? "applied")).toEqual(
              v.lastStory!.outcomes,
            );
            expect([way, getHead(copy), computeRoot(copy)]).toEqual([way, v.head(), v.root()]);
          }
          applyBlock(canonical, played);
          expect(computeRoot(canonical)).toBe(v.root());
        }
      },
    ),
    { numRuns: 25, seed: 20_250_924 },
  );
  expect(reached.liquidated).toBeGreaterThan(8);
  expect(reached.funded).toBeGreaterThan(100);
});

// The accounts to check for liquidation are derived: a venue that checks all accounts in every block does the same.
test("checking every account in every pass changes nothing", () => {
  fc.assert(
    fc.property(fc.array(arbitraryBlock, { minLength: 3, maxLength: 25, size: "max" }), (blocks) => {
      const v = flowVenue();
      let checked = forkState(v.state);
      for (const block of blocks) {
        const played = play(v, block);
        checked = image(checked);
        applyBlock(checked, played);
        expect([getHead(checked), computeRoot(checked)]).toEqual([v.head(), v.root()]);
      }
    }),
    { numRuns: 20 },
  );
});

test("reading heads and roots at any time changes nothing", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 130, maxLength: 140, size: "max" }), (asks) => {
      const asked = new TestVenue({ accounts: { alice: "10" } }).state;
      const quiet = new TestVenue({ accounts: { alice: "10" } }).state;
      // Past the group of 64 blocks, twice.
      asks.forEach((ask, place) => {
        const block = { height: place + 1, timeMs: place + 1, transactions: [] };
        applyBlock(asked, block);
        applyBlock(quiet, block);
        if (!ask) return;
        getHead(asked);
        computeRoot(asked);
        expect(getHead(snapshot(asked))).toBe(getHead(asked));
      });
      expect([getHead(asked), computeRoot(asked)]).toEqual([getHead(quiet), computeRoot(quiet)]);
    }),
    { numRuns: 2 },
  );
});

describe("the effects chain (DET-2)", () => {
  const empty = () => new TestVenue({ accounts: { alice: "10" } }).state;
  const step = (state: State, ms = 1) =>
    applyBlock(state, { height: state.height + 1, timeMs: state.timeMs + ms, transactions: [] });

  test("every block has a head of its own, and time is part of it", () => {
    const [one, other] = [empty(), empty()];
    const heads = new Set([getHead(one)]);
    for (let block = 0; block < 140; block++) {
      step(one);
      heads.add(getHead(one));
    }
    expect(heads.size).toBe(141);
    step(other, 2);
    const third = empty();
    step(third, 1);
    expect(getHead(other)).not.toBe(getHead(third));
  });

  test("restoring at the edges of a group, 63 to 66 blocks and more than 8,192 doubles, continues with the same heads", () => {
    const state = empty();
    for (let block = 1; block <= 140; block++) {
      step(state);
      if (!(block % 64 <= 2 || block % 64 >= 62)) continue;
      const copies = [snapshot(state), image(state), forkState(state)];
      const ahead = forkState(state);
      for (let more = 0; more < 3; more++) {
        step(ahead);
        for (const copy of copies) {
          step(copy);
          expect(getHead(copy)).toBe(getHead(ahead));
        }
      }
    }
    const v = new TestVenue({ accounts: { alice: "100000" }, prices: { TEST: "100" } });
    const busy = Array.from({ length: 300 }, () => v.act("alice", "noop", {}));
    for (let block = 0; block < 12; block++) {
      v.run(...busy);
      const copies = [snapshot(v.state), image(v.state), forkState(v.state)];
      expect(copies.map(getHead)).toEqual(Array(3).fill(v.head()));
    }
  });

  test("rejected transactions are part of it", () => {
    const open = () => new TestVenue({ accounts: { alice: "10" }, prices: { TEST: "100" } });
    const [one, other, third] = [open(), open(), open()];
    one.run(one.cancel("alice", 5));
    other.run(other.act("alice", "noop", {}));
    third.run();
    // The same state, but for what happened on the way; and not even that for nothing at all.
    expect(one.root()).toBe(other.root());
    expect(one.head()).not.toBe(other.head());
    expect(third.root()).not.toBe(one.root());
  });
});

describe("a genesis", () => {
  test("whose parameters come in another order is the same, root and head", () => {
    const market = (parameters: Record<string, string>) =>
      createVenue(createGenesis({ markets: [{ name: "TEST", preset: "minimal", parameters }] }));
    const one = market({ takerFee: "0.001", makerFee: "0.0005" });
    const other = market({ makerFee: "0.0005", takerFee: "0.001" });
    expect([computeRoot(one), getHead(one)]).toEqual([computeRoot(other), getHead(other)]);
  });

  test.each([
    ["insurance", { insurance: "-1" }],
    ["insurance", { insurance: "1.0000001" }],
    ["markets[0].parameters.tickSize", { markets: [{ name: "A", preset: "minimal", parameters: { tickSize: "0" } }] }],
    [
      "markets[1].name",
      {
        markets: [
          { name: "A", preset: "minimal", parameters: {} },
          { name: "A", preset: "minimal", parameters: {} },
        ],
      },
    ],
    [
      "accounts[0].address",
      { accounts: [{ address: "0x1" as const, subaccount: 0, role: "normal" as const, balance: "1" }] },
    ],
    ["liquidationsMax", { liquidationsMax: 0 }],
    ["timeMs", { timeMs: -1 }],
  ])("with a fault in %s is refused with its place", (place, given) => {
    let thrown: unknown;
    try {
      createVenue(createGenesis(given));
    } catch (error) {
      thrown = error;
    }
    expect(isEngineError(thrown, "INVALID_GENESIS") && thrown.details.place).toBe(place);
  });
});

describe("an invalid block is refused and changes nothing (NET-2)", () => {
  const open = () => {
    const v = new TestVenue({ accounts: { alice: "100" }, prices: { TEST: "100" } });
    v.do(v.buy("alice", "1", "99"));
    return v;
  };
  const faults: Record<string, (v: TestVenue, block: Block) => Block> = {
    "the height again": (v, block) => ({ ...block, height: v.state.height }),
    "a height skipped": (_v, block) => ({ ...block, height: block.height + 1 }),
    "the time again": (v, block) => ({ ...block, timeMs: v.state.timeMs }),
    "time going back": (v, block) => ({ ...block, timeMs: v.state.timeMs - 1 }),
    "half a millisecond": (_v, block) => ({ ...block, timeMs: block.timeMs + 0.5 }),
    "no time": (_v, block) => ({ ...block, timeMs: Number.NaN }),
    "another parent": (_v, block) => ({ ...block, parentHash: `0x${"12".repeat(32)}` }),
    "a system transaction after a user's": (v, block) => ({
      ...block,
      transactions: v.toTransactions([v.act("alice", "noop", {}), v.deposit("alice", "1")]),
    }),
    "an oracle update after another system transaction": (v, block) => ({
      ...block,
      transactions: v.toTransactions([v.deposit("alice", "1"), v.price("101")]),
    }),
  };
  test.each(Object.entries(faults))("%s", (_why, spoil) => {
    const v = open();
    const good = {
      height: v.state.height + 1,
      timeMs: v.state.timeMs + 1000,
      transactions: v.toTransactions([v.cancelAll("alice")]),
    };
    const before = [v.root(), v.head(), Buffer.from(writeImage(v.state)).toString("hex")];
    let thrown: unknown;
    try {
      applyBlock(v.state, spoil(v, good));
    } catch (error) {
      thrown = error;
    }
    expect(isEngineError(thrown, "INVALID_BLOCK")).toBe(true);
    expect([v.root(), v.head(), Buffer.from(writeImage(v.state)).toString("hex")]).toEqual(before);
    // And the right one still goes.
    expect(applyBlock(v.state, { ...good, parentHash: v.head() as never }).receipts.code(0)).toBeUndefined();
  });
});

describe("bytes of no venue are refused", () => {
  const v = new TestVenue({ accounts: { alice: "100" }, prices: { TEST: "100" } });
  v.do(v.buy("alice", "1", "99", { client: "mine" }));
  const forms = {
    canonical: [writeCanonical, readCanonical],
    snapshot: [writeSnapshot, readSnapshot],
    image: [writeImage, readImage],
  } as const;

  test.each(Object.entries(forms))("%s: cut short, too long, of another kind, empty", (_name, [write, read]) => {
    const bytes = write(v.state).slice();
    const other = write === writeImage ? writeSnapshot(v.state) : writeImage(v.state);
    const longer = new Uint8Array(bytes.length + 1);
    longer.set(bytes);
    const cuts = Array.from({ length: 40 }, (_, part) => bytes.slice(0, Math.floor((bytes.length * part) / 40)));
    for (const bad of [...cuts, bytes.slice(0, -1), longer, other.slice(), new Uint8Array(0)]) {
      let thrown: unknown;
      try {
        read(bad);
      } catch (error) {
        thrown = error;
      }
      expect(isEngineError(thrown, "INVALID_SNAPSHOT")).toBe(true);
    }
    expect(computeRoot(read(bytes))).toBe(v.root());
  });
});
