import type { PlantedBug } from "../plantedBug.ts";

/** Funding: signs, instants, rounding. */
export const funding: readonly PlantedBug[] = [
  {
    number: 22,
    title: "Funding is paid in the wrong direction",
    provenance: "Drift #931: flipping funding rates",
    rules: ["FND-3"],
    tier: "A",
    expected: ["F01", "F03", "G08", "fundingArithmetic", "fundingPool", "model"],
    edits: [
      {
        file: "venue/engine/funding/settle.ts",
        find: "const payment = getUnsettledFunding(state, position);",
        replace: `const owed = getUnsettledFunding(state, position);
  const payment = plant(22, owed, () => 0 - owed);`,
      },
    ],
  },
  {
    number: 29,
    title: "Funding is paid twice if the block's time equals the funding instant",
    provenance: "own",
    rules: ["FND-2"],
    tier: "B",
    expected: ["F02", "fundingRates", "model"],
    edits: [
      {
        file: "venue/engine/steps/accrueFunding.ts",
        find: "payDue(state, market, Math.max(ended, settled));",
        replace: `const last = plant(29, Math.max(ended, settled), () =>
    ended === timeMs && ended > settled && rules.fundingMethod !== FUNDING_METHOD.continuous
      ? ended - 1
      : Math.max(ended, settled),
  );
  payDue(state, market, last);`,
      },
    ],
  },
  {
    number: 30,
    title: "A position opened in the block of a funding instant pays for it",
    provenance: "own",
    rules: ["FND-3"],
    tier: "B",
    expected: ["F01", "F06", "fundingArithmetic", "fundingPool", "model"],
    edits: [
      {
        file: "venue/engine/matching/applyFill.ts",
        find: 'import { settleFunding } from "../funding/settle.ts";',
        replace: `import { highOf, joinIndex, lowOf, wrapIndex } from "../funding/cumulativeIndex.ts";
import { computeIndexDelta } from "../funding/indexDelta.ts";
import { settleFunding } from "../funding/settle.ts";`,
      },
      {
        file: "venue/engine/matching/applyFill.ts",
        find: "  positions.signedLots[position] = nextSignedLots;\n",
        replace: `  if (signedLots === 0 && isPlanted(30) && markets.settledTime[market] === state.timeMs) {
    const paid = computeIndexDelta(state.parameters[market]!, markets.fundingRate[market], markets.index[market]);
    const index = joinIndex(markets.fundingHigh[market], markets.fundingLow[market]);
    const before = wrapIndex(index - paid);
    if (paid !== 0n) trigger();
    positions.fundingHigh[position] = highOf(before);
    positions.fundingLow[position] = lowOf(before);
  }
  positions.signedLots[position] = nextSignedLots;
`,
      },
    ],
  },
  {
    number: 31,
    title: "Funding is truncated toward zero for both sides",
    provenance: "own",
    rules: ["FND-3", "NUM-2"],
    tier: "A",
    expected: ["F01", "G08", "equityFromScratch", "fundingArithmetic", "fundingPool", "bounds", "model"],
    edits: [
      {
        file: "venue/engine/funding/owed.ts",
        find: "return 0 - Math.floor((remainder - product) / INDEX_SCALE);",
        replace: `return plant(
      31,
      0 - Math.floor((remainder - product) / INDEX_SCALE),
      () => Math.trunc((product - remainder) / INDEX_SCALE) + 0,
    );`,
      },
    ],
  },
  {
    number: 55,
    title: "The excess of a funding payment is not carried for receivers",
    provenance: "own",
    rules: ["FND-3"],
    tier: "B",
    expected: ["fundingArithmetic", "eventFold", "F01", "model"],
    edits: [
      {
        file: "venue/engine/funding/settle.ts",
        find: "  positions.fundingRemainder[position] = computeFundingRemainder(signedLots, move, remainder, payment);",
        replace: `  const carried = computeFundingRemainder(signedLots, move, remainder, payment);
  positions.fundingRemainder[position] = plant(55, carried, () => (payment < 0 ? 0 : carried));`,
      },
    ],
  },
  {
    number: 56,
    title: "What an interval earns replaces the excess that is still due",
    provenance: "own",
    rules: ["FND-2"],
    tier: "B",
    expected: ["fundingRates", "fundingCapped", "model"],
    edits: [
      {
        file: "venue/engine/funding/interval.ts",
        find: "  markets.fundingDue[market] = (markets.fundingDue[market] + share.rate) as Ppb;",
        replace:
          "  markets.fundingDue[market] = plant(56, markets.fundingDue[market] + share.rate, () => share.rate) as Ppb;",
      },
    ],
  },
];
