/** A log that has lost durable blocks is refused while anything in its folder shows that there was more. */
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DEVELOPMENT_AUTHORITY_KEYS } from "../../../../src/server/host/development.ts";
import { type OpenOptions, openHost } from "../../../../src/server/host/openHost.ts";
import { signingKitAtHand } from "../../../../src/server/host/signingKit.ts";
import { openSecret } from "../../../../src/server/host/store/secret.ts";
import { computeRoot } from "../../../../src/venue/engine/commitment/root.ts";
import { CLIENT_KEYS, oraclePrice, STEP, submit, TestClient, testGenesis } from "../../../helpers/host.ts";
import { createFolder } from "../../../helpers/project.ts";

const LOG = "log-00000000.perpstor";

function open(directory: string, options: Partial<OpenOptions> = {}) {
  const authorityKeys = DEVELOPMENT_AUTHORITY_KEYS;
  return openHost({
    genesis: testGenesis,
    directory,
    signing: signingKitAtHand(),
    time: STEP,
    authorityKeys,
    ...options,
  });
}

/** Bytes of the log after each of `blocks` blocks, in a folder that was closed (or not) afterwards. */
async function write(blocks: number, { isClosed = true } = {}) {
  const folder = createFolder();
  const live = join(folder, "live");
  const host = await open(live, { roomBytes: 0 });
  const client = new TestClient(CLIENT_KEYS[0]!, testGenesis);
  const sizes: number[] = [];
  for (let count = 0; count < blocks; count++) {
    await submit(host, client.noop());
    sizes.push(readFileSync(join(live, LOG)).length);
  }
  const root = computeRoot(host.state);
  if (isClosed) await host.close();
  const store = join(folder, "store");
  cpSync(live, store, { recursive: true });
  rmSync(join(store, "lock"), { force: true });
  if (!isClosed) await host.close();
  return { store, sizes, root, blocks };
}

/** Everything in a folder, but for the lock. */
const contentOf = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "hex")]));

const CUTS: readonly [string, (log: string, sizes: readonly number[]) => void][] = [
  ["missing", (log) => rmSync(log)],
  ["emptied", (log) => truncateSync(log, 0)],
  ["cut within its header", (log) => truncateSync(log, 40)],
  ["zeroed", (log) => writeFileSync(log, Buffer.alloc(readFileSync(log).length))],
  ["cut at a block", (log, sizes) => truncateSync(log, sizes[3]!)],
  ["cut within a block", (log, sizes) => truncateSync(log, sizes[3]! + 20)],
];

describe("a log below a state", () => {
  test.each(CUTS)("that is %s is refused, and nothing in the folder changes", async (_, cut) => {
    const { store, sizes } = await write(8);
    cut(join(store, LOG), sizes);
    const before = contentOf(store);
    const refused = await open(store).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "STORE_CORRUPT", file: store });
    const { message, hint } = refused as { message: string; hint: string };
    expect(message).toMatch(
      /missing or empty, and state-0{11}8\.perpstor shows block 8|ends at block [34], .* [45] blocks are missing/,
    );
    expect(hint).toContain(`perplab serve --store ${store} --accept-loss`);
    expect(contentOf(store)).toEqual(before);
  });

  test.each(CUTS)("that is %s continues from the state when the loss is accepted", async (_, cut) => {
    const { store, sizes, root } = await write(8);
    cut(join(store, LOG), sizes);
    const warnings: string[] = [];
    const host = await open(store, { acceptLoss: true, onWarning: (message) => warnings.push(message) });
    expect([host.state.height, computeRoot(host.state)]).toEqual([8, root]);
    expect(host.epoch).toBeGreaterThan(1_000_000);
    expect(warnings[0]).toMatch(/; accepted, to continue from block 8 without the blocks below it$/);
    await host.submitSystem("oracleUpdate", oraclePrice("50000"));
    await host.close();
    const again = await open(store);
    expect(again.state.height).toBe(9);
    expect(again.block(8)).toBeUndefined();
    await again.close();
  });

  test("whose state is damaged continues with what the log has when the loss is accepted", async () => {
    const { store, sizes } = await write(8);
    truncateSync(join(store, LOG), sizes[3]!);
    const state = join(store, "state-000000000008.perpstor");
    truncateSync(state, 100);
    const consequence = /continue with the log up to block [34]/;
    await expect(open(store)).rejects.toMatchObject({
      code: "STORE_CORRUPT",
      message: expect.stringContaining("shows block 8 and cannot be read"),
      hint: expect.stringMatching(consequence),
    });
    const warnings: string[] = [];
    const host = await open(store, { acceptLoss: true, onWarning: (message) => warnings.push(message) });
    expect(warnings[0]).toMatch(consequence);
    expect(host.state.height).toBeLessThanOrEqual(4);
    // A client that knows block 8 learns from the epoch that the chain changed.
    expect(host.epoch).toBeGreaterThan(1_000_000);
    const height = host.state.height;
    await host.submitSystem("oracleUpdate", oraclePrice("50000"));
    await host.close();
    const again = await open(store);
    expect([again.state.height, again.epoch]).toEqual([height + 1, host.epoch]);
    await again.close();
  });

  test("that is missing, with a damaged state, begins a new chain with another epoch, with a warning", async () => {
    const { store } = await write(8);
    rmSync(join(store, LOG));
    truncateSync(join(store, "state-000000000008.perpstor"), 100);
    await expect(open(store)).rejects.toMatchObject({
      code: "STORE_CORRUPT",
      hint: expect.stringContaining("to begin a new chain: perplab serve"),
    });
    const warnings: string[] = [];
    const host = await open(store, { acceptLoss: true, onWarning: (message) => warnings.push(message) });
    expect(warnings[0]).toMatch(/; accepted, to begin a new chain$/);
    expect([host.state.height, host.epoch > 1_000_000]).toEqual([0, true]);
    await submit(host, new TestClient(CLIENT_KEYS[0]!, testGenesis).noop());
    await host.close();
    const again = await open(store);
    expect([again.state.height, again.epoch]).toEqual([1, host.epoch]);
    await again.close();
  });

  test.each([0, 7])("whose header is damaged at byte %i is damaged, and no other file", async (at) => {
    const { store } = await write(8);
    const log = readFileSync(join(store, LOG));
    log[at]! ^= 1;
    writeFileSync(join(store, LOG), log);
    const before = contentOf(store);
    await expect(open(store)).rejects.toMatchObject({
      code: "STORE_CORRUPT",
      hint: expect.stringContaining("take the folder from a copy"),
    });
    expect(contentOf(store)).toEqual(before);
    writeFileSync(join(store, LOG), "a file of something else");
    await expect(open(store)).rejects.toMatchObject({ code: "STORE_FORMAT" });
  });

  test("is whole where the blocks of the state were left by a revert", async () => {
    const folder = createFolder();
    const store = join(folder, "store");
    const client = new TestClient(CLIENT_KEYS[0]!, testGenesis);
    const host = await open(store);
    for (let count = 0; count < 6; count++) await submit(host, client.noop());
    await host.close();
    const aside = join(folder, "aside");
    const again = await open(store);
    cpSync(join(store, "state-000000000006.perpstor"), aside);
    await again.revert(2);
    await again.close();
    // As if the process had been stopped before it removed the state.
    renameSync(aside, join(store, "state-000000000006.perpstor"));
    const last = await open(store);
    expect(last.state.height).toBe(2);
    await last.close();
  });
});

