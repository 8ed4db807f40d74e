/** Kills a host in a process of its own again and again, and looks each time at what it left. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Bytes32 } from "../../src/protocol/fields.ts";
import { openHost } from "../../src/server/host/openHost.ts";
import type { RunningHost } from "../../src/server/host/runningHost.ts";
import { computeRoot } from "../../src/venue/engine/commitment/root.ts";
import { createVenue } from "../../src/venue/engine/genesis.ts";
import type { AccountRow } from "../../src/venue/engine/state/schema.ts";
import { Simulation } from "../../src/venue/simulation/simulation.ts";
import { CLIENT_KEYS, testGenesis } from "./host.ts";

export interface Cycle {
  /** Transactions that were acknowledged in this cycle. */
  readonly acknowledged: number;
  /** Of them, that the next process did not know. */
  readonly lost: number;
  /** Ids that are in the chain more than once. */
  readonly twice: number;
  readonly height: number;
  /** Whether all blocks from genesis on lead to the venue that was found. */
  readonly sameRoot: boolean;
}

/**
 * Starts a host, kills it in the middle of its work, and checks the folder.
 *
 * @param after the number of acknowledgements after which it is killed, 0 for as soon as it is ready: a slow machine is
 *              killed in the same states as a fast one
 */
export async function runCrashCycle(directory: string, after: number): Promise<Cycle> {
  const nonces = await inspect(directory, ({ state }) =>
    CLIENT_KEYS.map((_, row) => state.accounts.nonceTrading[row as AccountRow]),
  );
  const acknowledged = await runUntilKilled(directory, nonces.join(), after);
  return inspect(directory, (host) => {
    const seen = new Set<Bytes32>();
    const replay = new Simulation(createVenue(host.genesis));
    let twice = 0;
    for (let height = 1; height <= host.state.height; height++) {
      const block = host.block(height)!;
      for (const id of block.ids) {
        if (seen.has(id)) twice++;
        seen.add(id);
      }
      replay.apply(block);
    }
    const lost = acknowledged.filter((id) => !seen.has(id) && host.transaction(id)?.status !== "pending").length;
    const sameRoot = computeRoot(replay.state) === computeRoot(host.state);
    return { acknowledged: acknowledged.length, lost, twice, height: host.state.height, sameRoot };
  });
}

async function inspect<T>(directory: string, look: (host: RunningHost) => T): Promise<T> {
  const host = await openHost({ directory, genesis: testGenesis, blocks: { mode: "auto" } });
  // What waits is put into a block first.
  await host.mine();
  const seen = look(host);
  await host.close();
  return seen;
}

async function runUntilKilled(directory: string, nonces: string, after: number): Promise<Bytes32[]> {
  const program = join(import.meta.dirname, "killedHost.ts");
  const child = spawn(process.execPath, [program, directory, nonces], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<string | null>((resolve) => child.on("close", (_, signal) => resolve(signal)));
  const acknowledged: Bytes32[] = [];
  for await (const line of createInterface({ input: child.stdout! })) {
    if (/ 0x[0-9a-f]{64}$/.test(line)) acknowledged.push(line.slice(-66) as Bytes32);
    if (acknowledged.length >= after) child.kill("SIGKILL");
  }
  const signal = await ended;
  if (signal !== "SIGKILL") throw new Error("the host ended by itself");
  return acknowledged;
}
