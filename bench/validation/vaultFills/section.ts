import { table } from "../../../scripts/markdown.ts";
import type { Section } from "../section.ts";
import { formatCount, formatOf, formatShare, formatUsd } from "../text.ts";
import { CLOSE_CLASSES, type CloseClass } from "./chain.ts";
import type { VaultFills } from "./measure.ts";

const MEANINGS: Readonly<Record<CloseClass, string>> = {
  exact: "equal to 0.000001 USDC",
  entryCut: "equal once the average entry price is cut to the step of prices, as the venue does in its reports",
  averagedPrice: "the row joins fills at several prices, and has only their rounded mean",
  averagedEntry: "an earlier row of the position does",
  forced: "a settlement, a deleveraging or a netting of vaults",
  withinStep: "less than one step of prices for each unit of size",
  other: "more than that",
};

export function describeVaultFills(figures: VaultFills): Section {
  const { closes, continuations, unknownEntries, fills, equalShare } = figures;
  const checked = Object.values(closes).reduce((sum, { count }) => sum + count, 0);
  const equal = closes.exact.count + closes.entryCut.count;
  const rows = CLOSE_CLASSES.map((name) => [
    MEANINGS[name],
    formatCount(closes[name].count),
    formatShare(closes[name].count / checked),
    formatUsd(closes[name].greatestDifference, 6),
  ]);
  const continued = continuations.follows + continuations.breaks;
  const text = `The folder \`hyperliquid_vault_fills\` has ${formatCount(fills)} fills of ${formatCount(figures.vaults)} vaults in ${formatCount(figures.coins)} coins, February to November 2025.
The engine's functions hold each position: cost, released cost and realized PnL of every fill ([POS](spec/positions.md)). Each close is
compared with the realized PnL that the venue recorded.

Of ${formatCount(continued)} fills that continue a position, ${formatCount(continuations.follows)} begin with the size that the fills before left
(${formatShare(continuations.follows / continued)}). The others follow a gap: the source has at most 2,000 fills of a vault, and no transfers.
${formatCount(unknownEntries)} fills reduce a position whose entry the recording does not have. They are not checked.

${table(["closes", "count", "share", "greatest difference, USDC"], rows)}

A cut entry price changes the PnL of a report by less than one step of prices for each unit of size. The next section shows that the
balance of an account has no such cut. The lot of a coin is not recorded: it is the finest step of its sizes.`;
  return {
    title: "Realized PnL of a million fills",
    result: `${formatOf(equal, checked)} closes equal (${formatShare(equalShare)})`,
    text,
  };
}
