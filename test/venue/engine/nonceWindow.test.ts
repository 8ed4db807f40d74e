/**
 * Trading lanes with a window (NON-2): which nonces they take, and that each commits once, whatever became of the
 * venue.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isEngineError } from "../../../src/protocol/engineError.ts";
import { createGenesis, genesisText } from "../../../src/protocol/genesis.ts";
import { readCanonical, writeCanonical } from "../../../src/venue/engine/commitment/canonical.ts";
import { readImage, writeImage } from "../../../src/venue/engine/commitment/image.ts";
import { computeRoot } from "../../../src/venue/engine/commitment/root.ts";
import { createVenue } from "../../../src/venue/engine/genesis.ts";
import { forkState } from "../../../src/venue/engine/state/forkState.ts";
import type { State } from "../../../src/venue/engine/state/state.ts";
import { addressOf } from "../../helpers/venue/values.ts";
import { TestVenue } from "../../helpers/venue.ts";

const open = (window: number) =>
  new TestVenue({
    accounts: { alice: "1000", bob: "1000" },
    prices: { TEST: "100" },
    genesis: { nonces: { trading: `window:${window}` } },
  });

const noop = (v: TestVenue, nonce: number) => v.try(v.act("alice", "noop", {}, { nonce }));

/** The rule as PROTOCOL writes it, with every used nonce in a set. */
class PlainLane {
  readonly window: number;
  readonly used = new Set<number>();
  floor = -1;
  highest = -1;

  constructor(window: number) {
    this.window = window;
  }

  offer(nonce: number): string {
    if (nonce <= this.floor) return "NONCE_TOO_LOW";
    if (this.used.has(nonce)) return "NONCE_USED";
    if (nonce > this.highest + this.window) return "NONCE_GAP";
    this.used.add(nonce);
    this.highest = Math.max(this.highest, nonce);
    this.floor = Math.max(this.floor, this.highest - this.window);
    return "applied";
  }
}

describe("a lane with a window takes", () => {
  test.each([1, 2, 32, 33, 1024])("first nonces below %i, and none from there on", (window) => {
    const v = open(window);
    expect(noop(v, -1)).toBe("NONCE_TOO_LOW");
    expect(noop(v, window)).toBe("NONCE_GAP");
    expect(noop(v, window + 1)).toBe("NONCE_GAP");
    expect(noop(v, window - 1)).toBe("applied");
    expect(noop(v, window - 1)).toBe("NONCE_USED");
    expect(v.nextNonce("alice", "trading")).toBe(window);
  });

  test.each([2, 32, 33, 1024])("nonces above the floor, as far as %i beyond the highest used one", (window) => {
    const v = open(window);
    const highest = window + 2;
    for (const nonce of [1, 3, highest]) expect(noop(v, nonce)).toBe("applied");
    expect(noop(v, highest - window - 1)).toBe("NONCE_TOO_LOW");
    expect(noop(v, highest - window)).toBe("NONCE_TOO_LOW");
    expect(noop(v, highest - window + 1)).toBe("NONCE_USED");
    expect(noop(v, highest + window + 1)).toBe("NONCE_GAP");
    expect(noop(v, highest + window)).toBe("applied");
    expect(noop(v, highest)).toBe("NONCE_TOO_LOW");
    expect(noop(v, highest + 1)).toBe("applied");
    expect(noop(v, highest + 1)).toBe("NONCE_USED");
  });

  test("a nonce once, also where its outcome was a rejection; an inadmissible transaction takes none", () => {
    const v = open(4);
    expect(v.try(v.act("alice", "noop", {}, { nonce: 2, verdict: false }))).toBe("INVALID_SIGNATURE");
    expect(v.try(v.buy("alice", "1", "90"))).toBe("applied");
    expect(v.try({ ...v.amend("alice", 1, { price: "91" }), header: { nonce: 2 } })).toBe("ORDER_NOT_FOUND");
    expect(noop(v, 2)).toBe("NONCE_USED");
    expect(noop(v, 1)).toBe("applied");
  });

  test("trading nonces so; other lanes stay in sequence", () => {
    const v = open(4);
    for (const nonceDomain of ["risk", "funds", "admin"] as const) {
      expect(v.try(v.act("alice", "noop", {}, { nonceDomain, nonce: 1 }))).toBe("NONCE_GAP");
      expect(v.try(v.act("alice", "noop", {}, { nonceDomain, nonce: 0 }))).toBe("applied");
      expect(v.try(v.act("alice", "noop", {}, { nonceDomain, nonce: 0 }))).toBe("NONCE_TOO_LOW");
    }
  });

  test("an agent's nonces apart from the owner's", () => {
    const v = open(4);
    const id = v.authorize("alice", "bot");
    const header = { signer: addressOf("bot"), authorization: id };
    const act = (nonce: number) => v.try(v.act("alice", "noop", {}, { ...header, nonce }));
    expect([act(4), act(3), act(3), act(1), noop(v, 3), noop(v, 3), act(8), act(7), act(0), act(3), act(4)]).toEqual([
      "NONCE_GAP",
      "applied",
      "NONCE_USED",
      "applied",
      "applied",
      "NONCE_USED",
      "NONCE_GAP",
      "applied",
      "NONCE_TOO_LOW",
      "NONCE_TOO_LOW",
      "applied",
    ]);
    expect(v.nextNonce("alice", "trading", addressOf("bot"))).toBe(8);
  });

  test("and says which it used", () => {
    const v = open(4);
    expect(v.run(v.act("alice", "noop", {}, { nonce: 2 })).of("nonceUsed")).toMatchObject([
      { lane: -1, nonce: 2, next: 3 },
    ]);
    expect(v.run(v.act("alice", "noop", {}, { nonce: 0 })).of("nonceUsed")).toMatchObject([
      { lane: -1, nonce: 0, next: 3 },
    ]);
    expect(v.nextNonce("alice", "trading")).toBe(3);
  });
});

