import { table } from "../../../scripts/markdown.ts";
import type { Section } from "../section.ts";
import { formatCount, formatOf, formatShare, formatTime, formatUsd } from "../text.ts";
import type { PeerFigures, Sma } from "./measure.ts";

export function describeSma({ peers, perplab, bars, fromMs, toMs, deposit, derived, funding }: Sma): Section {
  const entries = peers.map(({ name, version, comparison, atBarPrice, fillsAt }) => [
    `${name} ${version}`,
    formatCount(comparison.entries),
    formatCount(comparison.sameBarAndSide),
    formatCount(comparison.withinTick),
    formatUsd(comparison.greatestDifference),
    `${fillsAt === "open" ? "next open" : "close of the signal"}: ${formatOf(atBarPrice, comparison.entries)}`,
  ]);
  const equities = [
    ["perplab", formatUsd(perplab.fixed), formatUsd(perplab.compounding!), ""],
    ...peers.map(({ name, version, fixed, compounding, equityDifference }) => [
      `${name} ${version}`,
      formatUsd(fixed),
      compounding === null ? "–" : formatUsd(compounding),
      formatShare(equityDifference, 4),
    ]),
  ];
  const withFunding = [
    ["one bitcoin", formatUsd(perplab.fixed), formatUsd(perplab.fixedWithFunding)],
    ["compounding", formatUsd(perplab.compounding!), formatUsd(perplab.compoundingWithFunding)],
  ];
  const text = `A strategy is always in the market: long while the mean of 24 closes is above the mean of 96, else short. The bars are hourly bars of Bitcoin
from \`binance_um_1h_2019_2023\`, ${formatCount(bars)} of them, ${formatTime(fromMs)} to ${formatTime(toMs)}. The deposit is ${formatCount(deposit)} USD, the leverage 3, and
the whole volume of a bar is on offer. Every program gets the same decisions from the same closes.

${table(["program", "entries", "same bar and side", "within a tick", "greatest difference, USD", "fills at"], entries)}

perplab fills a tenth of a second after the next open, purchases one tick above it. NautilusTrader ${nameVersion(peers, "NautilusTrader")} fills at the close that gave the
signal, which is another price by its own rule. The last column counts the entries at exactly the price of each program's rule. From the
bars alone, without any backtester, follow ${formatOf(derived.sameBarAndSide, derived.entries)} of the same entries.

Equity at the end in USD, without funding, of one bitcoin without fees, and of 0.9 x 3 x equity with a fee of 0.05 %:

${table(["program", "one bitcoin", "compounding", "greater difference, of the deposit"], equities)}

The equity of lrvx has its open position added at the last close, which its own result leaves out.

**Funding.** None of these programs settles it in these runs. Here it changes the result:

${table(["USD", "without funding", "with recorded funding"], withFunding)}

Plain arithmetic over bars and recorded rates, with one bitcoin, gives ${formatUsd(funding.received, 6)} USD in ${formatCount(funding.payments)} payments. The
venue pays ${formatUsd(perplab.funding, 6)} in ${formatCount(perplab.payments)}. The difference of ${formatUsd(Math.abs(funding.difference), 6)} is its rounding: what a position
owes is rounded up to a millionth when it is settled.`;
  const same = peers.every(({ comparison }) => comparison.sameBarAndSide === comparison.entries);
  const greatest = Math.max(...peers.map(({ equityDifference }) => equityDifference));
  return {
    title: "The same strategy in other backtesters",
    result: `${same ? "every" : "not every"} entry on the same bar and side in ${peers.length} programs; equities within ${formatShare(greatest, 3)} of the deposit; funding within a cent`,
    text,
  };
}

function nameVersion(peers: readonly PeerFigures[], wanted: string): string {
  return peers.find(({ name }) => name === wanted)?.version ?? "";
}
