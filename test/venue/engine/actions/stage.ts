/**
 * Where the tests of actions begin, and what they share: venues at a point of their way, and the proof of a refusal.
 */
import { describe, expect, test } from "vitest";
import type { ActionName, Payloads } from "../../../../src/protocol/actions/index.ts";
import { REJECTION_NUMBERS } from "../../../../src/protocol/rejectionNumbers.ts";
import { REJECTION_NAMES, type RejectionCode } from "../../../../src/protocol/rejections.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import { writeCanonical } from "../../../../src/venue/engine/commitment/canonical.ts";
import { readEvents } from "../../../../src/venue/engine/events/readEvents.ts";
import { forkState } from "../../../../src/venue/engine/state/forkState.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";
import type { Step } from "../../../helpers/venue/traderSteps.ts";
import { addressOf } from "../../../helpers/venue/values.ts";
import { Reached, TestVenue, type VenueOptions } from "../../../helpers/venue.ts";

/** What all of them reached, for the test that compares it with the lists of codes. */
export const reached = new Reached();

/** Alice and bob with 1,000 each, a house, a market at 100. */
export const open = (options: VenueOptions = {}) =>
  new TestVenue(
    {
      accounts: { alice: "1000", "alice/1": "0", bob: "1000" },
      house: { house: "0" },
      prices: { TEST: "100" },
      ...options,
    },
    reached,
  );

/** Alice's deficit is left to bob, who has lost elsewhere: no fund insures it, and withdrawals are paused. */
export const uncovered = () => {
  const markets = { TEST: {}, MORE: { tickSize: "0.01" } };
  const v = open({ accounts: { alice: "100", bob: "200" }, markets, prices: { TEST: "100", MORE: "10" } });
  v.do(v.sell("bob", "10", "100"), v.buy("alice", "10", "100"));
  v.do(v.sell("house", "100", "10", { market: "MORE" }), v.buy("bob", "100", "10", { market: "MORE" }));
  v.do(v.price("85"), v.price("7.35", { market: "MORE" }));
  v.do(v.deposit("bob", "1000"));
  return v;
};

/** Alice long 5 at 100 against bob, whose other orders are gone. */
export const long = (options: VenueOptions = {}) => {
  const v = open(options);
  v.do(v.sell("bob", "5", "100"), v.buy("alice", "5", "100"));
  return v;
};

export const noPrice = () => open({ prices: {} });

export const limits = (texts: Record<string, string>) => () => long({ markets: { TEST: texts } });

export const status = (name: Parameters<TestVenue["status"]>[0]) => () => {
  const v = long();
  v.do(v.status(name));
  return v;
};

export const paused = (operation: string) => () => {
  const v = long();
  v.do(v.update({ [operation]: "on" }));
  return v;
};

/** Oracle marks: the raw oracle has run away from the clamped index. */
export const frozen = () => {
  const v = open({ markets: { TEST: { markMethod: "oracle" } } });
  v.do(v.sell("bob", "5", "100"), v.buy("alice", "5", "100"));
  v.do(v.sell("bob", "1", "102", { client: "rest" }));
  v.do(v.price("110"));
  return v;
};

/** Oracle marks, and no report for longer than they stay fresh. */
export const stale = () => {
  const v = open({ markets: { TEST: { markMethod: "oracle", oracleStale: "10000" } } });
  v.do(v.sell("bob", "5", "100"), v.buy("alice", "5", "100"));
  v.runAt(v.state.timeMs + 10_001);
  return v;
};

/** As long a time between two blocks as the market does not trade over. */
export const restarting = () => {
  const v = open({ markets: { TEST: { markMethod: "oracle", blockGap: "10000" } } });
  v.do(v.sell("bob", "5", "100"), v.buy("alice", "5", "100"), v.buy("alice", "1", "90", { client: "rest" }));
  v.runAt(v.state.timeMs + 10_001);
  return v;
};

export const devnet = () => open({ genesis: { features: { devnet: true } } });

/** The canonical form without what a rejected transaction may touch: nonces and the count of committed transactions. */
function formWithoutNonces(state: State): string {
  const copy = forkState(state);
  copy.consumed = 1;
  copy.authorityNonces.fill(0);
  for (const lane of ["nonceTrading", "nonceRisk", "nonceFunds", "nonceAdmin"] as const) {
    (copy.accounts[lane] as unknown as Float64Array).fill(0);
  }
  return Buffer.from(writeCanonical(copy)).toString("hex");
}

/** Runs a step that must be refused with a code, and shows that it changed nothing but its nonce (NON-3). */
export function refused(v: TestVenue, step: Step, code: string): void {
  const idle = forkState(v.state);
  const timeMs = v.state.timeMs + 1000;
  applyBlock(idle, { height: idle.height + 1, timeMs, transactions: [] });
  const story = v.runAt(timeMs, step);
  expect(story.outcomes).toEqual([code]);
  expect(formWithoutNonces(v.state)).toBe(formWithoutNonces(idle));
  const committed = (REJECTION_NAMES as string[]).includes(code);
  expect(story.receipts[0]!.nonceConsumed).toBe(committed);
  expect(story.receipts[0]!.results).toBeUndefined();
  if (committed) {
    // Every rejection carries its numbers (ACT-2); a test over all codes, since every code is reached here.
    const names = Object.keys(story.receipts[0]!.numbers ?? {}).filter((name) => name !== "leg");
    expect(REJECTION_NUMBERS[code as RejectionCode], code).toContain(names.sort().join(" "));
  }
  const { eventsFrom, eventsTo } = story.receipts[0]!;
  const events = readEvents(v.state.events.data, eventsFrom, eventsTo);
  expect(events.map(({ kind }) => kind)).toEqual(committed ? ["nonceAdvanced"] : []);
}

export type Case = [code: RejectionCode, why: string, story: (v: TestVenue) => Step, start?: () => TestVenue];

/** The reasons for which an action is rejected, each with a story that leads to it. */
export function refusals(action: ActionName, cases: readonly Case[]): void {
  describe(`${action} is rejected`, () => {
    test.each(cases)("%s: %s", (code, _why, story, start = open) => {
      const v = start();
      const step = story(v);
      expect(step.action).toBe(action);
      refused(v, step, code);
    });
  });
}

/** Amends an order of alice in a market whose status changed after it rested. */
export function halt(
  v: TestVenue,
  name: Parameters<TestVenue["status"]>[0],
  change: { size?: string; price?: string },
): Step {
  const id = v.place(v.buy("alice", "2", "90"));
  v.do(v.status(name));
  return v.amend("alice", id, change);
}

/** A cancellation of several orders by alice, by their ids and by her own names for them. */
export const cancelMany = (v: TestVenue, orderIds: number[], clientOrderIds: string[] = []) =>
  v.act("alice", "cancelOrders", { orderIds, clientOrderIds } as unknown as Payloads["cancelOrders"]);

/** A flow of a house: each step is a kind, a price in ticks, lots and a side. */
export const flow = (v: TestVenue, steps: number[][], market = "TEST", account = "house") =>
  v.act("operator", "houseFlow", {
    market,
    account: addressOf(account),
    subaccount: 0,
    steps: new Uint8Array(Float64Array.from(steps.flat()).buffer),
  } as Payloads["houseFlow"]);
