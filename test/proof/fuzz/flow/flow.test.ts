import { beforeAll, describe, expect, test } from "vitest";
import { Flow } from "../../../../src/proof/fuzz/flow/flow.ts";
import { Reached } from "../../../../src/proof/fuzz/flow/reached.ts";
import { ACTION_NAMES } from "../../../../src/protocol/actions/index.ts";
import {
  BALANCE_CAUSES,
  CANCEL_CAUSES,
  CLOSE_KINDS,
  EVENT_KINDS,
  INSURANCE_CAUSES,
  LIQUIDATION_STAGES,
} from "../../../../src/protocol/events.ts";
import { INVALID_NAMES, REJECTION_NAMES } from "../../../../src/protocol/rejections.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import { computeRoot, getHead } from "../../../../src/venue/engine/commitment/root.ts";
import { createVenue } from "../../../../src/venue/engine/genesis.ts";
import { runFlow } from "../../../helpers/flows.ts";

/** Most flows to run, if needed: shared losses and bad debt are rare. */
const SEEDS_MOST = 240;
const BLOCKS = 250;

/** Cases that flows must reach, by name; without the cases that no flow can reach. */
const WANTED: Readonly<Record<string, readonly string[]>> = {
  "every action, accepted": ACTION_NAMES.map((name) => `${name} applied`),
  "every event kind": EVENT_KINDS.map((kind) => `event ${kind}`),
  // No generated number comes near the storable limit.
  "every reason to cancel": named("orderCancelled", CANCEL_CAUSES, ["numericLimit"]),
  "every reason of a balance": named("balanceChanged", BALANCE_CAUSES, []),
  // The seed of the fund precedes the first block.
  "every reason of the fund": named("insuranceChanged", INSURANCE_CAUSES, ["seed"]),
  "both ways to close outside the book": named("deleveraged", CLOSE_KINDS, []),
  // `open` has an event of its own; there is no backstop.
  "every stage of a liquidation": named("liquidationStage", LIQUIDATION_STAGES, ["open", "backstop"]),
};
// An order that uses up the last day of a grant to the unit is too rare.
const CODES = [...INVALID_NAMES, ...REJECTION_NAMES].filter((code) => code !== "AUTHORIZATION_EXHAUSTED");

function named(event: string, names: readonly string[], unreachable: readonly string[]): string[] {
  return names.filter((name) => !unreachable.includes(name)).map((name) => `${event} ${name}`);
}

// Goal: flows reach nearly all cases, since a search that does not reach them proves nothing.
describe("generated flows reach", () => {
  const reached = new Reached();
  const isMissing = (name: string) => !reached.counts.has(name);
  const isUnanswered = (code: string) => reached.countOf(code) === 0;

  // A code of both kinds may belong to an inadmissible transaction.
  const rejections = REJECTION_NAMES.filter((code) => !(INVALID_NAMES as readonly string[]).includes(code));
  const findNeverRejected = () =>
    ACTION_NAMES.filter((action) => rejections.every((code) => isMissing(`${action} ${code}`)));

  beforeAll(() => {
    for (let seed = 1; seed <= SEEDS_MOST; seed++) {
      runFlow(seed, BLOCKS, (_state, block, result) => reached.add(block, result));
      if (seed < 20 || findNeverRejected().length > 1) continue;
      if (!Object.values(WANTED).flat().some(isMissing) && !CODES.some(isUnanswered)) return;
    }
  });

  test.each(Object.entries(WANTED))("%s", (_what, names) => {
    expect(names.filter(isMissing)).toEqual([]);
  });

  test("every code of an inadmissible transaction, and of a rejection", () => {
    expect(CODES.filter(isUnanswered)).toEqual([]);
  });

  test("every action rejected, but the one that cannot be", () => {
    expect(findNeverRejected()).toEqual(["noop"]);
  });
});

test("the same seed makes the same blocks, another seed others", () => {
  const run = (seed: number) => {
    const state = runFlow(seed, 60, () => {});
    return [computeRoot(state), getHead(state)];
  };
  expect(run(11)).toEqual(run(11));
  expect(run(11)).not.toEqual(run(12));
});

test("a flow reads a venue and does not change it", () => {
  const flow = new Flow(5);
  const state = createVenue(flow.genesis);
  for (let count = 0; count < 40; count++) {
    const root = computeRoot(state);
    const block = flow.next(state);
    expect(computeRoot(state)).toBe(root);
    applyBlock(state, block);
  }
});
