import type { PlantedBug } from "../plantedBug.ts";

/** Liquidation, insurance, deleveraging. */
export const liquidation: readonly PlantedBug[] = [
  {
    number: 2,
    title: "The bankruptcy price of a position closed in chunks puts all of its equity on one chunk",
    provenance: "Dango 1a4c25b51: equity over the size to close, not over the full size",
    rules: ["LIQ", "LIQ-2"],
    tier: "B",
    expected: [
      "bankruptcyPriceIsExact",
      "L05",
      "solventPays",
      "liquidationStepKeepsRatio",
      "deficitToTheUnit",
      "model",
    ],
    edits: [
      {
        file: "venue/engine/liquidation/liquidatedAccount.ts",
        find: 'import { type Amount, LIMIT } from "../../../ground/math/fixed.ts";',
        replace: 'import { type Amount, LIMIT, mulDivCeil, PPM } from "../../../ground/math/fixed.ts";',
      },
      {
        file: "venue/engine/liquidation/liquidatedAccount.ts",
        find: "const bankruptcies = computeBankruptcyValues(equity, list);",
        replace: `const bankruptcies = computeBankruptcyValues(equity, list).map((bankruptcy, place) =>
    plant(2, bankruptcy, () => {
      const { market, notional, signedLots, value } = list[place]!;
      const rules = parameters[market]!;
      if (notional <= BigInt(rules.liquidationWhole)) return bankruptcy;
      const chunk = mulDivCeil(Math.abs(signedLots), rules.liquidationChunk, PPM);
      return value - ((value - bankruptcy) * BigInt(Math.abs(signedLots))) / BigInt(chunk);
    }),
  );`,
      },
    ],
  },
  {
    number: 3,
    title: "A liquidation order has no limit price",
    provenance: "Dango eb76256ba: deleveraged at a negative price",
    rules: ["LIQ-2"],
    tier: "B",
    expected: ["L05", "B04", "solventPays", "liquidationStepKeepsRatio", "fillArithmetic", "model"],
    edits: [
      {
        file: "venue/engine/liquidation/bookOrder.ts",
        find: "const { lots, limit, insured, fee } = order;",
        replace: `const { lots, insured, fee } = order;
  const limit = plant(3, order.limit, () => (state.positions.signedLots[part.position] > 0 ? 1 : TICKS_MOST) as Ticks);`,
      },
    ],
  },
  {
    number: 11,
    title: "The liquidation fee is charged gross and credited net",
    provenance: "Dango 78afdeb5b: reversed gross though credited net",
    nearest: "no fee is ever reversed; here the charged and the credited fee differ",
    rules: ["LIQ-2", "POS-4"],
    tier: "B",
    expected: ["G01", "G05", "G06", "L06", "conservation", "eventFold", "model"],
    edits: [
      {
        file: "venue/engine/matching/liquidationFill.ts",
        find: "changeBalance(state, taker.account, (0 - fee) as Amount, BALANCE_CAUSE.liquidationFee, isolated);",
        replace: `const charged = plant(11, fee, () => mulDivFloor(Math.abs(paid), terms.fee, PPM) as Amount);
    changeBalance(state, taker.account, (0 - charged) as Amount, BALANCE_CAUSE.liquidationFee, isolated);`,
      },
    ],
  },
  {
    number: 12,
    title: "The liquidation fee is capped by the sign of collateral, not by the remaining equity",
    provenance: "Dango 86dfac2a3",
    rules: ["LIQ-2"],
    tier: "C",
    expected: ["L05", "L06", "L07", "solventPays", "liquidationStepKeepsRatio", "fillArithmetic", "model"],
    edits: [
      {
        file: "venue/engine/matching/liquidationFill.ts",
        find: 'import { marginAccountOf } from "../state/marginAccount.ts";',
        replace: 'import { marginAccountOf, getCollateral } from "../state/marginAccount.ts";',
      },
      {
        file: "venue/engine/matching/liquidationFill.ts",
        find: "const fee = computeLiquidationFee(above, paid, terms.fee);",
        replace: `const fee = plant(12, computeLiquidationFee(above, paid, terms.fee), () =>
      (getCollateral(state, taker.account, isolated) > 0 ? mulDivFloor(Math.abs(paid), terms.fee, PPM) : 0) as Amount,
    );`,
      },
    ],
  },
  {
    number: 13,
    title: "A chunk rounds down: a chunk below one lot closes nothing and counts as done",
    provenance: "Dango closure.rs:586",
    rules: ["LIQ-2"],
    tier: "C",
    expected: ["L03", "L13", "model"],
    edits: [
      {
        file: "venue/engine/liquidation/pacing.ts",
        find: "return Math.min(open, mulDivCeil(open, rules.liquidationChunk, PPM));",
        replace: `const chunk = plant(13, mulDivCeil(open, rules.liquidationChunk, PPM), () =>
    Math.floor((open * rules.liquidationChunk) / PPM),
  );
  return Math.min(open, chunk);`,
      },
    ],
  },
  {
    number: 18,
    title: "Open interest is set to zero by a liquidation",
    provenance: "Zaros, finding 156",
    rules: ["ORD-5", "POS-4"],
    tier: "A",
    expected: ["G03", "G05", "openInterest", "eventFold", "model"],
    edits: [
      {
        file: "venue/engine/liquidation/liquidate.ts",
        find: "  const flat = isFlat(state, account, isolated);\n  if (flat) coverDeficit",
        replace: `  for (const { market } of marginAccount.positions) {
    if (!isPlanted(18)) break;
    if (state.markets.openInterest[market as never] !== 0) trigger();
    (state.markets.openInterest as unknown as number[])[market] = 0;
  }
  const flat = isFlat(state, account, isolated);
  if (flat) coverDeficit`,
      },
    ],
  },
  {
    number: 21,
    title: "A margin account that recovered while it was queued keeps its age in the queue",
    provenance: "Drift changelog #2122: a status flag that is not cleared",
    nearest: "no account has a liquidation flag; here the time since it was queued remains",
    rules: ["LIQ"],
    tier: "B",
    expected: ["L15", "fullPass", "model"],
    edits: [
      {
        file: "venue/engine/liquidation/queue.ts",
        find: "    if (since !== 0 || getRecord(state, account, isolated) !== 0)\n",
        // An account with a record recovers all the same: only one that has waited without a step keeps its age.
        replace: `    const recorded = getRecord(state, account, isolated) !== 0;
    if (plant(21, since !== 0 || recorded, () => recorded))
`,
      },
    ],
  },
  {
    number: 26,
    title: "Deleveraging leaves one lot as dust",
    provenance: "Drift #1397",
    rules: ["LIQ-5", "LIQ-6"],
    tier: "C",
    expected: ["L02", "L13", "model"],
    edits: [
      {
        file: "venue/engine/liquidation/deleverage.ts",
        find: "    const open: number = positions.signedLots[part.position];\n    if (open === 0) return;",
        replace: `    const open: number = positions.signedLots[part.position];
    if (open === 0 || (isPlanted(26) && Math.abs(open) === 1 && trigger())) return;`,
      },
      {
        file: "venue/engine/liquidation/deleverage.ts",
        find: "    const open = positions.signedLots[part.position];\n    if (open === 0) return;",
        replace: `    const open = positions.signedLots[part.position];
    if (open === 0 || (isPlanted(26) && Math.abs(open) === 1 && trigger())) return;`,
      },
    ],
  },
  {
    number: 35,
    title: "Deleveraging comes before the insurance fund",
    provenance: "own",
    rules: ["LIQ-4", "LIQ-5"],
    tier: "C",
    expected: ["L09", "recordStages", "model"],
    edits: [
      {
        file: "venue/engine/liquidation/policies/perplab.ts",
        find: 'import type { LiquidationPolicy } from "./definePolicy.ts";',
        replace:
          'import { TOTAL } from "../../state/totals.ts";\nimport type { LiquidationPolicy } from "./definePolicy.ts";',
      },
      {
        file: "venue/engine/liquidation/policies/perplab.ts",
        find: "    sendStepOrder(state, marginAccount, part, { lots: rest, limit: bound, insured: true, fee: rules.liquidationFee });",
        replace: `    if (!isPlanted(35)) {
      sendStepOrder(state, marginAccount, part, { lots: rest, limit: bound, insured: true, fee: rules.liquidationFee });
    } else {
      const { bestBid, bestAsk } = state.books[part.market]!;
      const covered = long ? bestBid !== 0 && bestBid >= bound : bestAsk !== 0 && bestAsk <= bound;
      if (covered && state.totals.cap(TOTAL.insurance) > 0) trigger();
    }`,
      },
    ],
  },
  {
    number: 36,
    title: "Equal ranks are deleveraged in the order in which positions were opened",
    provenance: "own",
    rules: ["LIQ-5", "DET-3"],
    tier: "C",
    expected: ["L10", "D03", "D04", "continuity", "model"],
    edits: [
      {
        file: "venue/engine/liquidation/ranking.ts",
        find: "  return a.account - b.account;",
        replace: `  return plant(
    36,
    a.account - b.account,
    () => a.position - b.position,
    (right, wrong) => right > 0 === wrong > 0,
  );`,
      },
    ],
  },
  {
    number: 38,
    title: "Ties in the liquidation queue are resolved by the order in which accounts were touched",
    provenance: "own",
    rules: ["LIQ", "DET-3"],
    tier: "C",
    expected: ["D03", "fullPass", "continuity", "model"],
    edits: [
      {
        file: "venue/engine/liquidation/queue.ts",
        find: "  return a.account - b.account || a.market - b.market;",
        replace: "  return plant(38, a.account - b.account || a.market - b.market, () => 0);",
      },
    ],
  },
  {
    number: 45,
    title: "The fund's cap of an owner counts payments to one subaccount only",
    provenance: "own",
    rules: ["LIQ-4"],
    tier: "B",
    expected: ["insuranceWithinCaps", "model"],
    edits: [
      {
        file: "venue/engine/insurance/insuranceCaps.ts",
        find: "      ofOwner += insured.accounts.get(at) ?? 0n;",
        replace:
          "      ofOwner += plant(45, insured.accounts.get(at) ?? 0n, () => (at === account ? (insured.accounts.get(at) ?? 0n) : 0n));",
      },
    ],
  },
  {
    number: 46,
    title:
      "The fund's cap of a market is a share of what the fund still holds, not of what it held before today's payments",
    provenance: "own",
    rules: ["LIQ-4"],
    tier: "B",
    expected: ["insuranceWithinCaps", "model"],
    edits: [
      {
        file: "venue/engine/insurance/insuranceCaps.ts",
        find: "((fund + ofAll) * BigInt(rules.insuranceCapMarket))",
        replace: "(plant(46, fund + ofAll, () => fund) * BigInt(rules.insuranceCapMarket))",
      },
    ],
  },
  {
    number: 53,
    title: "A loss is shared only by holders in the market of the largest position",
    provenance: "own",
    rules: ["LIQ-6"],
    tier: "B",
    expected: ["L11", "deficitToTheUnit", "model"],
    edits: [
      {
        file: "venue/engine/liquidation/deficit.ts",
        find: "    const opposite = held.some(",
        replace:
          "    const opposite = plant(53, held, () => held.slice(0, 1), (right, wrong) => right.length === wrong.length).some(",
      },
    ],
  },
  {
    number: 54,
    title: "Shorts are ranked for deleveraging by the formula of longs",
    provenance: "own",
    rules: ["LIQ-5"],
    tier: "B",
    expected: ["L10", "model"],
    edits: [
      {
        file: "venue/engine/liquidation/rankers.ts",
        find: "    signedLots > 0 ? { over: notional * notional, under: cost * equity } : { over: cost, under: equity },",
        replace: `    signedLots > 0 || (isPlanted(54) && trigger())
      ? { over: notional * notional, under: cost * equity }
      : { over: cost, under: equity },`,
      },
    ],
  },
  {
    number: 64,
    title: "A backstop takes positions over without the initial margin of its other markets",
    provenance: "own",
    rules: ["LIQ-3"],
    tier: "B",
    expected: ["takeoverByRule", "model"],
    edits: [
      {
        file: "venue/engine/liquidation/takeover.ts",
        find: "  const others = health.initial - health.marketInitial;",
        replace: "  const others = plant(64, health.initial - health.marketInitial, () => 0);",
      },
    ],
  },
  {
    number: 66,
    title: "The liquidation of a cross margin account leaves the orders of isolated markets",
    provenance: "own",
    rules: ["LIQ-1"],
    tier: "B",
    expected: ["ordersGoFirst", "model"],
    edits: [
      {
        file: "venue/engine/liquidation/cancelIncreasing.ts",
        find: "    if (isolated !== NONE && at !== isolated) continue;",
        replace: `    const foreign = isolated !== NONE && at !== isolated;
    if (plant(66, foreign, () => foreign || (isolated === NONE && positions.mode[at] !== 0 && positions.orderCount[at] > 0)))
      continue;`,
      },
    ],
  },
];
