import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { decode, encode } from "@msgpack/msgpack";
import { expect, test } from "vitest";
import { createFolder, projectRoot } from "../helpers/project.ts";

// Goal: a program of any language can speak to the host. Method: what such a program sends is written down in advance,
// since the host answers in a known order.

const BIN = join(projectRoot, "bin/perplab.js");
const BARS = join(projectRoot, "data/BTC-PERP-klines-1m-2024-07-19.csv.gz");

function frame(message: unknown): Buffer {
  const body = encode(message);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
}

/** Sends frames, closes the input, and returns what came back. */
function converse(...frames: readonly Buffer[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [BIN, "strategy-host"], {
    input: Buffer.concat(frames),
    maxBuffer: 1 << 26,
  });
  const messages: unknown[][] = [];
  for (let at = 0; at < stdout.length; ) {
    const length = stdout.readUInt32BE(at);
    messages.push(decode(stdout.subarray(at + 4, at + 4 + length)) as unknown[]);
    at += 4 + length;
  }
  return { messages: messages.filter(([tag]) => tag !== "progress"), err: stderr.toString(), status };
}

const work = (fields: object) => ({ words: [`--data=${BARS}`, "--to=2024-07-19T01:00"], command: "again", ...fields });

test("the host sends its greeting, and ends with its client", () => {
  const { messages, status, err } = converse();
  expect(messages).toEqual([["hello", 1, expect.stringMatching(/^\d+\.\d+\.\d+/)]]);
  expect(err).toBe("");
  expect(status).toBe(0);
});

test("an example runs by its name, and the next work after it", () => {
  const asked = frame(["backtest", work({ strategy: "trend" })]);
  const { messages } = converse(asked, asked);
  const [, first, second] = messages;
  expect(first![0]).toBe("result");
  expect(first![1]).toMatchObject({ root: expect.stringMatching(/^0x[0-9a-f]{64}$/), stopped: null, written: [] });
  expect((second![1] as { root: string }).root).toBe((first![1] as { root: string }).root);
});

test("a client that does nothing gets 60 bars in messages that double, and the result", () => {
  const strategy = { id: "idle", hooks: ["onBar"], params: {} };
  const replies = [0, 1, 3, 7, 15, 27, 0].map((at) => frame(["done", at]));
  const { messages } = converse(frame(["backtest", work({ strategy })]), ...replies);
  const counts = messages.filter(([tag]) => tag === "bars").map(([, , bars]) => (bars as unknown[]).length);
  expect(counts).toEqual([1, 2, 4, 8, 16, 28, 1]);
  expect(messages.at(-1)![0]).toBe("result");
});

test("output of a strategy in a file does not mix with messages", () => {
  const folder = createFolder({
    "loud.ts": `import { defineStrategy, Type } from "perplab/strategy";
export default defineStrategy({ id: "loud", params: Type.Object({}), init: () => console.log("here I am"), onBar() {} });`,
  });
  const { messages, err } = converse(frame(["backtest", work({ strategy: join(folder, "loud.ts") })]));
  expect(messages.map(([tag]) => tag)).toEqual(["hello", "result"]);
  expect(err).toContain("here I am");
});

test.each<readonly [string, unknown, string, string]>([
  ["no list", 5, "MESSAGE_INVALID", "there is no work"],
  ["an unknown work", ["dance", {}], "MESSAGE_INVALID", 'no work "dance"'],
  ["a member of every object as a work", ["constructor", {}], "MESSAGE_INVALID", 'no work "constructor"'],
  [
    "a work with an unknown field",
    ["backtest", work({ strategy: "trend", speed: 9 })],
    "MESSAGE_INVALID",
    "no field speed",
  ],
  [
    "words that are no texts",
    ["backtest", work({ strategy: "trend", words: [1] })],
    "MESSAGE_INVALID",
    "list of texts",
  ],
  [
    "an unknown option",
    ["backtest", work({ strategy: "trend", words: [`--data=${BARS}`, "--leverge=3"] })],
    "USAGE",
    "--leverge",
  ],
  [
    "a look-ahead check",
    ["backtest", work({ strategy: "trend", words: [`--data=${BARS}`, "--check-lookahead"] })],
    "OPTION_INVALID",
    "does not take it",
  ],
  ["a strategy that there is not", ["backtest", work({ strategy: "trent" })], "STRATEGY_UNKNOWN", "trent"],
])("%s is answered, and the host stays", (_name, message, code, reason) => {
  const { messages, status } = converse(frame(message), frame(["backtest", work({ strategy: "trend" })]));
  expect(messages[1]).toEqual([
    "failed",
    expect.objectContaining({ code, message: expect.stringContaining(reason) }),
    null,
  ]);
  expect(messages[2]![0]).toBe("result");
  expect(status).toBe(0);
});

test("bytes that are no message end it with an error", () => {
  const long = Buffer.from([0xff, 0xff, 0xff, 0xff]);
  const { err, status } = converse(long);
  expect(err).toContain("MESSAGE_INVALID");
  expect(err).toContain("4294967295 bytes");
  expect(status).toBe(1);
  expect(converse(Buffer.from([0, 0, 0, 1, 0xc1])).err).toContain("is no MessagePack");
});

test("files are written whole, and named in the result", () => {
  const folder = createFolder();
  const out = join(folder, "made/report.json");
  const { messages } = converse(
    frame(["backtest", work({ strategy: "trend", words: [`--data=${BARS}`, `--out=${out}`] })]),
  );
  expect(messages[1]![1]).toMatchObject({ written: [out] });
  writeFileSync(join(folder, "file"), "");
  const taken = join(folder, "file/report.json");
  const refused = converse(
    frame(["backtest", work({ strategy: "trend", words: [`--data=${BARS}`, `--out=${taken}`] })]),
  );
  expect(refused.messages[1]![1]).toMatchObject({ code: "FOLDER_EXPECTED" });
});
