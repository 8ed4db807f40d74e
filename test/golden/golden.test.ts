import { expect, test } from "vitest";
import { makeGolden, readGolden, STREAMS } from "../../scripts/golden.ts";
import { Reached } from "../../src/proof/fuzz/flow/reached.ts";
import { ACTION_NAMES } from "../../src/protocol/actions/index.ts";
import { EVENT_KINDS, LIQUIDATION_STAGES } from "../../src/protocol/events.ts";
import { runFlow } from "../helpers/flows.ts";

// Goal: the same blocks come to the same venue on every machine, today and later. `npm run test:runtimes` runs this on
// the oldest, the own and the newest Node. Where a rule changed on purpose: `npm run golden -- --update`.
test.each(Object.entries(STREAMS))("stream %s reproduces its roots and heads", (name, stream) => {
  const kept = readGolden(name)!;
  const made = makeGolden(stream);
  // The first checkpoint that differs says most.
  for (const [place, checkpoint] of kept.checkpoints.entries()) {
    expect(made.checkpoints[place], `protocol ${made.protocolVersion}, block ${checkpoint.height}`).toEqual(checkpoint);
  }
  expect(made).toEqual(kept);
});

test("together the streams have every action, every kind of event and every stage of a liquidation", () => {
  const reached = new Reached();
  for (const { seed, blocks } of Object.values(STREAMS)) {
    runFlow(seed, blocks, (_state, block, result) => reached.add(block, result));
  }
  const wanted = [
    ...ACTION_NAMES.map((name) => `${name} applied`),
    ...EVENT_KINDS.map((kind) => `event ${kind}`),
    // The event `liquidationStarted` reports the first stage.
    ...LIQUIDATION_STAGES.filter((stage) => stage !== "open").map((stage) => `liquidationStage ${stage}`),
  ];
  expect(wanted.filter((name) => !reached.counts.has(name))).toEqual([]);
});
