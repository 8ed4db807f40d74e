// Repeats every check of docs/validation.md on the recordings, where they are present. Other backtesters take part
// where PERPLAB_PEERS names their folder.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { quoteHere, readPlan, sumFills } from "../../../bench/validation/hftbacktest/measure.ts";
import { quoteInParts } from "../../../bench/validation/hftbacktest/partialFills.ts";
import { lose } from "../../../bench/validation/lrvx/measure.ts";
import { MEASURES } from "../../../bench/validation/measures.ts";
import { findRecorded } from "../../../bench/validation/recorded.ts";
import type { Results } from "../../../bench/validation/results.ts";
import { measureOwnSma, readBars } from "../../../bench/validation/sma/measure.ts";
import { projectRoot } from "../../helpers/project.ts";

const results = JSON.parse(
  readFileSync(join(projectRoot, "docs/evidence/validation.json"), "utf8"),
) as Required<Results>;
const isThere = findRecorded("hyperliquid_vault_fills") !== undefined;
if (!isThere) console.log("skipped: there is no recorded market data in ../shared/data/real");
const hasPeers = isThere && process.env["PERPLAB_PEERS"] !== undefined;
if (isThere && !hasPeers) console.log("skipped: PERPLAB_PEERS names no folder with other backtesters");

test.skipIf(!isThere)("the realized PnL of a million recorded fills", async () => {
  const figures = await MEASURES.vaultFills();
  expect(figures).toEqual(results.vaultFills);
  expect(figures!.equalShare).toBeGreaterThanOrEqual(0.96);
});

test.skipIf(!isThere)("the balance of a recorded account, to the cent", async () => {
  const figures = await MEASURES.accountReplay();
  expect(figures).toEqual(results.accountReplay);
  expect(figures!.checks.map(({ isEqual }) => isEqual)).toEqual([true, true]);
});

test.skipIf(!isThere)("the funding rates of recorded premiums", async () => {
  const figures = await MEASURES.fundingRates();
  expect(figures).toEqual(results.fundingRates);
  expect(figures!.flatMap(({ other }) => other)).toEqual([]);
});

test.skipIf(!isThere)("the hour of 10 October 2025", async () => {
  expect(await MEASURES.october()).toEqual(results.october);
});

test.skipIf(!isThere)("the averages on recorded bars, with their funding to the cent", async () => {
  const { bars, settlements } = readBars()!;
  const { figures } = await measureOwnSma(bars, settlements);
  const { peers: _, ...own } = results.sma;
  expect(figures).toEqual(own);
  expect(figures.derived.withinTick).toBe(figures.perplab.entries);
  expect(Math.abs(figures.funding.difference)).toBeLessThan(0.01);
});

test.skipIf(!isThere)("the end of an account of 1,000 USD", async () => {
  for (const loss of results.lrvx.perplab.losses) expect(await lose(loss.leverage)).toEqual(loss);
});

test.skipIf(!isThere)("quotes in a recorded order book", async () => {
  const { queues, quotes, partialFills } = results.hftbacktest;
  const fills = await quoteHere(readPlan()!);
  expect(fills).toHaveLength(quotes);
  expect(sumFills(fills)).toEqual(queues.after.here);
  expect(sumFills(await quoteHere(readPlan()!, "power(2)"))).toEqual(queues.power.here);
  expect(await quoteInParts()).toEqual(partialFills.here);
});

test.skipIf(!hasPeers)("the same quotes in hftbacktest", async () => {
  const figures = await MEASURES.hftbacktest();
  expect(figures).toEqual(results.hftbacktest);
  const { after, power } = figures!.queues;
  expect([after.classes.onlyHere, after.classes.onlyThere, power.classes.onlyHere]).toEqual([0, 0, 0]);
  // What differs differs because a traded level is lower here, or because only a part of the quote was traded.
  for (const other of after.others) expect(other.tradedBefore > 0 || other.class === "partHere").toBe(true);
});

test.skipIf(!hasPeers)("the averages in other backtesters", async () => {
  const figures = await MEASURES.sma();
  expect(figures).toEqual(results.sma);
  for (const { comparison, atBarPrice, equityDifference } of figures!.peers) {
    expect([comparison.sameBarAndSide, atBarPrice]).toEqual([comparison.entries, comparison.entries]);
    expect(equityDifference).toBeLessThan(0.0002);
  }
});

test.skipIf(!hasPeers)("the limits next to lrvx", async () => {
  expect(await MEASURES.lrvx()).toEqual(results.lrvx);
});
