import { NONE } from "../../../ground/collections/table.ts";
import { VALIDITY } from "../../../protocol/validity.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { defineInvariant } from "../defineInvariant.ts";
import { ceilDiv, exactHealth } from "../exact/health.ts";
import { near } from "../tally.ts";

export const outflowLeavesFree = defineInvariant({
  id: "outflowLeavesFree",
  sentence:
    "What leaves a margin account was free: collateral and losses cover the initial margin with orders, and a tenth of notional; and no market of its owner's keeps it, by a pause, a gap or its price.",
  rules: ["MRG-5", "MKT", "PRC-1", "PRC-4"],
  catalogue: ["M03", "L14"],
  when: "transaction",
  kinds: ["withdrawn", "transferred"],
  slack: "quote units",
  touched(moment) {
    const { actor, state } = moment;
    if (actor === NONE || moment.code !== 0) return undefined;
    moment.met++;
    const { losses, initial, notional } = exactHealth(state, actor);
    const tenth = ceilDiv(notional, 10n);
    const needed = initial > tenth ? initial : tenth;
    const left = BigInt(state.accounts.collateral[actor]) + losses;
    near(moment, left - needed);
    if (left < needed) return `account ${actor} is left with ${left} where ${needed} must stay`;
    return findKeeper(state, actor);
  },
});

/** A market from whose accounts nothing may leave now, in which the account has a position or an order. */
function findKeeper({ accounts, positions, markets, parameters }: State, account: AccountRow): string | undefined {
  for (let at = accounts.position[account]; at !== NONE; at = positions.next[at]) {
    if (positions.size[at] === 0 && positions.orderCount[at] === 0) continue;
    const market = positions.market[at];
    const name = `account ${account} takes collateral out and is in market ${market}`;
    if (positions.size[at] !== 0 && parameters[market]!.pauseWithdraw !== 0) return `${name}, which is paused for that`;
    if (markets.restarting[market] !== 0) return `${name}, which is in a gap`;
    const validity = markets.validity[market];
    if (validity !== VALIDITY.valid) return `${name}, whose price has validity ${validity}`;
  }
  return undefined;
}
