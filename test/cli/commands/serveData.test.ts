import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { describeEnd, startRecorded } from "../../../src/cli/commands/serve/recorded.ts";
import type { Recording } from "../../../src/server/devnet/feed/recording.ts";
import { createDevnetGenesis } from "../../../src/server/devnet/venue.ts";
import { createHost } from "../../../src/server/host/createHost.ts";
import { readDump } from "../../../src/server/host/store/dump.ts";
import { callCli } from "../../helpers/cli.ts";
import { createFolder } from "../../helpers/project.ts";

const BARS = [
  "open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore",
  "1704067200000,100.5,103.0,95.5,98.0,10.000,1704070799999,1000,5,5.000,500,0",
  "1704070800000,98.0,110.0,97.5,108.0,10.000,1704074399999,1000,5,5.000,500,0",
];
function write(lines: readonly string[] = BARS): string {
  const path = join(createFolder(), "XYZ-klines-1h.csv");
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}
const serve = (...args: string[]) => callCli("serve", "--port", "0", "--check", "--json", ...args);
const faultOf = async (...args: string[]) => {
  const { exitCode, err } = await serve(...args);
  expect(exitCode).not.toBe(0);
  return err;
};

test("a venue is served with the market of a recording", async () => {
  const { exitCode, out, err } = await serve("--data", write(), "--makers", "1", "--silent");
  expect([exitCode, err]).toEqual([0, ""]);
  expect(JSON.parse(out).markets).toEqual(["XYZ", "BTC-PERP", "ETH-PERP", "SOL-PERP"]);
});

test("its place in the venue is set with the options of a backtest", async () => {
  const options = [
    "--tick",
    "0.5",
    "--lot",
    "0.1",
    "--fees",
    "0.0001/0.0002",
    "--set",
    "positionLimit=100",
    "maxSize=100",
  ];
  const dump = join(createFolder(), "venue.dump");
  expect((await serve("--data", write(), "--dump-state", dump, "--spread", "2", ...options)).exitCode).toBe(0);
  const { genesis } = readDump(readFileSync(dump), dump).state;
  expect(genesis.markets[0]).toMatchObject({
    name: "XYZ",
    preset: "replay",
    parameters: { tickSize: "0.5", lotSize: "0.1", makerFee: "0.0001", takerFee: "0.0002", positionLimit: "100" },
  });
  expect(await faultOf("--data", write(), "--participation", "2")).toMatch(/OPTION_INVALID.*from 0 to 1/);
  expect(await faultOf("--data", write(), "--tick", "none")).toMatch(/OPTION_INVALID.*not a positive decimal/);
  expect(await faultOf("--data", write(), "--set", "colour=red")).toMatch(/OPTION_INVALID.*colour.*--set/);
  expect(await faultOf("--spread", "2")).toMatch(/goes with --data only.*--spread/);
});

test("the files' errors are those of the importer, with their place", async () => {
  expect(await faultOf("--data", write([...BARS, "oops"]))).toMatch(/DATA_MALFORMED[\s\S]*XYZ-klines-1h\.csv:4/);
  expect(await faultOf("--data", join(createFolder(), "none.csv"))).toMatch(/none\.csv/);
});

test("options of a recording go with one, and a speed is a multiple", async () => {
  expect(await faultOf("--speed", "60x")).toMatch(/goes with --data only/);
  for (const speed of ["0x", "fast", "-1x", "60"]) {
    expect(await faultOf("--data", write(), "--speed", speed)).toMatch(/is no speed/);
  }
});

test("a stored venue takes the recording of one of its markets, if it has the house account", async () => {
  const plain = join(createFolder(), "venue.dump");
  expect((await serve("--state", plain)).exitCode).toBe(0);
  expect(await faultOf("--state", plain, "--data", write())).toMatch(/the venue has no market XYZ/);
  expect(await faultOf("--state", plain, "--data", `BTC-PERP=${write()}`)).toMatch(
    /no house account[\s\S]*a new venue/,
  );
  const state = join(createFolder(), "venue.dump");
  for (let start = 0; start < 2; start++) expect((await serve("--state", state, "--data", write())).exitCode).toBe(0);
  expect((await serve("--state", state, "--data", `BTC-PERP=${write()}`)).exitCode).toBe(0);
});

test("a fault in later data ends the recording, and not the venue", async () => {
  const host = createHost({ genesis: createDevnetGenesis() });
  onTestFinished(() => host.close());
  const closed = vi.fn(() => Promise.resolve());
  const recording = { source: { close: closed }, definitions: [{ name: "XYZ" }] } as unknown as Recording;
  const [out, err]: [string[], string[]] = [[], []];
  const terminal = { out: (line: string) => out.push(line), err: (line: string) => err.push(line), color: false };
  await startRecorded({ terminal, json: false } as never, host, recording, {})();
  expect(err.join("\n")).toMatch(
    /ended early; the venue continues[\s\S]*OPTION_INVALID[\s\S]*no market XYZ[\s\S]*hint/,
  );
  expect([out, host.failure, host.time.mode]).toEqual([[], undefined, { kind: "wall" }]);
  expect(closed).toHaveBeenCalledOnce();
});

test("the end of the recording is reported with its counts", () => {
  const played = { blocks: 1_000, prices: 2_000, flows: 900, refused: 0, timeMs: Date.UTC(2024, 0, 1), isWhole: true };
  expect(describeEnd(played)).toBe(
    "The recording has ended at 2024-01-01T00:00:00.000Z: 2,000 prices and 900 flows of trades and quotes, in 1,000 blocks. The last prices and quotes stay.",
  );
  expect(describeEnd({ ...played, refused: 1 })).toContain("quotes, 1 of them refused, in 1,000 blocks.");
  expect(describeEnd({ ...played, blocks: 0 })).toContain("no events after 2024-01-01T00:00:00.000Z");
});
