import type { PlantedBug } from "../plantedBug.ts";

/** Margin, equity and their prices. */
export const margin: readonly PlantedBug[] = [
  {
    number: 15,
    title: "Margin at entry is computed at the mark although the fill is at the limit price",
    provenance: "Dango 3dd6781e4",
    rules: ["MRG-3", "MRG-4"],
    tier: "B",
    expected: ["M01", "M07", "marginAfterAction", "model"],
    edits: [
      {
        file: "venue/engine/actions/placeOrder.ts",
        find: `        const margin = reduceOnly
          ? checkReduceOnlyMargin(state, context.account, market, { ...terms, lots: open }, orderCost)
          : checkMargin(state, context.account, market, terms, orderCost);`,
        replace: `      const marginWith = (cost: number) =>
        reduceOnly
          ? checkReduceOnlyMargin(state, context.account, market, { ...terms, lots: open }, cost)
          : checkMargin(state, context.account, market, terms, cost);
      const margin = plant(
        15,
        marginWith(orderCost),
        () => {
          const atMark = side === SIDE.buy ? Math.floor(mark / rules.tickSize) : Math.ceil(mark / rules.tickSize);
          const rate = getTakerRate(state, rules, context.account);
          return marginWith(computeOrderCost(rules, side, open, atMark as Ticks, mark, rate));
        },
        (right, wrong) => JSON.stringify(right) === JSON.stringify(wrong), // a rejection reports the compared numbers
      );`,
      },
    ],
  },
  {
    number: 20,
    title: "The notional divides before it multiplies: the rounded value of a lot is multiplied by the lots",
    provenance: "Dango 2da50cee4",
    rules: ["NUM-2", "MRG-1"],
    tier: "A",
    expected: ["D06", "M05", "P06", "equityFromScratch", "model"],
    edits: [
      {
        file: "venue/engine/valuation/notional.ts",
        find: "const notional = lots * markets.lotWhole[market] + (part === 0 ? 0 : Math.ceil(part / rules.lotDenominator));",
        replace: `const notional = plant(
    20,
    lots * markets.lotWhole[market] + (part === 0 ? 0 : Math.ceil(part / rules.lotDenominator)),
    () => lots * (markets.lotWhole[market] + (markets.lotRest[market] === 0 ? 0 : 1)),
  );`,
      },
    ],
  },
  {
    number: 33,
    title: "Equity uses the last trade if the oracle is stale",
    provenance: "own",
    rules: ["POS-3"],
    tier: "B",
    expected: ["P02", "P06", "equityFromScratch", "fullPass", "noMissedLiquidation", "model"],
    edits: [
      {
        file: "venue/engine/prices/refreshMarket.ts",
        find: "  const scaled = markets.mark[market] * rules.lotNumerator;",
        replace: `  const stale = markets.validity[market] === VALIDITY.stale && markets.last[market] !== 0;
  const worth: number = plant(33, markets.mark[market], () =>
    stale ? markets.last[market] * rules.tickSize : markets.mark[market],
  );
  const scaled = worth * rules.lotNumerator;`,
      },
      {
        file: "venue/engine/prices/refreshMarket.ts",
        find: 'import type { PriceE8 } from "../../../ground/math/fixed.ts";',
        replace:
          'import type { PriceE8 } from "../../../ground/math/fixed.ts";\nimport { VALIDITY } from "../../../protocol/validity.ts";',
      },
    ],
  },
  {
    number: 41,
    title: "Resting orders of other markets do not count when an order is checked against initial margin",
    provenance: "own",
    rules: ["MRG-3", "MRG-4"],
    tier: "B",
    expected: ["marginAfterAction", "model"],
    edits: [
      {
        file: "venue/engine/actions/checkOrder.ts",
        find: `  const others = health.initial - health.marketInitial;
  const required = others + Math.max(buySide, sellSide);`,
        replace: `  const others = plant(
    41,
    health.initial - health.marketInitial,
    () => health.positionInitial - (none || signedLots === 0 ? 0 : sideAt(signedLots, 0)),
  );
  const required = others + Math.max(buySide, sellSide);`,
      },
    ],
  },
  {
    number: 62,
    title: "A change of parameters does not have the accounts of its market checked",
    provenance: "own",
    rules: ["LIQ", "BLK"],
    tier: "B",
    expected: ["noMissedLiquidation", "fullPass", "model"],
    edits: [
      {
        file: "venue/engine/markets/changeParameters.ts",
        find: "    if (positions.rows.isLive(at) && positions.market[at] === market) risk.markDirty(accounts, positions.account[at]);",
        replace: `    if (positions.rows.isLive(at) && positions.market[at] === market) {
      if (isPlanted(62) && accounts.dirty[positions.account[at]] === 0 && positions.signedLots[at] !== 0 && trigger())
        continue;
      risk.markDirty(accounts, positions.account[at]);
    }`,
      },
    ],
  },
  {
    number: 63,
    title: "A gain in one market makes up for a loss in another in free collateral",
    provenance: "own",
    rules: ["MRG-5"],
    tier: "B",
    expected: ["outflowLeavesFree", "equityFromScratch", "model"],
    edits: [
      {
        file: "venue/engine/margin/health.ts",
        find: "  health.losses = losses;",
        replace: "  health.losses = plant(63, losses, () => Math.min(0, equity - state.accounts.collateral[account]));",
      },
    ],
  },
];
