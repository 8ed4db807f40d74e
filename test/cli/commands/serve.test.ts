import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ServeConfig } from "../../../src/cli/commands/serve/banner.ts";
import { accountFromKey, signTransaction } from "../../../src/client/signing/sign.ts";
import { decodePayload, encodeTransaction } from "../../../src/protocol/codec.ts";
import { createTransaction } from "../../../src/protocol/createTransaction.ts";
import type { Bytes32 } from "../../../src/protocol/fields.ts";
import { callCli } from "../../helpers/cli.ts";
import { createFolder, projectRoot } from "../../helpers/project.ts";

interface Served {
  readonly config: ServeConfig;
  readonly child: ChildProcess;
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** A process that serves, when it is ready. */
async function serve(...args: string[]): Promise<Served> {
  const { NODE_OPTIONS: _options, VITEST: _vitest, ...env } = process.env;
  const argv = [join(projectRoot, "bin/perplab.js"), "serve", "--port", "0", "--json", ...args];
  const child = spawn(process.execPath, argv, { env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise<Awaited<ReturnType<Served["stop"]>>>((resolve) => {
    child.on("exit", (code, signal) => resolve({ code, signal }));
  });
  let out = "";
  let err = "";
  child.stderr!.on("data", (text) => (err += text));
  const config = await new Promise<ServeConfig>((resolve, reject) => {
    child.stdout!.on("data", (text) => {
      out += text;
      if (out.endsWith("\n")) resolve(JSON.parse(out) as ServeConfig);
    });
    child.on("exit", () => reject(new Error(err)));
  });
  return {
    config,
    child,
    stop(signal = "SIGTERM") {
      child.kill(signal);
      return ended;
    },
  };
}

function signNoop({ network, chainId, accounts, ...config }: ServeConfig, nonce: number) {
  const key = accounts[0]!.privateKey;
  const genesisHash = config.genesisHash as Bytes32;
  const account = accountFromKey(key);
  const transaction = createTransaction({
    action: "noop",
    account,
    network,
    nonce,
    payload: decodePayload("noop", {}),
  });
  return JSON.stringify(encodeTransaction(signTransaction(transaction, key, { chainId, genesisHash })));
}

const submit = ({ restUrl }: ServeConfig, body: string, key: string) =>
  fetch(`${restUrl}/transactions`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": key },
    body,
  });

test("a venue is served to clients with its configuration, and ends cleanly when it is stopped", async () => {
  const { config, stop } = await serve();
  expect(config).toMatchObject({ network: "perplab-devnet", chainId: 735_711, height: 1 });
  expect(config.accounts).toHaveLength(10);
  const status = (await (await fetch(`${config.restUrl}/status`)).json()) as { data: { network: object } };
  expect(status.data.network).toMatchObject({ chainId: config.chainId, genesisHash: config.genesisHash });
  expect((await submit(config, signNoop(config, 0), "a".repeat(16))).status).toBe(202);
  expect(await stop("SIGINT")).toEqual({ code: 0, signal: null });
});

test("a venue in memory is another network at each start, and takes no signature of the one before", async () => {
  const first = await serve();
  const body = signNoop(first.config, 0);
  expect((await submit(first.config, body, "a".repeat(16))).status).toBe(202);
  await first.stop();
  const second = await serve();
  expect(second.config.genesisHash).not.toBe(first.config.genesisHash);
  const replayed = await submit(second.config, body, "a".repeat(16));
  expect([replayed.status, ((await replayed.json()) as { reason: string }).reason]).toEqual([422, "SIGNER_MISMATCH"]);
  await second.stop();
});

test("with a store, acknowledged transactions survive kill -9, and the same key gets the same answer", async () => {
  const folder = join(createFolder(), "venue");
  const first = await serve("--store", folder);
  const body = signNoop(first.config, 0);
  const answer = await submit(first.config, body, "a".repeat(16));
  const text = await answer.text();
  expect([answer.status, await first.stop("SIGKILL")]).toEqual([202, { code: null, signal: "SIGKILL" }]);

  const second = await serve("--store", folder);
  expect(second.config).toMatchObject({ genesisHash: first.config.genesisHash, height: 2 });
  const again = await submit(second.config, body, "a".repeat(16));
  expect([again.status, again.headers.get("idempotency-replayed"), await again.text()]).toEqual([202, "true", text]);
  expect((await second.stop()).code).toBe(0);
});

describe("in this process", () => {
  test("--check starts, reports, and stops", async () => {
    const { exitCode, out, err } = await callCli("serve", "--port", "0", "--check");
    expect([exitCode, err]).toEqual([0, ""]);
    expect(out).toContain("0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80");
    expect(out).toMatch(/Warning: these keys are public/);
    expect(out).toMatch(/REST +http:\/\/127\.0\.0\.1:\d+\/api\/v1\n/);
    expect(out).toMatch(/Listening on http:\/\/127\.0\.0\.1:\d+, ready in \d+ ms/);
  });

  test("--network-salt fixes the genesis hash; without one it is another at each start", async () => {
    const hashOf = async (...args: string[]) => {
      const { out } = await callCli("serve", "--port", "0", "--check", "--json", ...args);
      return (JSON.parse(out) as ServeConfig).genesisHash;
    };
    expect(await hashOf("--network-salt", "docs-1")).toBe(await hashOf("--network-salt", "docs-1"));
    expect(await hashOf("--network-salt", "")).toBe(await hashOf("--network-salt", ""));
    const hashes = [await hashOf(), await hashOf(), await hashOf("--network-salt", "docs-1")];
    expect(new Set(hashes).size).toBe(3);
    const { exitCode, err } = await callCli("serve", "--port", "0", "--check", "--network-salt", "a b");
    expect(exitCode).toBe(2);
    expect(err).toContain("--network-salt");
  });

  test("devnet is another name for it", async () => {
    expect((await callCli("devnet", "--port", "0", "--check", "--silent")).out).toBe("");
  });

  test("the configuration has the requested options", async () => {
    const genesis = join(
      createFolder({ "genesis.json": '{"markets":[{"name":"X-PERP","preset":"linear","parameters":{}}]}' }),
      "genesis.json",
    );
    const configOut = join(createFolder(), "devnet.json");
    const { exitCode, out, err } = await callCli(
      ...["serve", "--port", "0", "--check", "--json", "--genesis", genesis, "--chain-id", "7", "--network", "mine"],
      ...["--accounts", "2", "--price", "X-PERP=5", "--config-out", configOut],
    );
    expect([exitCode, err]).toEqual([0, ""]);
    const config = JSON.parse(out) as ServeConfig;
    expect(config).toMatchObject({ chainId: 7, network: "mine", markets: ["X-PERP"], height: 1 });
    expect(config.accounts).toHaveLength(2);
    expect(JSON.parse(readFileSync(configOut, "utf8"))).toEqual(config);
  });

  test("listening beyond loopback warns of it", async () => {
    const { out } = await callCli("serve", "--port", "0", "--host", "0.0.0.0", "--check");
    expect(out).toContain("it listens on more than loopback");
  });

  test.each([
    [["--port", "65536"], "OPTION_INVALID"],
    [["--port", "x"], "OPTION_INVALID"],
    [["--accounts", "11"], "OPTION_INVALID"],
    [["--balance", "1e5"], "OPTION_INVALID"],
    [["--mode", "sometimes"], "OPTION_INVALID"],
    [["--mode", "auto", "--block-time", "1s"], "OPTION_INVALID"],
    [["--mode", "manual", "--batch", "5"], "OPTION_INVALID"],
    [["--mode", "batch"], "OPTION_MISSING"],
    [["--price", "BTC-PERP"], "OPTION_INVALID"],
    [["--price", "BTC-PERP=0"], "OPTION_INVALID"],
    [["--limits", "some"], "OPTION_INVALID"],
    [["--public-url", "venue.example"], "OPTION_INVALID"],
    [["--admin-token", ""], "OPTION_INVALID"],
    [["--store", ""], "OPTION_INVALID"],
    [["--admin-token", "two words"], "OPTION_INVALID"],
    [["--genesis", "/nowhere.json"], "FILE_MISSING"],
  ])("%j is refused", async (args, code) => {
    const { exitCode, err } = await callCli("serve", "--check", "--json", ...args);
    expect(exitCode).toBe(2);
    expect(JSON.parse(err)).toMatchObject({ error: { code } });
  });

  test.each(["[]", "{", "null"])("a genesis of %s is refused", async (text) => {
    const path = join(createFolder({ "genesis.json": text }), "genesis.json");
    const { exitCode, err } = await callCli("serve", "--check", "--json", "--genesis", path);
    expect([exitCode, JSON.parse(err).error.code]).toEqual([2, "GENESIS_INVALID"]);
  });

  test("a port that is taken is reported as such", async () => {
    const { config, stop } = await serve();
    const { exitCode, err } = await callCli("serve", "--check", "--json", "--port", new URL(config.url).port);
    expect([exitCode, JSON.parse(err).error.code]).toEqual([1, "PORT_TAKEN"]);
    await stop();
  });
});
