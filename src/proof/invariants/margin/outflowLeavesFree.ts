import { NONE } from "../../../ground/collections/table.ts";
import { listMoves } from "../../../protocol/events.ts";
import { VALIDITY } from "../../../protocol/validity.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { ceilDiv, exactHealth } from "../machinery/exact/health.ts";
import { near } from "../machinery/tally.ts";

export const outflowLeavesFree = defineInvariant({
  id: "outflowLeavesFree",
  sentence:
    "Collateral that leaves a margin account was free: the rest covers losses, initial margin with orders, and a tenth of notional. No market of its owner forbids it by a pause, a restart or its price.",
  rules: ["MRG-5", "MKT", "PRC-1", "PRC-4"],
  catalogue: ["M03", "L14"],
  when: "transaction",
  kinds: listMoves("out", "within"),
  moments: ["transaction"],
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

/** A market with a position or an order of the account from which nothing may be withdrawn now. */
function findKeeper({ accounts, positions, markets, parameters }: State, account: AccountRow): string | undefined {
  for (let at = accounts.position[account]; at !== NONE; at = positions.next[at]) {
    if (positions.signedLots[at] === 0 && positions.orderCount[at] === 0) continue;
    const market = positions.market[at];
    const name = `account ${account} withdraws while it is in market ${market}`;
    if (positions.signedLots[at] !== 0 && parameters[market]!.pauseWithdraw !== 0)
      return `${name}, whose withdrawals are paused`;
    if (markets.restarting[market] !== 0) return `${name}, which restarts after a halt`;
    const validity = markets.validity[market];
    if (validity !== VALIDITY.valid) return `${name}, whose price has validity ${validity}`;
  }
  return undefined;
}
