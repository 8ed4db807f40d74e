import { expect, test } from "vitest";
import { run } from "./helpers.ts";
import { hourlyBars, memorySource } from "./memorySource.ts";

const data = memorySource(hourlyBars([[100, 101, 99, 100]]));

test("a report names the command that makes it again: every setting that is not the default", async () => {
  const { report } = await run({ data, dataNames: ["BTC=my bars.csv"], leverage: 3, seed: "it's" });
  expect(report.run.command).toBe(
    "perplab backtest test --data 'BTC=my bars.csv' --leverage 3 --fees 0/0 --latency 0 --tick 1 --lot 0.01 " +
      "--seed 'it'\\''s'",
  );
});

test("a command that the caller gives is used unchanged", async () => {
  const { report } = await run({ data, command: "perplab backtest ./mine.ts --data x.tape" });
  expect(report.run.command).toBe("perplab backtest ./mine.ts --data x.tape");
});