// Goal: the bits of a window answer every offer as a set of all used nonces does, also after the venue was restored.
test("whatever is offered, the answers are those of a plain set, in a fork, an image and a canonical form too", () => {
  const ways: ((state: State) => State)[] = [
    (state) => forkState(state),
    (state) => readImage(writeImage(state)),
    (state) => readCanonical(writeCanonical(state)),
  ];
  const reached = new Set<string>();
  fc.assert(
    fc.property(
      fc.constantFrom(1, 2, 3, 31, 32, 33, 64, 1024),
      fc.array(fc.record({ bot: fc.boolean(), permille: fc.integer({ min: -1300, max: 1300 }) }), {
        minLength: 1,
        maxLength: 60,
      }),
      (window, offers) => {
        const v = open(window);
        const id = v.authorize("alice", "bot");
        const lanes = [new PlainLane(window), new PlainLane(window)] as const;
        const header = (bot: boolean, nonce: number) =>
          bot ? { signer: addressOf("bot"), authorization: id, nonce } : { nonce };
        for (const { bot, permille } of offers) {
          const lane = lanes[bot ? 1 : 0];
          const nonce = lane.highest + Math.round((permille * window) / 1000);
          const answer = lane.offer(nonce);
          expect(v.try(v.act("alice", "noop", {}, header(bot, nonce)))).toBe(answer);
          reached.add(`${bot ? "bot" : "owner"} ${answer}`);
        }
        for (const restore of ways) {
          const other = restore(v.state);
          expect(computeRoot(other)).toBe(computeRoot(v.state));
          expect([...other.ownerNonces.bits].filter(Boolean)).toEqual([...v.state.ownerNonces.bits].filter(Boolean));
          expect([...other.agentNonces.bits].filter(Boolean)).toEqual([...v.state.agentNonces.bits].filter(Boolean));
        }
      },
    ),
    { numRuns: 60 },
  );
  expect(reached.size).toBe(8); // every answer, to both lanes
});

test("a fork's nonces are its own", () => {
  const v = open(4);
  const fork = forkState(v.state);
  expect(noop(v, 2)).toBe("applied");
  expect(fork.ownerNonces.bits.some(Boolean)).toBe(false);
  expect(forkState(v.state).ownerNonces.bits.some(Boolean)).toBe(true);
});

describe("the scheme of genesis", () => {
  test.each(["", "window", "window:0", "window:01", "window:1025", "window:-1", "window:1.5", "Sequential"])(
    "is not %o",
    (trading) => {
      let thrown: unknown;
      try {
        createVenue(createGenesis({ nonces: { trading } }));
      } catch (error) {
        thrown = error;
      }
      expect(isEngineError(thrown, "INVALID_GENESIS") && thrown.details.place).toBe("nonces.trading");
    },
  );

  test("is for trading lanes alone", () => {
    const nonces = { trading: "sequential", risk: "window:2" };
    expect(() => createVenue(createGenesis({ nonces }))).toThrow("nonces.risk");
  });

  test("is sequential by default, which its text leaves out; a window is in it", () => {
    const { nonces: _, ...without } = createGenesis();
    expect(createVenue(without).nonceWindow).toBe(0);
    expect(genesisText(createGenesis())).toBe(genesisText(without));
    expect(genesisText(createGenesis())).not.toContain("nonces");
    expect(genesisText(createGenesis({ nonces: { trading: "window:7" } }))).toContain(
      '"nonces":{"trading":"window:7"}',
    );
    for (const size of [1, 1024]) {
      expect(createVenue(createGenesis({ nonces: { trading: `window:${size}` } })).nonceWindow).toBe(size);
    }
  });
});
