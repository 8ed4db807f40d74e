import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeEnd } from "../../../src/cli/commands/serve/recorded.ts";
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
  expect(JSON.parse(out).markets).toEqual(["BTC-PERP", "ETH-PERP", "SOL-PERP", "XYZ"]);
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

test("a venue that was kept takes the recording of a market that it has", async () => {
  const state = join(createFolder(), "venue.dump");
  expect((await serve("--state", state)).exitCode).toBe(0);
  expect(await faultOf("--state", state, "--data", write())).toMatch(/the venue has no market XYZ/);
  expect((await serve("--state", state, "--data", `BTC-PERP=${write()}`)).exitCode).toBe(0);
});

test("the end says how much it was", () => {
  const played = { blocks: 1_000, prices: 2_000, refused: 0, timeMs: Date.UTC(2024, 0, 1), isWhole: true };
  expect(describeEnd(played)).toBe(
    "The recording has ended at 2024-01-01T00:00:00.000Z: 2,000 prices, in 1,000 blocks. The last prices stand.",
  );
  expect(describeEnd({ ...played, refused: 1 })).toContain("2,000 prices, 1 of them refused, in 1,000 blocks.");
  expect(describeEnd({ ...played, blocks: 0 })).toContain("nothing after 2024-01-01T00:00:00.000Z");
});
