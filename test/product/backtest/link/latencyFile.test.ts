import { expect, test } from "vitest";
import { parseLatencyFile } from "../../../../src/product/backtest/link/latencyFile.ts";
import { SAMPLES_MOST } from "../../../../src/product/backtest/link/latencyModel.ts";

test("times are UTC texts or ms, in either order of the columns, with the marks of other programs", () => {
  const expected = { file: "a.csv", times: [1_709_640_000_000, 1_709_640_001_500], latencies: [12, 0] };
  const texts = [
    "time,latency\n1709640000000,12\n1709640001500,0\n",
    "\uFEFFlatency, time\r\n12, 2024-03-05T12:00\r\n0, 2024-03-05T12:00:01.500Z\r\n\r\n",
  ];
  for (const text of texts) expect(parseLatencyFile("--latency", "a.csv", text)).toEqual(expected);
});

test.each([
  ["", /a\.csv:1: the file is empty/],
  ["1709640000000,12", /a\.csv:1: .*not time,latency/],
  ["time,latency", /a\.csv:1: there is no sample/],
  ["time,latency\n1,2,3", /a\.csv:2: 3 values in place of 2/],
  ["time,latency\n5,1\n\n6,1", /a\.csv:3: 1 values in place of 2/],
  ["time,latency\nsoon,2", /a\.csv:2: "soon" is no time/],
  ["time,latency\n5,1\n4,1", /a\.csv:3: its time is not later/],
  ["time,latency\n5,1\n5,1", /a\.csv:3: its time is not later/],
  ["time,latency\n5,-1", /a\.csv:2: "-1" is no latency/],
  ["time,latency\n5,1.5", /a\.csv:2: "1.5" is no latency/],
  ["time,latency\n5,", /a\.csv:2: "" is no latency/],
  ["time,latency\n5,86400001", /a\.csv:2: "86400001" is no latency/],
])("a file is refused with its line: %j", (text, message) => {
  expect(() => parseLatencyFile("--latency", "a.csv", text)).toThrow(
    expect.objectContaining({ code: "OPTION_INVALID", place: "--latency", message: expect.stringMatching(message) }),
  );
});

test("a file with too many samples is refused", () => {
  const text = `time,latency\n${"1,1\n".repeat(SAMPLES_MOST + 1)}`;
  expect(() => parseLatencyFile("--latency", "a.csv", text)).toThrow("a.csv:100002: more than 100000 samples");
});
