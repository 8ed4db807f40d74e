import { NONE } from "../../../ground/collections/table.ts";
import { CLOSE_KIND } from "../../../protocol/events.ts";
import { MARGIN_MODE } from "../../../protocol/words.ts";
import type { AccountRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import {
  exactInitial,
  exactNotional,
  exactValue,
  exactWithOrders,
  type HealthView,
} from "../machinery/exact/health.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import type { Moment } from "../machinery/moment.ts";
import { near } from "../machinery/tally.ts";
import { measureDue } from "./stageHasReason.ts";

const { market, account, counterparty, size, value, way } = AT.deleveraged;

export const backstopCoversMargin = defineInvariant({
  id: "backstopCoversMargin",
  sentence:
    "After each takeover the backstop's equity without its reserve covers its initial margin with orders, of all its markets together.",
  rules: ["LIQ-3"],
  catalogue: ["L09"],
  when: "events",
  kinds: ["deleveraged"],
  slack: "quote units",
  event(moment, at) {
    const { data, ledger } = moment;
    if (data[at + way] !== CLOSE_KIND.takeover) return undefined;
    const closed = ledger.positionRows.find(data[at + account]!, data[at + market]!);
    const taken = ledger.positionRows.find(data[at + counterparty]!, data[at + market]!);
    if (taken !== NONE && ledger.now.positions.mode[taken] !== MARGIN_MODE.cross) return undefined;
    moment.met++;
    const backstop = data[at + counterparty]! as AccountRow;
    const lots = BigInt(data[at + size]!);
    const { equity, initial } = measureAfter(moment, backstop, taken, {
      market: data[at + market]!,
      signedLots: ledger.now.positions.signedLots[closed]! > 0 ? lots : -lots,
      cash: BigInt(data[at + value]!),
    });
    near(moment, equity - initial);
    if (equity >= initial) return undefined;
    return `account ${backstop} has equity ${equity} of initial margin ${initial} after it took over ${lots} lots`;
  },
});

interface Taken {
  readonly market: number;
  readonly signedLots: bigint;
  /** What the closed position receives. */
  readonly cash: bigint;
}

/** Cross margin of a backstop after the takeover. The ledger is in the state before it. */
function measureAfter(moment: Moment, backstop: AccountRow, at: PositionRow, taken: Taken) {
  const { ledger, state } = moment;
  const { accounts, positions, markets } = ledger.now;
  const view: HealthView = { accounts, positions, markets, parameters: state.parameters };
  const { equity, initial } = measureDue(view, state, backstop, undefined);
  const rules = state.parameters[taken.market]!;
  const mark = BigInt(markets.mark[taken.market as never]!);
  const least = BigInt(markets.initialRate[taken.market as never]!);
  const held = at === NONE ? 0n : BigInt(positions.signedLots[at]!);
  const then = held + taken.signedLots;
  // A backstop without a row in the market has no orders and no chosen leverage there.
  const initialOf = (signedLots: bigint) =>
    at === NONE
      ? exactInitial(rules, exactNotional(rules, signedLots, mark), 0n, least)
      : exactWithOrders(view, at, signedLots, mark);
  return {
    equity: equity + exactValue(rules, then, mark) - exactValue(rules, held, mark) - taken.cash,
    initial: initial + initialOf(then) - initialOf(held),
  };
}
