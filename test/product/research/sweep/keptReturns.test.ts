import { expect, test } from "vitest";
import type { DailyReturns, RunRecord } from "../../../../src/product/research/runs/record.ts";
import { KeptReturns } from "../../../../src/product/research/sweep/keptReturns.ts";

const daily = (returns: number[]): DailyReturns => ({ fromMs: 0, returns, before: 0, after: 0 });

function record(hash: string, own: DailyReturns | null, bold: DailyReturns | null = null): RunRecord {
  return { hash, daily: own, strategies: [{ name: "bold", daily: bold }] } as unknown as RunRecord;
}

const unread = (): never => {
  throw new Error("a record is read again");
};

test("returns of a run that was added are not read again; a failed run has none", () => {
  const kept = new KeptReturns(undefined);
  kept.add(record("a", daily([1, 2])));
  kept.add(record("b", null));
  expect(kept.find({ hash: "a", state: "traded" }, unread)).toEqual(daily([1, 2]));
  expect(kept.find({ hash: "b", state: "traded" }, unread)).toBeNull();
  expect(kept.find({ hash: "c", state: "failed" }, unread)).toBeNull();
});

test("of one of several strategies its own returns are kept", () => {
  const kept = new KeptReturns("bold");
  kept.add(record("a", daily([1]), daily([2])));
  expect(kept.find({ hash: "a", state: "traded" }, unread)).toEqual(daily([2]));
});

test("beyond the greatest number of values a run is read again, as is one that was not added", () => {
  const kept = new KeptReturns("bold", 3);
  kept.add(record("a", null, daily([1, 2, 3])));
  kept.add(record("b", null, daily([4])));
  const read = (hash: string) => (hash === "b" ? record("b", null, daily([5])) : undefined);
  expect(kept.find({ hash: "a", state: "idle" }, unread)).toEqual(daily([1, 2, 3]));
  expect(kept.find({ hash: "b", state: "idle" }, read)).toEqual(daily([5]));
  expect(kept.find({ hash: "c", state: "idle" }, read)).toBeNull();
});
