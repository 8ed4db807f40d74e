import { table } from "../../../scripts/markdown.ts";
import type { Section } from "../section.ts";
import { formatCount, formatOf, formatTime, formatUnits } from "../text.ts";
import type { AccountReplay } from "./measure.ts";

export function describeAccount(figures: AccountReplay): Section {
  const { sums, checks } = figures;
  const counts = [
    ["fills that begin with the size held here", formatOf(figures.chained, figures.fills)],
    ["closes with the recorded PnL", formatOf(figures.equalCloses, figures.closes)],
    ["fees of the engine's formula, in markets of the venue itself", formatOf(figures.fees.equal, figures.fees.fills)],
    ["funding payments for the size held here", formatOf(figures.fundingOfHeldSize, figures.fundingPayments)],
    ["funding payments in the direction of the rate", formatOf(figures.fundingOfRightSign, figures.fundingPayments)],
    ["hours with a position and without a payment", formatCount(figures.hoursWithoutFunding)],
  ];
  const money = [
    ["deposits", formatUnits(sums.deposits, 6)],
    ["realized PnL, by the engine", formatUnits(sums.realized, 6)],
    ["fees, as recorded", formatUnits(-sums.fees, 6)],
    ["funding, as recorded", formatUnits(sums.funding, 6)],
    ["balance at the end", formatUnits(figures.balance, 6)],
  ];
  const transfers = checks.map((check) => [
    formatTime(check.timeMs),
    check.recorded,
    formatUnits(check.balance, 6),
    formatUnits(check.balanceByReports, 6),
    check.isEqual ? "yes" : "no",
  ]);
  const equal = checks.filter(({ isEqual }) => isEqual).length;
  const text = `The folder \`hyperliquid_account_replay\` is one account from its first deposit on: ${formatCount(figures.fills)} fills in ${figures.coins} coins,
${formatCount(figures.fundingPayments)} hourly funding payments and ${checks.length} transfers. Positions and realized PnL are the engine's. Fees and payments enter the balance as
recorded, because oracle prices and the tier of the account are not part of the recording.

${table(["", ""], counts)}

${table(["USDC", ""], money)}

A fee here is rounded up, so it may be 0.000001 USDC more than the recorded one. The rates are 0.045 % and 0.015 %, and 4 % less for a referred
account. Markets of other deployers (${formatCount(figures.fees.finerRates)} fills) have a fifth of that, which is no whole number of ppm. A market here cannot have such a rate.

Twice the account sent its whole balance from one of its wallets to another, without an open position. The venue recorded these amounts to
the cent:

${table(["time", "recorded", "balance here", "by the venue's PnL of each close", "equal to the cent"], transfers)}

The venue's realized PnL of each close, added up, misses the transferred amount. It cuts the average entry price. The engine keeps the whole
cost, and the transferred amounts agree with that.`;
  return {
    title: "One account to the cent",
    result: `balance equal to the cent at ${formatOf(equal, checks.length)} transfers of all of it; ${formatOf(figures.equalCloses, figures.closes)} closes`,
    text,
  };
}
