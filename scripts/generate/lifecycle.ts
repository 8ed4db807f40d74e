/** Renders `docs/reference/market-status.md` from the table of the lifecycle: what a market does in each status. */
import { LIFECYCLE, OPENING_STATUSES } from "../../src/protocol/lifecycle.ts";
import { code, generatedFrom, table } from "../markdown.ts";

export const path = "docs/reference/market-status.md";

const PLACING_WORDS = { none: "none", postOnly: "post-only", reduceOnly: "reduce-only", all: "all" };
const yes = (allowed: boolean) => (allowed ? "yes" : "no");

export function render(): string {
  const rows = Object.entries(LIFECYCLE).map(([status, rules]) => [
    code(status),
    rules.doc,
    PLACING_WORDS[rules.placing],
    yes(rules.prices),
    yes(rules.fund),
    yes(rules.liquidate),
    yes(rules.trigger),
    rules.next.map(code).join(", "),
  ]);
  return `${generatedFrom("src/protocol/lifecycle.ts")}
# Status of a market

A market has one status. It decides which orders may enter, and which steps of a block touch the market (MKT). Cancelling,
and making an order smaller where it rests, is possible in every status.

${table(["status", "meaning", "orders", "prices move", "funding", "liquidation", "intents fire", "may go to"], rows)}

A new market starts as ${OPENING_STATUSES.map(code).join(", ")}. \`updateMarket\` goes along the last column; everything else
is \`STATUS_NOT_REACHABLE\`. \`settleMarket\` leads to \`settled\`, and nothing leads back from there.

Four switches of a market pause one operation each, whatever its status:

${table(
  ["parameter", "while it is on"],
  [
    [code("pauseTrade"), "orders may not enter (`OPERATION_PAUSED`), intents do not fire; cancelling goes on"],
    [
      code("pauseLiquidate"),
      "positions of the market are not closed by liquidations; other positions of a margin account are",
    ],
    [
      code("pauseFund"),
      "premiums are not sampled, funding is not paid; the running interval ends and is paid; what is due beyond that waits (FND-4)",
    ],
    [
      code("pauseWithdraw"),
      "accounts with a position in the market neither withdraw nor transfer (`OPERATION_PAUSED`)",
    ],
  ],
)}
`;
}
