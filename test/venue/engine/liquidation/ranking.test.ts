import { expect, test } from "vitest";
import { LIQUIDATION_POLICIES } from "../../../../src/protocol/words.ts";
import { RANKERS } from "../../../../src/venue/engine/liquidation/rankers.ts";
import { rankOpposite } from "../../../../src/venue/engine/liquidation/ranking.ts";
import { listPositions } from "../../../../src/venue/engine/state/walk.ts";
import { runFlow } from "../../../helpers/flows.ts";
import { rankPlainly } from "../../../reference/plainRanking.ts";

// Goal: the quick ranking, which compares quotients of doubles first, is the exact one. Method: generated venues, every
// side of every market. At least twelve flows, and further ones until each policy had more than one candidate several
// times.
test("the ranking is that of exact fractions", () => {
  const seen = new Map<string, number>();
  const isLacking = () => LIQUIDATION_POLICIES.some((name) => (seen.get(name) ?? 0) <= 5);
  for (let seed = 1; seed <= 12 || (isLacking() && seed <= 60); seed++) {
    runFlow(seed, 80, (state, { height }) => {
      if (height % 8 !== 0) return;
      for (const at of listPositions(state)) {
        const size = state.positions.signedLots[at]!;
        const market = state.positions.market[at]!;
        if (size === 0 || state.markets.mark[market] === 0) continue;
        const ranked = rankOpposite(state, at);
        expect(ranked).toEqual(rankPlainly(state, at));
        const name = LIQUIDATION_POLICIES[state.parameters[market]!.liquidationPolicy]!;
        if (ranked.length > 1) seen.set(name, (seen.get(name) ?? 0) + 1);
      }
    });
  }
  for (const name of LIQUIDATION_POLICIES) expect([name, (seen.get(name) ?? 0) > 5]).toEqual([name, true]);
});

test("each ranker is its formula", () => {
  const candidate = {
    signedLots: 1,
    notional: 120n,
    cost: 100n,
    profit: 20n,
    equity: 40n,
    account: 3,
    accounts: 10,
    height: 25,
  };
  const value = ({ over, under }: { over: bigint; under: bigint }) => Number(over) / Number(under);
  // mark / entry * leverage; entry / mark * leverage for a short.
  expect(value(RANKERS.profitByLeverage(candidate))).toBeCloseTo((120 / 100) * (120 / 40));
  expect(value(RANKERS.profitByLeverage({ ...candidate, signedLots: -1 }))).toBeCloseTo((100 / 120) * (120 / 40));
  expect(value(RANKERS.profitTimesLeverage(candidate))).toBeCloseTo(0.2 * 3);
  expect(value(RANKERS.profitTimesLeverage({ ...candidate, profit: -20n }))).toBeCloseTo(-0.2 / 3);
  // Account 5 is first at height 25 of ten accounts; 3 is last but one.
  expect(value(RANKERS.rotation(candidate))).toBe(-8);
  expect(value(RANKERS.rotation({ ...candidate, account: 5 }))).toBe(0);
});
