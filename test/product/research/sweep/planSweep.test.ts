import { expect, test } from "vitest";
import type { RunJob } from "../../../../src/product/research/runs/job.ts";
import type { Axis } from "../../../../src/product/research/sweep/grid/grid.ts";
import { planSweep } from "../../../../src/product/research/sweep/planSweep.ts";

const job: RunJob = {
  code: "c",
  data: "d",
  strategies: [
    { name: "bold", strategy: "s", params: { fast: 1, slow: 2 }, leverage: 5 },
    { name: "calm", strategy: "s", params: { fast: 3, slow: 4 } },
  ],
  options: { leverage: 2, parameters: { makerFee: "0" } },
};

const plan = (...axes: Axis[]) =>
  planSweep(job, axes, { conditions: [], fixed: new Map(), seed: "1" }).cells.map((cell) => cell.job);

test("an axis of one strategy changes its parameter or its account, and nothing else", () => {
  const [first] = plan(
    { name: "fast@calm", of: "calm", values: [{ text: "9", value: 9, params: { fast: 9 } }] },
    { name: "leverage@calm", of: "calm", values: [{ text: "3", value: 3, options: { leverage: 3 } }] },
  );
  expect(first).toEqual({
    ...job,
    strategies: [job.strategies[0], { name: "calm", strategy: "s", params: { fast: 9, slow: 4 }, leverage: 3 }],
  });
});

test("an axis of all accounts holds over what an account has of its own", () => {
  const jobs = plan({
    name: "leverage",
    values: [1, 4].map((leverage) => ({ text: `${leverage}`, value: leverage, options: { leverage } })),
  });
  expect(jobs.map(({ options }) => options.leverage)).toEqual([1, 4]);
  for (const { strategies } of jobs) expect(strategies.map(({ leverage }) => leverage)).toEqual([undefined, undefined]);
});

test("an axis of a connection changes that of its strategy alone", () => {
  const [first] = plan({
    name: "rate-limit@calm",
    of: "calm",
    values: [{ text: "10/1s", value: "10/1s", options: { rateLimit: "10/1s" } }],
  });
  expect(first!.options).toEqual(job.options);
  expect(first!.strategies.map(({ rateLimit }) => rateLimit)).toEqual([undefined, "10/1s"]);
});

test("an axis of the markets is added to their parameters", () => {
  const options = { parameters: { takerFee: "0.001" } } as const;
  const [first] = plan({ name: "takerFee", values: [{ text: "0.001", value: 0.001, options }] });
  expect(first!.options.parameters).toEqual({ makerFee: "0", takerFee: "0.001" });
  expect(first!.strategies).toEqual(job.strategies);
});
