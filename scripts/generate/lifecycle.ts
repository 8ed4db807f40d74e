/**
 * Renders `docs/reference/market-status.md` from the table of the lifecycle: the permissions of a market in each
 * status.
 */
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

A market has one status. It decides which orders may enter, and which steps of a block touch the market (MKT). In every
status owners may cancel orders and shrink resting orders in place.

${table(["status", "meaning", "orders", "prices move", "funding", "liquidation", "intents fire", "may go to"], rows)}

A new market starts as ${OPENING_STATUSES.map(code).join(", ")}. \`updateMarket\` may set a status of the last column; any other
is rejected with \`STATUS_NOT_REACHABLE\`. \`settleMarket\` leads to \`settled\`, which is final.

Four switches of a market pause one operation each, whatever its status:

${table(
  ["parameter", "while it is on"],
  [
    [code("pauseTrade"), "orders may not enter (`OPERATION_PAUSED`), intents do not fire; cancelling continues"],
    [
      code("pauseLiquidate"),
      "liquidations do not close positions of the market; they close other positions of a margin account",
    ],
    [
      code("pauseFund"),
      "premiums are not sampled, funding is not paid; the running interval ends and is paid; any other amount due waits (FND-4)",
    ],
    [
      code("pauseWithdraw"),
      "accounts with a position in the market neither withdraw nor transfer (`OPERATION_PAUSED`)",
    ],
  ],
)}
`;
}
