import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { defineCommand } from "../command.ts";
import { failure, printFailure, usageError } from "../fail.ts";
import { addHistoryOptions } from "../historyOptions.ts";
import { createColors } from "../terminal.ts";
import { readCount, readDuration, readWhole, readWord, TIMER_DAYS } from "../values.ts";
import type { ServeOptions } from "./serve/options.ts";

/** Serves a venue until it is stopped. */
export const serveCommand = defineCommand<ServeOptions>({
  name: "serve",
  alias: "devnet",
  summary: "Serve a development venue by REST and WebSocket",
  description:
    "Starts a local venue with markets, prices and ten funded accounts, and serves it until Ctrl-C. Without --store " +
    "the venue is kept in memory and lost at the end, and the next start is a new network. With it, everything " +
    "acknowledged is on disk, and the next start continues from there. It listens on loopback unless --host names " +
    "another address.",
  examples: [
    { args: "serve --port 0 --check", does: "Start, report that everything is up, and stop" },
    { args: "serve --port 0 --store venue --block-time 500ms --check", does: "On disk, a block every half second" },
    {
      args: "serve --port 0 --data data/BTC-PERP-aggTrades-2024-03-05.csv.gz --speed 60x --makers 2 --check",
      does: "A recorded day in 24 minutes: its prices, its trades and their depth, and bots that quote alongside",
    },
    {
      args: "serve --port 0 --price BTC-PERP=65000 --config-out devnet.json --check",
      does: "Keys and addresses for a program",
    },
  ],
  configure(command) {
    const list = (value: string, before: string[] = []) => [...before, value];
    command
      .option("--port <number>", "port; 0 for any that is free", readPort, 8645)
      .option("--host <address>", "address to listen on", "127.0.0.1")
      .option("--accounts <count>", "funded development accounts, 0 to 10", readWhole("--accounts", 10), 10)
      .option("--balance <usd>", "collateral of each", "100000")
      .option(
        "--genesis <file>",
        "JSON with the fields that differ from the genesis of a devnet (docs/spec/network.md)",
      )
      .option("--chain-id <number>", "chain id of the signing domain (default: 735711)", readCount("--chain-id"))
      .option("--network <name>", "name of the network (default: perplab-devnet)")
      .option(
        "--network-salt <text>",
        "fix the identity of a venue in memory, for ids that are printed; empty for none (default: random)",
      )
      .option("--price <market=usd>", "first price of a market; repeatable", list)
      .option("--mode <mode>", "when blocks are made: auto, interval, manual or batch (default: auto)", readMode)
      .option(
        "--block-time <duration>",
        "time between blocks, empty ones included: 500ms, 2s",
        readDuration("--block-time", TIMER_DAYS),
      )
      .option("--batch <count>", "make a block when this many transactions are ready", readCount("--batch"))
      .option("--block-step <duration>", "block times rise by this, not by the clock", readDuration("--block-step"))
      .option("--store <folder>", "store the venue in this folder, durably")
      .option("--accept-loss", "start from the remaining blocks although the store has lost some")
      .option("--state <file>", "start with the venue of this file if it exists, and write it there at the end")
      .option("--load-state <file>", "start with the venue of a file")
      .option("--dump-state <file>", "write the venue to a file at the end")
      .option("--block-log <file>", "write the blocks there at the end, for `perplab verify`")
      .option("--control", "serve control under /devnet: blocks, time, prices, accounts, snapshots, faults")
      .option(
        "--admin-token <token>",
        "token for control and metrics from anywhere; without it, only this machine, without a proxy",
      )
      .option("--makers <count>", "number of bots that quote around the index, 0 to 10", readWhole("--makers", 10), 0)
      .option("--seed <number>", "seed of the bots' quotes", readWhole("--seed"), 1)
      .option("-d, --data <source...>", "a recording to trade in: a tape, or files as [MARKET[:LAYOUT]=]PATH")
      .option("--speed <speed>", "speed of the recording: 1x, 60x, or max (default: 1x)", readSpeed);
    addHistoryOptions(command)
      .option("--allow <kinds>", "findings in the data that are not errors, separated by commas")
      .option("--deny <kinds>", "findings in the data that are errors: gap, nullRow")
      .option("--limits <profile>", "rate limits: off, dev or public", readLimits, "dev")
      .option("--account-reads <access>", "who may read accounts: public, or their owners by session", readAccess)
      .option("--cors <origin>", "origin of a page that may call; repeatable; * for any", list)
      .option("--behind-proxy", "read the client's address from X-Forwarded-For, set by a proxy")
      .option("--public-url <url>", "public address that /status reports, for a network that is open to other machines")
      .option("--config-out <file>", "write addresses and keys to this file as JSON")
      .option("--log <level>", "lines of JSON on standard error: silent, error, warn, info or debug", readLevel, "warn")
      .option("--silent", "print nothing but failures")
      .option("--check", "stop when everything is up");
  },
  async run(context, _, options) {
    const { terminal, json } = context;
    if (options.store === "")
      throw usageError("OPTION_INVALID", "is empty", { place: "--store", hint: "name a folder" });
    if (options.store !== undefined) {
      const { makeFolder } = await import("../../server/host/store/folder.ts");
      makeFolder(options.store);
    } else if (options.acceptLoss === true) {
      throw usageError("OPTION_MISSING", "works with a store only", {
        place: "--accept-loss",
        hint: "add --store <folder>",
      });
    }
    const { checkRecorded, openRecorded, startRecorded } = await import("./serve/recorded.ts");
    const { checkServeOptions } = await import("./serve/options.ts");
    const text = options.genesis === undefined ? undefined : await readFile(options.genesis, "utf8");
    await checkServeOptions(options, text);
    const urls = options.publicUrl === undefined ? undefined : readUrls(options.publicUrl);
    const recording = await openRecorded(context, options);
    const [
      { readAdminToken, readHostOptions, readPrices },
      { DEVELOPMENT_ACCOUNTS },
      { openMarkets },
      { startServer },
      banner,
      logs,
    ] = await Promise.all([
      import("./serve/options.ts"),
      import("../../server/devnet/accounts.ts"),
      import("../../server/devnet/venue.ts"),
      import("../../server/face/server.ts"),
      import("./serve/banner.ts"),
      import("../../server/face/monitoring/log.ts"),
    ]);
    const [{ DevnetExtensions }, { createMakers }, { openSecret }, { createVerifierPool }] = await Promise.all([
      import("../../server/devnet/devnetExtensions.ts"),
      import("../../server/devnet/makers.ts"),
      import("../../server/host/store/secret.ts"),
      import("../../client/signing/verifierPool.ts"),
    ]);
    const prices = readPrices(options, recording);
    const adminToken = readAdminToken(options);
    const { control = adminToken !== undefined } = options;
    const surroundings = new DevnetExtensions({ control, adminToken });
    const hostOptions = { ...readHostOptions(options, text, recording), surroundings };
    const log = logs.createLog(options.log);
    const { loadState, saveState } = await import("./serve/stateFiles.ts");
    const from = await loadState(options);
    const host = await openServedHost({ ...hostOptions, ...from }, options, (message) => log.warn(message));
    const isBegun = host.state.height > 0;
    const warnOfSecret = (reason: string): void => {
      if (isBegun) log.warn(`${options.store}/secret: ${reason}. A new secret was made; earlier cursors are refused`);
    };
    const makers = createMakers(host, { count: options.makers, seed: options.seed });
    let server: Awaited<ReturnType<typeof startServer>>;
    try {
      await checkRecorded(host, recording);
      await openMarkets(host, prices);
      await makers.start();
      const { address, port } = { address: options.host, port: options.port };
      server = await startServer(host, {
        limits: options.limits,
        ...(options.store === undefined ? {} : { cursorSecret: openSecret(options.store, warnOfSecret) }),
        adminToken,
        devnet: control,
        now: surroundings.now,
        extend: surroundings.extend,
        ...(availableParallelism() > 1
          ? { startVerifiers: () => createVerifierPool({ domain: host.domain, workers: 1 }) }
          : {}),
        ...(options.accountReads === undefined
          ? {}
          : { accountReads: options.accountReads, accountStreams: options.accountReads }),
        ...(urls === undefined ? {} : { urls }),
        log,
        // All acknowledged transactions are in it.
        atEnd: () => saveState(host, options),
        listen: {
          address,
          port,
          behindProxy: options.behindProxy === true,
          ...(options.cors === undefined ? {} : { cors: options.cors }),
        },
      });
    } catch (error) {
      await host.close();
      throw error;
    }

    const config = banner.describeServer(server, DEVELOPMENT_ACCOUNTS.slice(0, options.accounts));
    if (options.configOut !== undefined) {
      const { writeWholeFiles } = await import("../writeFile.ts");
      await writeWholeFiles([{ path: options.configOut, text: `${JSON.stringify(config, null, 2)}\n` }]);
    }
    if (json) terminal.out(JSON.stringify(config));
    else if (options.silent !== true) {
      const { isLoopbackAddress } = await import("../../server/face/http/client.ts");
      const more = {
        balance: options.balance,
        blocks: host.blockMode.mode,
        isLoopback: isLoopbackAddress(options.host),
        readyMs: performance.now(),
      };
      terminal.out(banner.formatBanner(config, more, createColors(terminal)));
    }
    const stopRecorded = startRecorded(context, host, recording, options);
    let fault = host.failure;
    const onFailure = (reason: string) => {
      fault = reason;
      makers.stop();
      if (options.check !== true) printFailure(terminal, stoppedVenue(reason, "reads are answered until Ctrl-C"), json);
    };
    host.onFailure(onFailure);
    if (fault !== undefined) onFailure(fault);
    if (options.check !== true) await untilStopped();
    await stopRecorded();
    makers.stop();
    await server.close();
    if (fault !== undefined) throw stoppedVenue(fault, "start it again when the disk is repaired");
  },
});

