import { collectDue } from "../engine/liquidation/queue.ts";
import { refreshMarket } from "../engine/prices/refreshMarket.ts";
import type { AccountRow } from "../engine/state/schema.ts";
import { forkState, type State } from "../engine/state/state.ts";
import { ROLE } from "../protocol/words.ts";
import { defineInvariant } from "./defineInvariant.ts";
import { exactHealth } from "./exact/health.ts";
import { listAccounts, listMarkets, positionsOf } from "./exact/walk.ts";

/**
 * Moves of the marks that passes are tried at, in thousandths of the mark: of markets at even and at odd places. Each
 * block tries two, taking turns: a look at everybody costs more than the block.
 */
const MOVES = [
  [0, 0],
  [-4, -4],
  [4, 4],
  [-60, 60],
  [60, -60],
  [-500, -500],
  [1000, 1000],
] as const;

export const fullPass = defineInvariant({
  id: "fullPass",
  sentence:
    "Whom a risk pass finds due, at these marks and at others, and in what order, is what a look at everybody finds.",
  rules: ["BLK", "LIQ"],
  when: "block",
  check(state) {
    const first = (state.height * 2) % MOVES.length;
    for (const moves of [MOVES[first]!, MOVES[(first + 1) % MOVES.length]!]) {
      const fork = forkState(state);
      for (const market of listMarkets(fork)) {
        const mark = fork.markets.mark[market]!;
        if (mark === 0) continue;
        const moved = Math.floor((mark * (1000 + moves[market % 2]!)) / 1000);
        const bounded = Math.min(Math.max(1, moved), fork.parameters[market]!.priceMost);
        fork.markets.mark[market] = bounded as typeof mark;
        refreshMarket(fork, market);
      }
      const wanted = findDue(fork).join(" ");
      const found = collectDue(fork)
        .map(({ account }) => account)
        .join(" ");
      if (found !== wanted) return `marks moved by ${moves.join(" and ")}: [${found}] are found due, [${wanted}] are`;
    }
    return undefined;
  },
});

/** Who is due, in the order of the queue: left over first, oldest first; worst ratio; larger maintenance; account. */
function findDue(state: State): AccountRow[] {
  const { accounts, positions } = state;
  return listAccounts(state)
    .filter((account) => accounts.role[account] === ROLE.normal)
    .map((account) => ({ account, since: accounts.queuedSince[account]!, ...exactHealth(state, account) }))
    .filter(({ account, equity, maintenance }) => {
      const flat = positionsOf(state, account).every((at) => positions.size[at] === 0);
      return flat ? accounts.collateral[account]! < 0 : equity < maintenance;
    })
    .sort((a, b) => {
      if (a.since !== b.since) return a.since === 0 ? 1 : b.since === 0 ? -1 : a.since - b.since;
      const crosswise = a.equity * b.maintenance - b.equity * a.maintenance;
      if (crosswise !== 0n) return crosswise < 0n ? -1 : 1;
      if (a.maintenance !== b.maintenance) return a.maintenance > b.maintenance ? -1 : 1;
      return a.account - b.account;
    })
    .map(({ account }) => account);
}
