import { readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { createDevnet } from "../../../../src/server/devnet/index.ts";
import { projectRoot } from "../../../helpers/project.ts";

interface Message {
  readonly type: string;
  readonly seq: number;
  readonly prevSeq: number;
  readonly checksum: number;
  readonly data: { readonly bids: [string, string][]; readonly asks: [string, string][] };
  readonly streams: Readonly<Record<string, number>>;
}

/** The example of a subscription, as the page of the wire has it. */
function readExample(): string {
  const page = readFileSync(join(projectRoot, "docs/reference/wire.md"), "utf8");
  return /## Streams[^#]*?```json\n(.*?)\n```/s.exec(page)![1]!;
}

/** The checksum in the words of the page: asks, then bids; no point, no leading zeros. */
function checksumOf({ bids, asks }: Message["data"]): number {
  const digits = (text: string) => text.replace(".", "").replace(/^0+/, "");
  const levels = [...asks.slice(0, 10), ...bids.slice(0, 10)];
  return crc32(levels.map(([price, size]) => digits(price) + digits(size)).join(""));
}

// Goal: a bot in any language can follow a book from the page of the wire alone. Method: its example over a real
// socket, with no code of the client.
test("a client made from the page of the wire follows a book", async () => {
  const devnet = await createDevnet({ makers: { count: 1, seed: 7 } });
  onTestFinished(() => devnet.close());
  const { url } = await devnet.listen();
  const socket = new WebSocket(`${url.replace("http", "ws")}/ws/v1`);
  const messages: Message[] = [];
  let wake = () => {};
  socket.addEventListener("message", ({ data }) => {
    messages.push(JSON.parse(String(data)) as Message);
    wake();
  });
  const next = async (type: string) => {
    for (;;) {
      const at = messages.findIndex((message) => message.type === type);
      if (at >= 0) return messages.splice(at, 1)[0]!;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };

  await next("welcome");
  socket.send(readExample());
  expect(await next("subscribed")).toMatchObject({ id: 1, stream: "book/BTC-PERP/10" });
  const snapshot = await next("snapshot");
  expect(snapshot.data.bids.length).toBeGreaterThan(1);
  expect(snapshot.checksum).toBe(checksumOf(snapshot.data));

  await devnet.setPrice("BTC-PERP", "50000");
  const delta = await next("delta");
  expect(delta.prevSeq).toBe(snapshot.seq);
  const change = (side: "bids" | "asks", sign: number) => {
    const levels = new Map([...snapshot.data[side], ...delta.data[side]]);
    const left = [...levels].filter(([, size]) => size !== "0");
    return left.sort(([a], [b]) => sign * (Number(a) - Number(b)));
  };
  const changed = { bids: change("bids", -1), asks: change("asks", 1) };
  expect(changed.bids).not.toEqual(snapshot.data.bids);
  expect(delta.checksum).toBe(checksumOf(changed));
  socket.close();
});

test("an unknown path names the list of all paths, and the path of the socket names its protocol", async () => {
  const devnet = await createDevnet();
  onTestFinished(() => devnet.close());
  const { url } = await devnet.listen();
  const detailOf = async (path: string) => ((await (await fetch(url + path)).json()) as { detail: string }).detail;
  expect(await detailOf("/status")).toBe("There is nothing at /status. `/api/v1/openapi.json` lists every path.");
  expect(await detailOf("/ws/v1")).toContain("It is a WebSocket");
});
