/** `perplab serve` in a process of its own, on disk, with the accounts of `benchGenesis`. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadKeccak } from "../../src/client/signing/keccak.ts";
import { createDigester, type Digester } from "../../src/protocol/typedDataDigest.ts";
import { benchGenesis } from "./serviceFlow.ts";

export interface ServedVenue {
  readonly port: number;
  readonly pid: number;
  readonly domain: { readonly genesisHash: `0x${string}`; readonly chainId: number };
  readonly digester: Digester;
  /** From the start of the process until it listens, ms. */
  readonly readyMs: number;
  close(): Promise<void>;
}

export async function serveVenue(limits: "off" | "dev" | "public"): Promise<ServedVenue> {
  const folder = mkdtempSync(join(tmpdir(), "perplab-served-"));
  const genesisFile = join(folder, "genesis.json");
  const { accounts, validityMax } = benchGenesis;
  writeFileSync(genesisFile, JSON.stringify({ accounts, validityMax }));
  const config = join(folder, "config.json");
  const startedMs = performance.now();
  const server = spawn(
    process.execPath,
    [
      join(import.meta.dirname, "..", "..", "bin", "perplab.js"),
      "serve",
      ...["--port", "0", "--genesis", genesisFile, "--store", join(folder, "venue"), "--limits", limits],
      ...["--price", "BTC-PERP=50000", "--config-out", config],
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  // A flooded venue may log thousands of lines; the last are enough to see why one ended.
  let logged = "";
  server.stderr.on("data", (text: Buffer) => {
    logged = (logged + String(text)).slice(-2_000);
  });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  const close = async (): Promise<void> => {
    server.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const port = await new Promise<number>((resolve, reject) => {
      let said = "";
      server.stdout.on("data", (text: Buffer) => {
        said += String(text);
        const found = /Listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(said);
        if (found !== null) resolve(Number(found[1]));
      });
      server.once("exit", (code) => reject(new Error(`the venue ended with ${code}: ${logged}`)));
    });
    const readyMs = performance.now() - startedMs;
    const domain = JSON.parse(readFileSync(config, "utf8")) as ServedVenue["domain"];
    const digester = createDigester(domain, await loadKeccak());
    return { port, pid: server.pid!, domain, digester, readyMs, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** CPU time so far, ms. */
export interface ProcessCpu {
  /** Of the thread that runs the event loop. */
  readonly loopMs: number;
  /** Of all threads: those that verify, compile and collect as well. */
  readonly allMs: number;
}

/** CPU time of a process, to the nanosecond. Undefined where the kernel does not report it: only Linux does. */
export function cpuOfProcess(pid: number): ProcessCpu | undefined {
  const read = (path: string) => Number(readFileSync(path, "latin1").split(" ", 1)[0]) / 1e6;
  try {
    const loopMs = read(`/proc/${pid}/schedstat`);
    let allMs = 0;
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      try {
        allMs += read(`/proc/${pid}/task/${thread}/schedstat`);
      } catch {
        // A thread that ended since it was listed.
      }
    }
    return { loopMs, allMs };
  } catch {
    return undefined;
  }
}
