import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { StreamName } from "../../../../src/client/api/socket/channels.ts";
import { createService } from "../../../../src/server/face/service.ts";
import { DEVELOPMENT_AUTHORITY_KEYS, developmentGenesis } from "../../../../src/server/host/development.ts";
import { openHost } from "../../../../src/server/host/openHost.ts";

const directory = mkdtempSync(join(tmpdir(), "perplab-streams-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

type Message = Readonly<Record<string, unknown>> & { readonly type: string; readonly seq: number };

async function open() {
  const genesis = developmentGenesis({ timeMs: 1_700_000_000_000 });
  const host = await openHost({
    directory,
    genesis,
    authorityKeys: DEVELOPMENT_AUTHORITY_KEYS,
    blocks: { mode: "manual" },
  });
  const { hub } = createService(host, { limits: "off" });
  const follow = (name: StreamName, more: object = {}) => {
    const messages: Message[] = [];
    const peer = { client: "t", buffered: 0, send: (text: string) => messages.push(JSON.parse(text)), close() {} };
    hub.connect(peer)!.receive(JSON.stringify({ op: "subscribe", id: 1, ...name, ...more }));
    return messages;
  };
  return { host, follow };
}

test("a stream is resumed from a venue that was stopped and started again", async () => {
  const first = await open();
  const messages = first.follow({ channel: "blocks" });
  for (let count = 0; count < 6; count++) await first.host.mine();
  const deltas = messages.filter(({ type }) => type === "delta");
  expect(deltas.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
  await first.host.close();

  const again = await open();
  const epoch = again.host.epoch;
  expect(epoch).toBe(deltas[0]!["epoch"]);
  const resumed = again.follow({ channel: "blocks" }, { resume: { epoch, seq: 3, hash: deltas[2]!["hash"] } });
  expect(resumed.filter(({ type }) => type === "delta")).toEqual(deltas.slice(3));
  await again.host.mine();
  expect(resumed.at(-1)).toMatchObject({ type: "delta", seq: 7, prevSeq: 6 });
  await again.host.close();
});
