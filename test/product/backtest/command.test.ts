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

test("every part of the connection is in the command, a recorded latency by the path that it was given", async () => {
  const { report } = await run({
    data,
    dataNames: ["btc.csv"],
    latencyMs: { file: "mine/latencies.csv", times: [0], latencies: [20] },
    feedLatencyMs: "lognormal(20,0.5)",
    receiptLatencyMs: 30,
    rateLimit: "10/1s,300/1m",
    outages: [
      { fromMs: Date.UTC(2024, 0, 1), toMs: Date.UTC(2024, 0, 2) },
      { fromMs: Date.UTC(2024, 0, 3), toMs: Date.UTC(2024, 0, 4), stops: "feed" },
    ],
  });
  expect(report.run.command).toBe(
    "perplab backtest test --data btc.csv --fees 0/0 --latency mine/latencies.csv --feed-latency 'lognormal(20,0.5)' " +
      "--receipt-latency 30 --rate-limit 10/1000ms,300/60000ms " +
      "--outage 2024-01-01T00:00:00.000Z..2024-01-02T00:00:00.000Z " +
      "--outage 2024-01-03T00:00:00.000Z..2024-01-04T00:00:00.000Z:feed --tick 1 --lot 0.01",
  );
});

test("a command that the caller gives is used unchanged", async () => {
  const { report } = await run({ data, command: "perplab backtest ./mine.ts --data x.tape" });
  expect(report.run.command).toBe("perplab backtest ./mine.ts --data x.tape");
});