function readSpeed(text: string): number {
  if (text === "max") return Number.POSITIVE_INFINITY;
  const [, digits] = /^(\d{1,6}(?:\.\d{1,3})?)x$/.exec(text) ?? [];
  if (Number(digits) > 0) return Number(digits);
  throw usageError("OPTION_INVALID", `${JSON.stringify(text)} is no speed`, {
    place: "--speed",
    hint: "write 1x, 60x or max",
  });
}

const readMode = readWord("--mode", ["auto", "interval", "manual", "batch"]);
const readLimits = readWord("--limits", ["off", "dev", "public"]);
const readAccess = readWord("--account-reads", ["public", "session"]);
const readLevel = readWord("--log", ["silent", "error", "warn", "info", "debug"]);

const readPort = readWhole("--port", 65_535);

function readUrls(text: string): { rest: string; websocket: string } {
  if (!URL.canParse(text) || !/^https?:\/\//.test(text)) {
    throw usageError("OPTION_INVALID", "is no address", {
      place: "--public-url",
      hint: "for example https://venue.example",
    });
  }
  const origin = new URL(text).origin;
  return { rest: origin, websocket: origin.replace(/^http/, "ws") };
}

async function openServedHost(
  {
    surroundings: { onPoint, wrapFiles },
    ...hostOptions
  }: import("../../server/host/options.ts").HostOptions & {
    surroundings: import("../../server/devnet/devnetExtensions.ts").DevnetExtensions;
  },
  { store, genesis, acceptLoss = false }: ServeOptions,
  onWarning: (message: string) => void,
) {
  const { DEVELOPMENT_AUTHORITY_KEYS } = await import("../../server/host/development.ts");
  const options = { ...hostOptions, authorityKeys: DEVELOPMENT_AUTHORITY_KEYS };
  try {
    if (store !== undefined) {
      const { openHost } = await import("../../server/host/openHost.ts");
      return await openHost({ ...options, directory: store, acceptLoss, onWarning, onPoint, wrapFiles });
    }
    const [{ createHost }, { loadSigningKit }] = await Promise.all([
      import("../../server/host/createHost.ts"),
      import("../../server/host/signingKit.ts"),
    ]);
    return createHost({ ...options, signing: await loadSigningKit() });
  } catch (error) {
    if (genesis === undefined || !(error instanceof Error) || "code" in error) throw error;
    throw usageError("GENESIS_INVALID", error.message, { place: genesis });
  }
}

function stoppedVenue(reason: string, hint: string) {
  return failure("VENUE_STOPPED", `the venue accepts no more transactions: ${reason}`, {
    hint: `acknowledged transactions are kept; ${hint}`,
  });
}

/** Resolves at the first signal to stop; a second one ends the process at once. */
function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
}
