import { ROLE } from "../../../protocol/words.ts";
import { collectDue } from "../../../venue/engine/liquidation/queue.ts";
import { refreshMarket } from "../../../venue/engine/prices/refreshMarket.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { collateralOf, listAccounts, listMarkets, marginAccountsOf, openOf } from "../../../venue/engine/state/walk.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { exactHealth } from "../machinery/exact/health.ts";

/**
 * Price moves at which passes are tried, in thousandths of the mark: for markets in even and in odd places. Each
 * turn tries two of them: a check of all accounts costs more than the block.
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
    "At these marks and at others, a risk pass finds the same due margin accounts, in the same order, as a check of all accounts.",
  rules: ["BLK", "LIQ"],
  catalogue: ["L13"],
  when: "block",
  heavy: true,
  sweep(state, step) {
    const first = (step.turn * 2) % MOVES.length;
    for (const moves of [MOVES[first]!, MOVES[(first + 1) % MOVES.length]!]) {
      const fork = step.fork(state);
      for (const market of listMarkets(fork)) {
        const mark = fork.markets.mark[market]!;
        if (mark === 0) continue;
        const moved = Math.floor((mark * (1000 + moves[market % 2]!)) / 1000);
        const bounded = Math.min(Math.max(1, moved), fork.parameters[market]!.priceMost);
        fork.markets.mark[market] = bounded as typeof mark;
        refreshMarket(fork, market);
      }
      const due = findDue(fork);
      step.met += due.length;
      const wanted = due.join(" ");
      const found = collectDue(fork)
        .map(({ account, market }) => nameMarginAccount(account, market))
        .join(" ");
      if (found !== wanted) return `marks moved by ${moves.join(" and ")}: [${found}] are found due, [${wanted}] are`;
    }
    return undefined;
  },
});

function nameMarginAccount(account: AccountRow, market: number): string {
  return market < 0 ? `${account}` : `${account}/${market}`;
}

/**
 * Due margin accounts in the order of the queue: those left over first, oldest first; worst ratio; larger maintenance;
 * account; cross before isolated, isolated by market.
 */
function findDue(state: State): string[] {
  const { accounts, positions } = state;
  return listAccounts(state)
    .filter((account) => accounts.role[account] === ROLE.normal)
    .flatMap((account) =>
      marginAccountsOf(state, account).map((isolated) => ({
        account,
        isolated,
        market: isolated === undefined ? -1 : positions.market[isolated]!,
        since: isolated === undefined ? accounts.queuedSince[account]! : positions.queuedSince[isolated]!,
        ...exactHealth(state, account, isolated),
      })),
    )
    .filter(({ account, isolated, equity, maintenance }) => {
      const flat = openOf(state, account, isolated).length === 0;
      return flat ? collateralOf(state, account, isolated) < 0 : equity < maintenance;
    })
    .sort((a, b) => {
      if (a.since !== b.since) return a.since === 0 ? 1 : b.since === 0 ? -1 : a.since - b.since;
      const crosswise = a.equity * b.maintenance - b.equity * a.maintenance;
      if (crosswise !== 0n) return crosswise < 0n ? -1 : 1;
      if (a.maintenance !== b.maintenance) return a.maintenance > b.maintenance ? -1 : 1;
      return a.account - b.account || a.market - b.market;
    })
    .map(({ account, market }) => nameMarginAccount(account, market));
}
