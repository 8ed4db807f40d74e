import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { explainMissing, findPython, PEERS, runPeer } from "../../../bench/peers/environments.ts";
import type { Results } from "../../../bench/validation/results.ts";
import { createFolder, projectRoot } from "../../helpers/project.ts";

afterEach(() => void vi.unstubAllEnvs());

const readPins = (peer: string) =>
  new Map(
    readFileSync(join(projectRoot, "bench/peers/environments", `${peer}.txt`), "utf8")
      .trim()
      .split("\n")
      .map((line) => line.split("==") as [string, string]),
  );

test("every package of every peer is pinned", () => {
  for (const peer of PEERS) for (const [name, version] of readPins(peer)) expect(version, name).toMatch(/^\d/);
});

test("the results are of the pinned versions", () => {
  const results = JSON.parse(readFileSync(join(projectRoot, "docs/evidence/validation.json"), "utf8")) as Results;
  const versionOf = (name: string) => results.sma!.peers.find((peer) => peer.name === name)!.version;
  expect(versionOf("backtesting.py")).toBe(readPins("backtesting").get("backtesting"));
  expect(versionOf("NautilusTrader")).toBe(readPins("nautilus").get("nautilus_trader"));
  expect(results.hftbacktest!.version).toBe(readPins("hftbacktest").get("hftbacktest"));
  expect([versionOf("lrvx"), results.lrvx!.lrvx.version]).toEqual(Array(2).fill(readPins("lrvx").get("lrvx")));
});

test("a peer is found in the folder that is named, and its absence has a reason", () => {
  const folder = createFolder({ "lrvx/bin/python": "" });
  vi.stubEnv("PERPLAB_PEERS", folder);
  expect(findPython("lrvx")).toBe(join(folder, "lrvx", "bin", "python"));
  expect(findPython("nautilus")).toBeUndefined();
  vi.stubEnv("PERPLAB_PEERS", undefined);
  expect(findPython("lrvx")).toBeUndefined();
  expect(explainMissing("lrvx")).toContain("PERPLAB_PEERS names no folder with lrvx");
});

test("a script that fails has its message, and one that does not has its last line", () => {
  const folder = createFolder({
    "good.js": 'console.log("warming up\\n" + JSON.stringify(process.argv.slice(2)))',
    "bad.js": 'throw new Error("planted")',
  });
  expect(runPeer(process.execPath, join(folder, "good.js"), ["1", "2"])).toEqual(["1", "2"]);
  expect(() => runPeer(process.execPath, join(folder, "bad.js"), [])).toThrow("planted");
});
