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
        find: "feeTiers[place]!.from > volume)",
        replace: "plant(34, feeTiers[place]!.from > volume, () => feeTiers[place]!.from >= volume))",
      },
    ],
  },
  {
    number: 47,
    title: "A new hour of withdrawals also begins a new day",
    provenance: "own",
    rules: ["MRG-5"],
    tier: "B",
    expected: ["outflowWithinCaps", "eventFold", "model"],
    edits: [
      {
        file: "venue/engine/margin/outflow.ts",
        find: "    window.open(timeMs - (timeMs % window.lengthMs), base);",
        replace: `    window.open(timeMs - (timeMs % window.lengthMs), base);
    if (place === 0 && isPlanted(47) && windows[1]!.used > 0n && trigger()) windows[1]!.used = 0n;`,
      },
    ],
  },
  {
    number: 48,
    title: "The deficit threshold of a block is compared with each deficit, not with their sum",
    provenance: "own",
    rules: ["MRG-5"],
    tier: "B",
    expected: ["outflowWithinCaps", "model"],
    edits: [
      {
        file: "venue/engine/margin/outflow.ts",
        find: "  if (deficitBlocks === 0 || outflow.addUncovered(height, amount) <= deficitThreshold) return;",
        replace: `  if (deficitBlocks === 0) return;
  const sum = outflow.addUncovered(height, amount);
  if (plant(48, sum <= deficitThreshold, () => BigInt(amount) <= deficitThreshold)) return;`,
      },
    ],
  },
  {
    number: 51,
    title: "The fills of an undone batch still count as volume",
    provenance: "own",
    rules: ["ACT-1", "ORD-7"],
    tier: "B",
    expected: ["eventFold", "eventsAreComplete", "model"],
    edits: [
      {
        file: "venue/engine/matching/volume.ts",
        find: "    state.journal.row(state.volumes, row);",
        replace: "    if (!(isPlanted(51) && trigger())) state.journal.row(state.volumes, row);",
      },
    ],
  },
  {
    number: 52,
    title: "The oldest of the 30 days of volume does not count",
    provenance: "own",
    rules: ["ORD-7"],
    tier: "B",
    expected: ["fillArithmetic", "equityFromScratch", "model"],
    edits: [
      {
        file: "venue/engine/matching/volume.ts",
        find: "volumes.day[at] >= today - VOLUME_DAYS)",
        replace: "plant(52, volumes.day[at] >= today - VOLUME_DAYS, () => volumes.day[at] > today - VOLUME_DAYS))",
      },
    ],
  },
  {
    number: 61,
    title: "A settlement pays for a negative margin account that still has a position in another market",
    provenance: "own",
    rules: ["MKT"],
    tier: "B",
    expected: ["settledIsOver", "deficitToTheUnit", "model"],
    edits: [
      {
        file: "venue/engine/settlement/coverSettlement.ts",
        find: "state.accounts.role[marginAccount.account] !== ROLE.house && isFlat(state, marginAccount),",
        replace:
          "state.accounts.role[marginAccount.account] !== ROLE.house && plant(61, isFlat(state, marginAccount), () => true),",
      },
    ],
  },
];