describe("a log of another chain with the same genesis", () => {
  async function writeForeign() {
    const own = await write(4);
    const folder = createFolder();
    const other = await open(join(folder, "other"));
    const client = new TestClient(CLIENT_KEYS[1]!, testGenesis);
    for (let count = 0; count < 6; count++) await submit(other, client.noop());
    const root = computeRoot(other.state);
    await other.close();
    cpSync(join(folder, "other", LOG), join(own.store, LOG));
    return { store: own.store, root };
  }

  test("is refused by the state of the folder's own chain, and nothing in the folder changes", async () => {
    const { store } = await writeForeign();
    const before = contentOf(store);
    await expect(open(store)).rejects.toMatchObject({
      code: "STORE_CORRUPT",
      message: expect.stringContaining("the log is of another chain: state-000000000004.perpstor has another block 4"),
      hint: expect.stringContaining("--accept-loss"),
    });
    expect(contentOf(store)).toEqual(before);
  });

  test("continues when the loss is accepted, and is whole afterwards", async () => {
    const { store, root } = await writeForeign();
    const host = await open(store, { acceptLoss: true });
    expect([host.state.height, computeRoot(host.state)]).toEqual([6, root]);
    expect(host.epoch).toBeGreaterThan(1_000_000);
    await host.close();
    await (await open(store)).close();
  });
});

describe("a log next to a secret", () => {
  test.each(CUTS.slice(0, 4))("that is %s is refused, and begun again when the loss is accepted", async (_, cut) => {
    const { store, sizes } = await write(3, { isClosed: false });
    openSecret(store);
    cut(join(store, LOG), sizes);
    await expect(open(store)).rejects.toMatchObject({
      code: "STORE_CORRUPT",
      message: expect.stringContaining("the file secret shows that a chain was here"),
    });
    const host = await open(store, { acceptLoss: true });
    expect(host.state.height).toBe(0);
    await host.close();
    await (await open(store)).close();
  });

  test("that never had a block is whole", async () => {
    const store = join(createFolder(), "store");
    await (await open(store)).close();
    openSecret(store);
    const host = await open(store);
    expect(host.state.height).toBe(0);
    await host.close();
  });
});

test("a torn tail is cut with one line that has its bytes and the height before it", async () => {
  const { store, sizes } = await write(4, { isClosed: false });
  truncateSync(join(store, LOG), sizes[2]! + 21);
  const warnings: string[] = [];
  const host = await open(store, { onWarning: (message) => warnings.push(message) });
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatch(
    /store\/log-00000000\.perpstor, byte \d+: cut an unfinished tail of \d+ bytes; blocks up to \d are whole$/,
  );
  await host.close();
  await (await open(store, { onWarning: (message) => warnings.push(message) })).close();
  expect(warnings).toHaveLength(1);
});

describe("a folder", () => {
  const folders: [string, (folder: string) => string, string][] = [
    ["that is a file", (folder) => join(folder, "file"), "is a file"],
    ["below a file", (folder) => join(folder, "file", "store"), "a part of its path is a file"],
  ];
  if (process.platform === "linux") folders.push(["where none can be made", () => "/proc/store", "cannot be made"]);

  test.each(folders)("%s is refused with one error", async (_, pathIn, reason) => {
    const folder = createFolder({ file: "" });
    const refused = await open(pathIn(folder)).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "STORE_FOLDER", message: expect.stringContaining(reason) });
    expect(() => openSecret(pathIn(folder))).toThrow(reason);
  });

  test("is made with its parents", async () => {
    const folder = createFolder();
    mkdirSync(join(folder, "a"));
    await (await open(join(folder, "a", "b", "c"))).close();
    expect(readdirSync(join(folder, "a", "b", "c"))).toContain(LOG);
  });
});
