/** The order of auto-deleveraging from its definition, in big fractions: the slow twin of `rankOpposite`. */

import { exactHealth, exactNotional } from "../../src/proof/invariants/machinery/exact/health.ts";
import { LIQUIDATION_POLICIES, ROLE } from "../../src/protocol/words.ts";
import type { AccountRow, PositionRow } from "../../src/venue/engine/state/schema.ts";
import type { State } from "../../src/venue/engine/state/state.ts";
import { isolatedOf, listPositions } from "../../src/venue/engine/state/walk.ts";

interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

const times = (a: Fraction, b: Fraction): Fraction => ({ over: a.over * b.over, under: a.under * b.under });
const divided = (a: Fraction, b: Fraction): Fraction =>
  b.over < 0n
    ? { over: -a.over * b.under, under: a.under * -b.over }
    : { over: a.over * b.under, under: a.under * b.over };

/** Rank of a position with positive equity: greatest first. */
function score(state: State, at: PositionRow, equity: bigint): Fraction {
  const { positions, markets, accounts } = state;
  const market = positions.market[at]!;
  const size = positions.signedLots[at]!;
  const value = exactNotional(state.parameters[market]!, BigInt(size), BigInt(markets.mark[market]!));
  const notional = { over: value, under: 1n };
  const cost = { over: BigInt(Math.abs(positions.cost[at]!) || 1), under: 1n };
  const leverage = divided(notional, { over: equity, under: 1n });
  const policy = LIQUIDATION_POLICIES[state.parameters[market]!.liquidationPolicy];
  if (policy === "dydx") {
    const count = accounts.rows.high;
    const turn = (positions.account[at]! + count - (state.height % count)) % count;
    return { over: -BigInt(turn), under: 1n };
  }
  if (policy === "binance") {
    const paid = BigInt(positions.cost[at]!);
    const profit = { over: (size > 0 ? value : -value) - paid, under: 1n };
    const percent = divided(profit, cost);
    return profit.over >= 0n ? times(percent, leverage) : divided(percent, leverage);
  }
  const move = size > 0 ? divided(notional, cost) : divided(cost, notional);
  return times(move, leverage);
}

/** Collateral of a backstop beyond its loss limit, which counts as absent (LIQ-3); quote units. */
function reserveOf({ genesis }: State, account: AccountRow): bigint {
  const { role, balance, lossLimit } = genesis.accounts[account] ?? {};
  if (role !== "backstop" || lossLimit === undefined) return 0n;
  const reserve = BigInt(Math.round(Number(balance) * 1e6)) - BigInt(Math.round(Number(lossLimit) * 1e6));
  return reserve > 0n ? reserve : 0n;
}

export function rankPlainly(state: State, position: PositionRow): PositionRow[] {
  const { positions, accounts } = state;
  const others = listPositions(state).filter(
    (at) =>
      positions.market[at] === positions.market[position] &&
      Math.sign(positions.signedLots[at]!) === -Math.sign(positions.signedLots[position]!),
  );
  return others
    .map((at) => {
      const account = positions.account[at] as AccountRow;
      const isolated = isolatedOf(state, account).find((row) => row === at);
      const equity = exactHealth(state, account, isolated).equity - reserveOf(state, account);
      const group = accounts.role[account] === ROLE.house ? 2 : equity > 0n ? 0 : 1;
      return { at, account, group, rank: equity > 0n ? score(state, at, equity) : { over: 0n, under: 1n } };
    })
    .sort((a, b) => {
      if (a.group !== b.group) return a.group - b.group;
      const difference = b.rank.over * a.rank.under - a.rank.over * b.rank.under;
      return difference > 0n ? 1 : difference < 0n ? -1 : a.account - b.account;
    })
    .map(({ at }) => at);
}
