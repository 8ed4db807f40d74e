import { expect, test } from "vitest";
import { createReadingPace } from "../../src/cli/readingPace.ts";

/** A note after some seconds of reading. */
function noteAfter(seconds: number, bytesDone: number, rows: number, interactive = false): string {
  let ms = 5000;
  const describe = createReadingPace({ interactive }, () => ms);
  ms += seconds * 1000;
  return describe({ bytesDone, bytesTotal: 1000, rows });
}

test("the rate and the time left follow from what was read so far", () => {
  expect(noteAfter(2, 250, 5_000_000)).toBe("5,000,000 rows, 2,500,000 rows/s, 6 s left");
  expect(noteAfter(60, 500, 60)).toBe("60 rows, 1 rows/s, 1 min 0 s left");
  expect(noteAfter(3600, 250, 3_600_000)).toBe("3,600,000 rows, 1,000 rows/s, 3 h 0 min left");
  expect(noteAfter(1, 1000, 10)).toBe("10 rows, 10 rows/s, 0 s left");
});

test("a rate of the first moments is not shown, and a terminal's bar has the time left of its own", () => {
  expect(noteAfter(0.2, 250, 5)).toBe("5 rows");
  expect(noteAfter(2, 0, 0)).toBe("0 rows");
  expect(noteAfter(2, 250, 5000, true)).toBe("5,000 rows, 2,500 rows/s");
});
