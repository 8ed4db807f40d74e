import { describe, expect, test } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { CaseRunner } from "../../../../src/proof/fuzz/case/caseRunner.ts";
import { createCase } from "../../../../src/proof/fuzz/case/fuzzCase.ts";
import { drawCase } from "../../../../src/proof/fuzz/draw/drawCase.ts";
import { SHAPES, type Shape } from "../../../../src/proof/fuzz/draw/shapes.ts";
import { Reached } from "../../../../src/proof/fuzz/flow/reached.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import { DEPTH, measure } from "../../../../src/venue/engine/margin/health.ts";
import type { AccountRow } from "../../../../src/venue/engine/state/schema.ts";

/** Outcomes that a recipe aims at: each must occur often when the recipe is drawn. */
const ABOUT: Readonly<Record<Shape, readonly string[]>> = {
  depth: ["event orderOpened"],
  bothSides: ["orderCancelled selfTrade"],
  pulledMargin: ["withdraw applied", "event liquidationStarted"],
  settledVictim: ["event fill"],
  pumpAndBorrow: ["placeOrder INSUFFICIENT_MARGIN", "event fill"],
  cascade: ["event liquidationStarted"],
  stallThenJump: ["placeOrder applied"],
  selfLiquidation: ["event liquidationStarted"],
  fundingSqueeze: ["event fundingSettled"],
  modeSwitch: ["event isolatedMarginChanged", "setMarginMode applied", "setMarginMode MARKET_IN_USE"],
  failingBatch: ["placeOrders applied", "placeOrders INSUFFICIENT_MARGIN"],
  revokedInFlight: ["authorizationChanged revoked", "event laneAdvanced", "placeOrder AUTHORIZATION_REVOKED"],
  exhaustedGrant: ["event authorizationUsed", "placeOrder AUTHORIZATION_DAILY_LIMIT"],
  noQuotes: ["event deleveraged"],
  runOnTheVenue: ["withdraw applied", "withdraw OUTFLOW_LIMIT"],
  lastMoment: ["orderCancelled expired"],
  replayed: ["withdraw NONCE_TOO_LOW"],
  lastDay: ["event marketSettled"],
  twins: ["event deleveraged"],
  volumeEdge: ["event volumeCounted", "deposit applied"],
  roundingEdge: ["event fill"],
  queueJump: ["amendOrder applied"],
  reduceOnlyCrowd: ["orderResized reduceOnly"],
  reduceOnlyQueue: ["orderResized reduceOnly", "orderCancelled reduceOnly"],
  undoneBatch: ["placeOrders applied", "placeOrders INSUFFICIENT_MARGIN"],
  beyondNumbers: ["event fill", "deposit applied"],
  allIsolated: ["setMarginMode applied"],
  manyTriggersNearby: ["event intentTriggered"],
  entryExpires: ["event intentArmed", "orderCancelled expired"],
  grantEnds: ["authorizationChanged revoked", "event intentArmed", "event intentFailed"],
  scheduleLate: ["event intentSliced", "event intentExecuted"],
  pairsFire: ["event intentTriggered", "intentCancelled sibling", "event intentResized"],
  bothLegs: ["event intentTriggered", "intentCancelled sibling"],
  twoEntries: ["event intentArmed", "intentCancelled entry", "event intentTriggered"],
  turnedBelowInitial: ["placeOrder applied", "placeOrder INSUFFICIENT_MARGIN"],
  turnedInParts: ["placeOrder applied", "event isolatedMarginChanged"],
  isolatedEdge: ["amendOrder INSUFFICIENT_MARGIN", "amendOrder applied", "adjustIsolatedMargin applied"],
  freeSide: ["placeOrder applied", "placeOrder INSUFFICIENT_MARGIN"],
  undoneClose: ["placeOrders INSUFFICIENT_MARGIN", "placeOrders OFF_LOT", "placeOrders ORDER_KILLED"],
  houseReduces: ["houseFlow applied", "orderResized reduceOnly"],
  isolatedMakers: ["orderCancelled margin", "event fill"],
  crowd: ["deposit applied", "event orderOpened"],
  fullBlock: ["noop applied"],
  standstill: ["amendOrder MARKET_CLOSED", "amendOrder OPERATION_PAUSED", "amendOrder MARKET_RESTARTING"],
  putOff: ["amendOrder applied", "orderCancelled expired"],
  boundAgent: [
    "cancelOrder AUTHORIZATION_MARKET",
    "amendOrder AUTHORIZATION_MARKET",
    "cancelIntent AUTHORIZATION_MARKET",
  ],
  agentAtLimits: ["amendOrder AUTHORIZATION_ORDER_LIMIT", "amendOrder AUTHORIZATION_DAILY_LIMIT", "amendOrder applied"],
  agentCloses: ["closePosition applied", "placeOrder AUTHORIZATION_SCOPE", "amendOrder AUTHORIZATION_SCOPE"],
  houseBook: ["houseFlow applied", "event fill", "event orderAmended", "orderCancelled replaced"],
  quoteBeyond: ["houseFlow applied"],
  daysOfVolume: ["event volumesForgotten", "event volumeCounted"],
  pausedLosers: ["event liquidationStarted", "event deleveraged"],
  everyoneInsolvent: ["event liquidationStarted", "event deleveraged"],
  settledUnderWater: ["event marketSettled", "event settlementHaircut"],
  fundingTips: ["event fundingSettled"],
  movedLimits: ["updateMarket applied", "event liquidationStarted"],
  movedClock: ["updateMarket applied", "event fundingSettled"],
  stoppedFunding: ["updateMarket applied", "event premiumsCleared", "event fundingAccrued"],
  sparseSamples: ["event fundingSettled"],
  cappedHours: ["withdraw applied", "withdraw OUTFLOW_LIMIT"],
  recoveredInQueue: ["event liquidationStarted", "liquidationStage recovered"],
  largeFees: ["event fill"],
  unlikeHolders: ["event deleveraged"],
  backstopOfTwo: ["event liquidationStarted"],
  lossOfTwo: ["event lossSocialized"],
  recoveredWhenPlain: ["event liquidationStarted", "liquidationStage recovered"],
  highFees: ["event fill"],
  ordersOfIsolated: ["event liquidationStarted", "orderCancelled liquidation"],
  agentOfManyMarkets: [
    "placeOrder AUTHORIZATION_OPEN_ORDERS",
    "placeOrder AUTHORIZATION_DAILY_LIMIT",
    "placeOrder AUTHORIZATION_POSITION_LIMIT",
  ],
  ownerOfMany: ["orderCancelled positionLimit", "updateMarket applied"],
  cappedFund: ["insuranceChanged cover", "liquidationStage deleveraging", "fundInsurance applied"],
  settledOfTwo: ["event marketSettled"],
  smallDeficits: ["liquidationStage socialized"],
  rateBeforePrice: ["createMarket applied", "oracleUpdate NOTHING_TO_DO"],
};

