import type { State } from "../../../venue/engine/state/state.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { ExactSum } from "../machinery/ledger/exactSum.ts";
import type { Deltas } from "../machinery/ledger/ledger.ts";

export const conservation = defineInvariant({
  id: "conservation",
  sentence:
    "Collateral less cost, plus insurance, fees, dust and funding pools, less bad debt, equals inflows less outflows.",
  rules: ["POS-4", "NUM-2"],
  catalogue: ["G01"],
  when: "transaction",
  start: () => new ExactSum(),
  touched(moment, sum) {
    moment.met++;
    if (moment.from === moment.to) return undefined;
    const { deltas } = moment.ledger;
    addUp(deltas, sum);
    if (sum.isZero()) return undefined;
    const terms = TERMS.map((name) => ({ name, value: String(deltas[name].value()) }));
    return { observed: `${sum.value()} quote units have no source`, terms };
  },
  sweep(state, step) {
    step.met++;
    const { totals } = state;
    const sum = sumHeld(state);
    const { limbs } = totals;
    // insurance + fees - bad debt - inflows + withdrawals, by place of TOTAL.
    for (let place = 0; place < SIGNS.length; place++) {
      const sign = SIGNS[place]!;
      sum.addLimbs(sign * limbs[place * 2]!, sign * limbs[place * 2 + 1]!);
    }
    return sum.isZero() ? undefined : `${sum.value()} quote units do not come from any inflow`;
  },
});

const TERMS = [
  "collateral",
  "cost",
  "insurance",
  "fees",
  "dust",
  "pools",
  "badDebt",
  "inflows",
  "withdrawals",
] as const satisfies readonly (keyof Deltas)[];
/** Of the totals, in the order of TOTAL. */
const SIGNS = [1, 1, -1, -1, 1] as const;

function addUp(deltas: Deltas, sum: ExactSum): void {
  sum.clear();
  for (const { high, low } of deltas.added) sum.addLimbs(high, low);
  for (const { high, low } of deltas.subtracted) sum.addLimbs(-high, -low);
}

/** Collateral less cost over all accounts, isolated positions included; dust and pools over markets. */
function sumHeld({ accounts, positions, markets }: State): ExactSum {
  const sum = new ExactSum();
  for (let row = 0 as never; row < accounts.rows.high; row++) {
    if (accounts.rows.isLive(row)) sum.add(accounts.collateral[row]!);
  }
  for (let row = 0 as never; row < positions.rows.high; row++) {
    if (!positions.rows.isLive(row)) continue;
    sum.add(positions.isolated[row]!);
    sum.add(-positions.cost[row]!);
  }
  for (let row = 0 as never; row < markets.rows.high; row++) {
    sum.add(markets.dust[row]!);
    sum.addLimbs(markets.poolHigh[row]!, markets.poolLow[row]!);
  }
  return sum;
}
