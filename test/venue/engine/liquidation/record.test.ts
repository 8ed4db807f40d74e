import { describe, expect, test } from "vitest";
import { LIQUIDATION_STAGES } from "../../../../src/protocol/events.ts";
import { nameLiquidation } from "../../../../src/protocol/liquidationId.ts";
import { isLiquidationStep } from "../../../../src/protocol/liquidationStep.ts";
import { readCanonical, writeCanonical } from "../../../../src/venue/engine/commitment/canonical.ts";
import { readImage, writeImage } from "../../../../src/venue/engine/commitment/image.ts";
import { forkState } from "../../../../src/venue/engine/state/forkState.ts";
import type { Story } from "../../../helpers/venue/story.ts";
import { TestVenue } from "../../../helpers/venue.ts";

/** Alice is long 1,000 at 100 with 10,000, cross or isolated; she is sold in chunks of a twentieth. */
const open = (isolated = false) => {
  const v = new TestVenue({
    markets: { TEST: { liquidationWhole: "500", liquidationChunk: "0.05" } },
    accounts: { alice: isolated ? "20000" : "10000", bob: "100000", carol: "1000000" },
    prices: { TEST: "100" },
  });
  if (isolated) v.do(v.mode("alice", "isolated"));
  v.do(v.sell("bob", "1000", "100"), v.buy("alice", "1000", "100"), v.buy("carol", "2000", "94"));
  return v;
};

/** What a story says of liquidations. */
const describeStory = (story: Story): string[] =>
  story.events.flatMap((event) => {
    if (isLiquidationStep(event)) return [`${nameLiquidation(event.liquidation)} turn`];
    if (event.kind !== "liquidationStage") return [];
    return [`${nameLiquidation(event.liquidation)} ${LIQUIDATION_STAGES[event.stage]}`];
  });

/** Sends the next chunk, thirty seconds on. */
const later = (v: TestVenue, ...steps: Parameters<TestVenue["run"]>) => v.runAt(v.state.timeMs + 30_000, ...steps);

describe.each([false, true])("a liquidation in chunks, isolated: %s", (isolated) => {
  const begin = () => {
    const v = open(isolated);
    const id = `L-${v.state.height + 1}-0`;
    expect(describeStory(v.do(v.price("93.5")))).toEqual([`${id} turn`, `${id} bookClosing`]);
    return { v, id };
  };

  test("keeps its record over its steps and the blocks between, until the price has made it healthy", () => {
    const { v, id } = begin();
    expect(describeStory(v.do())).toEqual([]);
    expect(describeStory(later(v))).toEqual([`${id} turn`, `${id} bookClosing`]);
    expect(describeStory(v.do(v.price("97")))).toEqual([`${id} recovered`]);
    expect(describeStory(v.do())).toEqual([]);
    const next = `L-${v.state.height + 1}-0`;
    expect(describeStory(later(v, v.price("93.5")))).toEqual([`${next} turn`, `${next} bookClosing`]);
  });

  test("ends with the step that leaves nothing of it, or makes it healthy", () => {
    const { v, id } = begin();
    // Below two thirds of maintenance all of it goes.
    const story = v.do(v.price("92"));
    expect(describeStory(story)).toEqual([`${id} turn`, `${id} bookClosing`, `${id} completed`]);
  });

  test("is completed in the pass after its owner closed the rest", () => {
    const { v, id } = begin();
    expect(describeStory(v.do(v.sell("alice", "950", "94")))).toEqual([]);
    expect(describeStory(v.do())).toEqual([`${id} completed`]);
  });

  test("is completed in the pass after its market was settled", () => {
    const { v, id } = begin();
    // System transactions come before the pass.
    expect(describeStory(v.do(v.settle("95")))).toEqual([`${id} completed`]);
  });

  test("continues in forks, canonical forms and images", () => {
    const { v, id } = begin();
    const copies = [
      forkState(v.state),
      readCanonical(writeCanonical(v.state).slice()),
      readImage(writeImage(v.state).slice()),
    ];
    const roots = [v.state, ...copies].map((state) => {
      v.state = state;
      expect(describeStory(later(v))).toEqual([`${id} turn`, `${id} bookClosing`]);
      expect(describeStory(v.do(v.price("97")))).toEqual([`${id} recovered`]);
      return v.root();
    });
    expect(new Set(roots).size).toBe(1);
  });
});

test("an isolated margin account that goes to cross takes no open record along", () => {
  const v = open(true);
  const id = `L-${v.state.height + 1}-0`;
  v.do(v.price("93.5"));
  v.do(v.deposit("alice", "100000"));
  expect(describeStory(v.do(v.mode("alice", "cross")))).toEqual([`${id} recovered`]);
});

test("records that begin in a block are numbered without gaps, alongside steps of older ones", () => {
  const v = new TestVenue({
    markets: { TEST: { liquidationWhole: "500", liquidationChunk: "0.05" } },
    accounts: { alice: "10000", dave: "12000", bob: "1000000", carol: "1000000" },
    prices: { TEST: "100" },
  });
  v.do(v.sell("bob", "2000", "100"), v.buy("alice", "1000", "100"), v.buy("dave", "1000", "100"));
  v.do(v.buy("carol", "4000", "90"));
  const first = `L-${v.state.height + 1}-0`;
  expect(describeStory(v.do(v.price("93.5")))).toEqual([`${first} turn`, `${first} bookClosing`]);
  const second = `L-${v.state.height + 1}-0`;
  const story = later(v, v.price("91.9"));
  expect(describeStory(story).filter((line) => line.endsWith("turn"))).toEqual([`${first} turn`, `${second} turn`]);
});
