import { table } from "../../../scripts/markdown.ts";
import type { Section } from "../section.ts";
import { formatCount, formatShare, formatTime, formatUsd } from "../text.ts";
import type { Fill, Loss, LrvxLimits } from "./measure.ts";

export function describeLrvx({ perplab, lrvx, fee }: LrvxLimits): Section {
  const { loss } = lrvx;
  const losses = [
    [
      `lrvx ${lrvx.version} with its venue stack`,
      "–",
      formatUsd(loss.final),
      formatShare(loss.drawdown, 1),
      `${loss.liquidations} liquidations`,
    ],
    ...perplab.losses.map((own) => [
      "perplab",
      `${own.leverage}x`,
      formatUsd(own.final),
      formatShare(own.drawdown, 1),
      describeEnd(own),
    ]),
  ];
  const fills = (list: readonly Fill[]) => list.map(({ price, size }) => `${size} at ${price}`).join(", ");
  const others = [
    [
      "market purchase of 100, with 1 on offer at 100, 101 and 102 each",
      fills(lrvx.purchase),
      fills(perplab.purchase.fills),
    ],
    [
      `1 bought at ${perplab.held.entryPrice} of 1,000 USD, and held to ${formatCount(perplab.held.lastPrice)}: equity`,
      formatUsd(lrvx.held.final),
      formatUsd(perplab.held.final),
    ],
  ];
  const text = `lrvx is a fast simulator of strategies. Its runner and its venue stack are separate objects, and each can be used alone. A reader who compares
results needs to know three differences. All runs are of lrvx ${lrvx.version}, by \`bench/peers/lrvx_limits.py\`.

**A loss beyond the deposit.** The strategy of the averages trades one bitcoin with 1,000 USD, at the fee of lrvx's venue stack,
${formatShare(Number(fee))}:

${table(["program", "leverage", "equity at the end", "drawdown", ""], losses)}

lrvx ends at ${formatShare(loss.return, 1)} of return, after a drawdown of more than all its equity. Its runner does not consult the account of
the stack: that has ${loss.positionsOfStack} positions and ${formatUsd(loss.equityOfStack)} USD at the end. In a venue the account is liquidated, or cannot pay for its next
order. A leverage of ${Math.max(...perplab.losses.map(({ leverage }) => leverage))} is the most that the market allows.

**Depth and open positions.**

${table(["", "lrvx", "perplab"], others)}

lrvx fills the whole order at the last price on offer. perplab fills what is there, and the rest of a market order is cancelled. The result
of lrvx counts closed trades; perplab values the open position at the mark.`;
  return {
    title: "Limits of an account and of a book, next to lrvx",
    result: `an account that lrvx ends at ${formatShare(loss.return, 1)} of return is ${perplab.losses.some(({ liquidations }) => liquidations > 0) ? "liquidated" : "not liquidated"} here`,
    text,
  };
}

function describeEnd({ liquidation, refusedOrders }: Loss): string {
  if (liquidation === null)
    return `no liquidation: ${formatCount(refusedOrders)} orders were refused for lack of margin`;
  const { timeMs, equity, maintenance } = liquidation;
  return `liquidated ${formatTime(timeMs)}: equity ${formatUsd(equity)}, maintenance margin ${formatUsd(maintenance)}`;
}
