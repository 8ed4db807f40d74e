import { EVENT_CODES } from "../../../protocol/events.ts";
import type { AccountRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import type { Moment } from "../machinery/moment.ts";

/** The next expected change of a position: an event named both sides, and their changes follow. */
interface Expected {
  readonly account: number;
  readonly market: number;
  readonly lots: number;
  /** Quote units paid, positive for a purchase. */
  readonly value: number;
  readonly fee: number;
}

export const fillMovesValue = defineInvariant<Expected[]>({
  id: "fillMovesValue",
  sentence:
    "Positions change in pairs, by the lots and value of a fill or close. One side pays exactly what the other receives. Collateral changes by realised profit less the fee.",
  rules: ["POS-2", "POS-4", "ORD-7"],
  catalogue: ["G04", "G06", "P01", "L11"],
  when: "events",
  kinds: ["fill", "deleveraged", "positionChanged"],
  start: () => [],
  event(moment, at, expected) {
    const { data, transaction } = moment;
    if (data[at] !== EVENT_CODES.positionChanged) {
      if (expected.length > 0)
        return `account ${expected.splice(0)[0]!.account} traded and its position did not change`;
      if (data[at] === EVENT_CODES.fill) expectFill(moment, at, expected);
      else expectClose(moment, at, expected);
      return undefined;
    }
    moment.met++;
    const next = expected.shift();
    if (next !== undefined) return checkChange(moment, at, next);
    // The settlement of a market closes all positions at its price.
    if (transaction?.action === "settleMarket") return undefined;
    return `account ${data[at + AT.positionChanged.account]} has a changed position without a fill or close`;
  },
});

function expectFill({ data }: Moment, at: number, expected: Expected[]): void {
  const { fill } = AT;
  const market = data[at + fill.market]!;
  const buys = data[at + fill.takerSide] === 0;
  const lots = buys ? data[at + fill.size]! : -data[at + fill.size]!;
  const value = buys ? data[at + fill.value]! : -data[at + fill.value]!;
  const maker = data[at + fill.makerAccount]!;
  const taker = data[at + fill.takerAccount]!;
  expected.push({ account: maker, market, lots: -lots, value: -value, fee: data[at + fill.makerFee]! });
  expected.push({ account: taker, market, lots, value, fee: data[at + fill.takerFee]! });
}

function expectClose({ data, ledger }: Moment, at: number, expected: Expected[]): void {
  const { deleveraged } = AT;
  const market = data[at + deleveraged.market]!;
  const account = data[at + deleveraged.account]!;
  const row = ledger.positionRows.find(account, market);
  const lots = data[at + deleveraged.size]!;
  const signedLots = row >= 0 && ledger.now.positions.signedLots[row] > 0 ? -lots : lots;
  const value = -data[at + deleveraged.value]!;
  expected.push({ account, market, lots: signedLots, value, fee: 0 });
  expected.push({ account: data[at + deleveraged.counterparty]!, market, lots: -signedLots, value: -value, fee: 0 });
}

function checkChange({ data, ledger }: Moment, at: number, next: Expected): string | undefined {
  const { positionChanged } = AT;
  const account = data[at + positionChanged.account]!;
  const market = data[at + positionChanged.market]!;
  if (account !== next.account || market !== next.market)
    return `account ${account} has a changed position in place of account ${next.account}, which traded`;
  const { positions, accounts } = ledger.now;
  const row = ledger.positionRows.find(account, market);
  const at0 = row as PositionRow;
  const signedLots = row < 0 ? 0 : positions.signedLots[at0];
  const cost = row < 0 ? 0 : positions.cost[at0];
  const isolated = row >= 0 && positions.mode[at0] !== 0;
  const collateral = isolated ? positions.isolated[at0] : accounts.collateral[account as AccountRow];
  const realized = data[at + positionChanged.realized]!;
  const lots = data[at + positionChanged.size]! - signedLots;
  const value = data[at + positionChanged.cost]! - cost - realized;
  const moved = data[at + positionChanged.collateral]! - collateral;
  if (lots !== next.lots) return `account ${account} traded ${next.lots} lots and its position changed by ${lots}`;
  if (value !== next.value) return `account ${account} pays ${value}, its fill is worth ${next.value}`;
  if (moved === realized - next.fee) return undefined;
  return `account ${account} realised ${realized} less ${next.fee} and its collateral changed by ${moved}`;
}
