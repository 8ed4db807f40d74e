import { table } from "../../../scripts/markdown.ts";
import type { Section } from "../section.ts";
import { formatCount, formatOf, formatTime } from "../text.ts";
import { FROM_MS, KINDS, type October, TO_MS } from "./measure.ts";

export function describeOctober(figures: October): Section {
  const { kinds, funding } = figures;
  const rows = KINDS.map((kind) => {
    const { fills, chained, closes, equalCloses } = kinds[kind];
    return [kind, formatCount(fills), formatCount(chained), formatCount(closes), formatCount(equalCloses)];
  });
  const total = (read: (kind: October["kinds"][keyof October["kinds"]]) => number) =>
    KINDS.reduce((sum, kind) => sum + read(kinds[kind]), 0);
  const settlements = funding.map(({ market, timeMs, premium, rate, isEqual }) => [
    market,
    formatTime(timeMs),
    premium,
    rate,
    isEqual ? "yes" : "no",
  ]);
  const text = `The data has no trades of the whole market for ${formatTime(FROM_MS)} to ${formatTime(TO_MS).slice(11)}. It has fills of ${formatCount(figures.vaults)} vaults in
${formatCount(figures.coins)} coins, with their liquidations and deleveragings. Bitcoin filled between ${formatCount(figures.highest)} and ${formatCount(figures.lowest)} USD.
The engine's functions hold the positions from February on:

${table(["fills of the hour", "count", "begin with the size held here", "checked closes", "equal"], rows)}

The hour was settled at these premiums, and the engine's formula gives the same rates in nine decimals:

${table(["market", "settled", "premium", "recorded rate", "equal"], settlements)}

Deleveraging closed positions of ${figures.deleveragedVaults} vaults. At that time ${figures.hedgedVaults} of them held a position of the other side in another coin, as far as the
recording shows. Such an account loses one leg of a hedge. The scenario \`scenarios/incidents/oct10-2025.yaml\` repeats this on a small scale
under weak parameters, and does not under the defaults.

**What this does not show.** The recording has no account values and no order book. So it cannot show which account a venue should have
liquidated or deleveraged first, and at which price. Nothing is claimed about that here.`;
  const closes = total(({ closes: count }) => count);
  return {
    title: "The hour of 10 October 2025",
    result: `${formatOf(
      total(({ equalCloses }) => equalCloses),
      closes,
    )} closes equal; both settlements of funding equal; no claim about the order of liquidations`,
    text,
  };
}
