import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { TapeServer } from "../../../../../src/product/cluster/runs/tapes/tapeServer.ts";
import { createFolder } from "../../../../helpers/project.ts";
import { makeTape } from "./helpers.ts";

type Answer = (response: ServerResponse, bytes: Buffer, from: number, to: number) => void;

const serveRange: Answer = (response, bytes, from, to) => {
  const part = bytes.subarray(from, to + 1);
  const end = from + part.length - 1;
  response.writeHead(206, { "content-range": `bytes ${from}-${end}/${bytes.length}` }).end(part);
};

/** A file server of a folder. */
async function serve(folder: string, answer: Answer = serveRange) {
  const asked: string[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const name = basename(decodeURIComponent(request.url ?? ""));
    asked.push(`${name} ${request.headers.range}`);
    if (!readdirSync(folder).includes(name)) return response.writeHead(404).end();
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "")!;
    return answer(response, readFileSync(join(folder, name)), Number(from), Number(to));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tapes`, asked };
}

describe("tapes of a server", () => {
  test("are copied once, in ranges, and have the same bytes", async () => {
    const tape = await makeTape(400);
    const { url, asked } = await serve(tape.folder);
    const copies = createFolder();
    const tapes = new TapeServer(url, copies, { partBytes: 1_000 });
    const [path, same] = await Promise.all([tapes.find(tape.hash, "btc.tape"), tapes.find(tape.hash, "btc.tape")]);
    expect(same).toBe(path);
    expect(readFileSync(path)).toEqual(readFileSync(tape.path));
    const parts = Math.ceil(readFileSync(tape.path).length / 1_000);
    expect(parts).toBeGreaterThan(3);
    // The name by hash is asked for first, and is not there.
    expect(asked).toHaveLength(parts + 1);
    expect(await new TapeServer(url, copies, { partBytes: 1_000 }).find(tape.hash, "btc.tape")).toBe(path);
    expect(asked).toHaveLength(parts + 1);
  });

  test("survive a server that fails now and then", async () => {
    const tape = await makeTape(400);
    let count = 0;
    const { url } = await serve(tape.folder, (response, ...range) => {
      if (count++ % 2 === 0) response.writeHead(503).end();
      else serveRange(response, ...range);
    });
    const path = await new TapeServer(url, createFolder(), { partBytes: 20_000, pauseMs: 1 }).find(
      tape.hash,
      "btc.tape",
    );
    expect(readFileSync(path)).toEqual(readFileSync(tape.path));
  });

  test.each([
    [
      "another tape under the name",
      "TAPE_WRONG",
      (bytes: Buffer, other: Buffer) => Buffer.from(other.length > 0 ? other : bytes),
    ],
    ["one changed byte of a chunk", "TAPE_WRONG", (bytes: Buffer) => flip(bytes, 200)],
    ["one changed byte of the index", "TAPE_WRONG", (bytes: Buffer) => flip(bytes, bytes.length - 100)],
    ["a tape that was cut off", "TAPE_WRONG", (bytes: Buffer) => bytes.subarray(0, bytes.length - 10)],
  ])("are refused: %s", async (_name, code, spoil) => {
    const [tape, other] = [await makeTape(40), await makeTape(41)];
    const folder = createFolder();
    writeFileSync(join(folder, "btc.tape"), spoil(readFileSync(tape.path), readFileSync(other.path)));
    const { url } = await serve(folder);
    const copies = createFolder();
    await expect(new TapeServer(url, copies).find(tape.hash, "btc.tape")).rejects.toMatchObject({
      code,
      place: `${url}/btc.tape`,
    });
    expect(readdirSync(copies)).toEqual([]);
  });

  test("are named where they are missing, or where the server knows no ranges", async () => {
    const tape = await makeTape(40);
    const empty = await serve(createFolder());
    await expect(new TapeServer(empty.url, createFolder()).find(tape.hash, "btc.tape")).rejects.toMatchObject({
      code: "TAPE_MISSING",
      message: `the server has neither ${tape.hash}.tape nor btc.tape`,
    });
    const whole = await serve(tape.folder, (response, bytes) => void response.writeHead(200).end(bytes));
    await expect(new TapeServer(whole.url, createFolder()).find(tape.hash, "btc.tape")).rejects.toMatchObject({
      code: "TAPE_UNREACHABLE",
      message: "status 200 to a request for a range of bytes",
    });
    const gone = new TapeServer("http://127.0.0.1:1/", createFolder(), { pauseMs: 1 });
    await expect(gone.find(tape.hash, "btc.tape")).rejects.toMatchObject({ code: "TAPE_UNREACHABLE" });
  });
});

function flip(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at]! ^= 1;
  return copy;
}
