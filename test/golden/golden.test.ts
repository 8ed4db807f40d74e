import { expect, test } from "vitest";
import { makeGolden, readGolden, STREAMS } from "../../scripts/golden.ts";

// Goal: the same blocks come to the same venue on every machine, today and later. `npm run test:runtimes` runs this on
// the oldest, the own and the newest Node. Where a rule changed on purpose: `npm run golden -- --update`.
test.each(Object.entries(STREAMS))("stream %s comes to its roots and heads", (name, stream) => {
  const kept = readGolden(name)!;
  const made = makeGolden(stream);
  // The first checkpoint that differs says most.
  for (const [place, checkpoint] of kept.checkpoints.entries()) {
    expect(made.checkpoints[place], `protocol ${made.protocolVersion}, block ${checkpoint.height}`).toEqual(checkpoint);
  }
  expect(made).toEqual(kept);
});
