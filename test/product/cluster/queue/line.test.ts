import { expect, test } from "vitest";
import {
  describeLine,
  isQueueName,
  isSameLine,
  type Line,
  queueNameOf,
} from "../../../../src/product/cluster/queue/line.ts";

const line: Line = { perplab: "0.1.0", code: "ab".repeat(32), node: 24 };

test("another code or another Node line is another line with another queue; the name of a version is not", () => {
  for (const other of [
    { ...line, code: "ac".repeat(32) },
    { ...line, node: 22 },
  ]) {
    expect(isSameLine(line, other)).toBe(false);
    expect(queueNameOf(other)).not.toBe(queueNameOf(line));
  }
  expect(isSameLine(line, { ...line, perplab: "0.2.0" })).toBe(true);
});

test("the name of a queue is known as one", () => {
  expect(isQueueName(queueNameOf(line))).toBe(true);
  for (const name of ["jobs", "jobs-x-node24", "bull", `${queueNameOf(line)}:meta`])
    expect(isQueueName(name)).toBe(false);
  expect(describeLine(line)).toBe("perplab 0.1.0 (code abababababab) on Node 24");
});