describe("a recipe reaches the outcomes it aims at", () => {
  test.each(SHAPES)("%s", (shape) => {
    const reached = new Reached();
    const findRare = () => ABOUT[shape].filter((name) => (reached.counts.get(name) ?? 0) < 3);
    for (let seed = 1; seed <= 36 && findRare().length > 0; seed++) {
      const given = drawCase(new Random([seed, 3, ~seed, 7]), { profile: "uniform", length: 160, shape });
      // Half of them in the plain venue.
      const runner = new CaseRunner(seed % 2 === 0 ? given : createCase([], given.genes));
      for (let block = runner.next(); block !== undefined; block = runner.next()) {
        reached.add(block, applyBlock(runner.state, block));
      }
    }
    expect(findRare()).toEqual([]);
  });
});

// Goal: the positions of an account in several vast markets are worth more than a number holds (NUM-3), so the venue
// sums big integers. A single market does not get there.
test("in vast venues some accounts hold more than a number does", () => {
  let overflow = 0;
  for (let seed = 1; seed <= 1_500 && overflow < 3; seed++) {
    const given = drawCase(Random.ofSeed([seed, 77, 3, 9]), {
      profile: "uniform",
      length: 400,
      shape: "beyondNumbers",
    });
    const runner = new CaseRunner(given);
    if (runner.state.markets.rows.count < 4) continue;
    let isWide = false;
    for (let block = runner.next(); block !== undefined; block = runner.next()) {
      applyBlock(runner.state, block);
      for (let account = 0; account < runner.state.accounts.rows.count; account++) {
        isWide ||= measure(runner.state, account as AccountRow, DEPTH.orders).overflow;
      }
    }
    if (isWide) overflow++;
  }
  expect(overflow).toBe(3);
});
