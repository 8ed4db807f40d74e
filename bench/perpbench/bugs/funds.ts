import type { PlantedBug } from "../plantedBug.ts";

/** Deposits, withdrawals and fees. */
export const funds: readonly PlantedBug[] = [
  {
    number: 1,
    title: "A top-up is checked only if it is positive: a negative one removes collateral that is not free",
    provenance: "Dango ff1d08bfc: the insurance top-up accepted a negative amount",
    nearest: "amounts cannot be negative on the wire; here the removal of isolated margin is not checked",
    rules: ["MRG-2", "MRG-5"],
    tier: "A",
    expected: ["T10", "G01", "G09", "M03", "marginAfterAction", "model"],
    edits: [
      {
        file: "venue/engine/actions/adjustIsolatedMargin.ts",
        find: "if (amount > free) return",
        replace: "if (plant(1, amount > free, () => adding && amount > free)) return",
      },
    ],
  },
  {
    number: 10,
    title: "A fee is split by two divisions that both truncate",
    provenance: "Dango f2df07979",
    rules: ["ORD-7", "POS-4"],
    tier: "A",
    expected: ["G01", "G05", "G06", "conservation", "eventFold", "model"],
    edits: [
      {
        file: "venue/engine/matching/match.ts",
        find: "state.totals.add(TOTAL.fees, (takerFee + makerFee) as Amount);",
        replace: `const bothFees = takerFee + makerFee;
  state.totals.add(
    TOTAL.fees,
    plant(10, bothFees, () => Math.floor((bothFees * 7) / 10) + Math.floor((bothFees * 3) / 10)) as Amount,
  );`,
      },
    ],
  },
  {
    number: 14,
    title: "A withdrawal is checked against collateral only, without losses and initial margin",
    provenance: "Dango a53a2adf5",
    rules: ["MRG-5"],
    tier: "A",
    expected: ["M03", "marginAfterAction", "model"],
    edits: [
      {
        file: "venue/engine/actions/withdraw.ts",
        find: "if (amount > free) return",
        replace: "if (plant(14, amount > free, () => amount > state.accounts.collateral[account])) return",
      },
    ],
  },
  {
    number: 39,
    title: "A fee is computed in doubles beyond 2^53",
    provenance: "own",
    rules: ["NUM-1", "ORD-7"],
    tier: "C",
    expected: ["G01", "G06", "D06", "fillArithmetic", "model"],
    edits: [
      {
        file: "venue/engine/matching/fees.ts",
        find: "number {\n  return mulDivCeil(value, rate, PPM);",
        replace: "number {\n  return plant(39, mulDivCeil(value, rate, PPM), () => Math.ceil((value * rate) / PPM));",
      },
    ],
  },
  {
    number: 40,
    title: "The taker pays its fee on the order size, not on the filled size",
    provenance: "own",
    rules: ["ORD-7"],
    tier: "A",
    expected: ["G05", "G06", "fillArithmetic", "model"],
    edits: [
      {
        file: "venue/engine/matching/match.ts",
        find: "? computeTakerFee(taker.value + value, getTakerRate(state, rules, taker.account)) - taker.feePaid",
        replace: `? plant(
          40,
          computeTakerFee(taker.value + value, getTakerRate(state, rules, taker.account)) - taker.feePaid,
          () => {
            const asked = taker.value + price * taker.remaining * rules.tickLotValue;
            return Math.max(0, computeTakerFee(asked, getTakerRate(state, rules, taker.account)) - taker.feePaid);
          },
        )`,
      },
    ],
  },
  {
    number: 34,
    title: "A fee tier starts above its volume, not at it",
    provenance: "own",
    nearest: "margin tiers are continuous, so both tiers give the same margin at an edge; fee tiers are not",
    rules: ["ORD-7"],
    tier: "B",
    expected: ["M08", "G07", "fillArithmetic", "model"],
    edits: [
      {
        file: "venue/engine/matching/volume.ts",
        find: "findLast(({ from }) => from <= volume)",
        replace: "findLast(({ from }) => plant(34, from <= volume, () => from < volume))",
      },
    ],
  },
];
