/**
 * A host that runs until it is killed: the program of `crashCycles.ts`. Sends transactions without end, and says which
 * were acknowledged as soon as they are: `<client> <nonce>` a line.
 *
 *     node killedHost.ts <folder> <first nonce of each client, with commas>
 */
import { writeSync } from "node:fs";
import { openHost } from "../../src/server/host/openHost.ts";
import { CLIENT_KEYS, submit, TestClient, testGenesis } from "./host.ts";

const [directory, nonces] = process.argv.slice(2) as [string, string];
const first = nonces.split(",").map(Number);
const host = await openHost({ directory, genesis: testGenesis, segmentBytes: 1 << 18, snapshotBytes: 1 << 17 });

async function send(client: number): Promise<void> {
  const from = new TestClient(CLIENT_KEYS[client]!, testGenesis);
  for (let nonce = first[client]!; ; nonce++) {
    const signed = from.noop({ nonce, validFrom: host.state.height, validUntil: host.state.height + 1200 });
    const { accepted } = await submit(host, signed);
    if (!accepted) throw new Error(`nonce ${nonce} of client ${client} was not taken`);
    writeSync(1, `${client} ${nonce} ${signed.id}\n`);
  }
}

writeSync(1, "ready\n");
await Promise.all(CLIENT_KEYS.map((_, client) => send(client)));
