import { expect, test } from "vitest";
import { withProgress } from "../../src/cli/progress.ts";
import { createRecordingTerminal } from "../helpers/terminal.ts";

const reading = { label: "reading", total: 1_234_567, unit: "rows" };

test("without a terminal, a line is printed at each tenth, once, and one at the end", async () => {
  const terminal = createRecordingTerminal();
  const result = await withProgress(terminal, reading, (progress) => {
    for (let done = 0; done <= reading.total; done += 12_345) progress.update(done);
    return "read";
  });
  expect(result).toBe("read");
  expect(terminal.outLines).toEqual([]);
  expect(terminal.errLines).toEqual([
    "reading: 1,234,567 rows",
    ...[10, 20, 30, 40, 50, 60, 70, 80, 90].map((percent) => `reading: ${percent}%`),
    "reading: done",
  ]);
});

test("a note names the current work", async () => {
  const terminal = createRecordingTerminal();
  await withProgress(terminal, { ...reading, total: 2 }, (progress) => progress.update(1, "2021-05-19"));
  expect(terminal.errLines[1]).toBe("reading: 50%, 2021-05-19");
});

test("a work of unknown length says when it starts and when it is done", async () => {
  const terminal = createRecordingTerminal({ interactive: true });
  await withProgress(terminal, { ...reading, total: 0 }, (progress) => progress.update(5));
  expect(terminal.errLines).toEqual(["reading …", "reading: done"]);
});

test("a total that is known better later moves the tenths, and none is printed twice", async () => {
  const terminal = createRecordingTerminal();
  await withProgress(terminal, { ...reading, total: 10 }, (progress) => {
    progress.update(2, "a guess");
    progress.update(4, "more than it seemed", 40);
    progress.update(12, "as it is", 24);
  });
  expect(terminal.errLines).toEqual([
    "reading: 10 rows",
    "reading: 20%, a guess",
    "reading: 50%, as it is",
    "reading: done",
  ]);
});

test("a work that fails does not say that it is done", async () => {
  const terminal = createRecordingTerminal();
  const work = withProgress(terminal, reading, () => {
    throw new Error("broken");
  });
  await expect(work).rejects.toThrow("broken");
  expect(terminal.errLines).toEqual(["reading: 1,234,567 rows"]);
});
