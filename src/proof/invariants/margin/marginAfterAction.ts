import { NONE } from "../../../ground/collections/table.ts";
import type { ActionName } from "../../../protocol/actions/index.ts";
import { ROLE } from "../../../protocol/words.ts";
import type { AccountRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { marginAccountName } from "../../../venue/engine/state/walk.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { type ExactHealth, exactHealth, type HealthView } from "../machinery/exact/health.ts";
import { QuickHealth } from "../machinery/exact/quickHealth.ts";
import type { Moment } from "../machinery/moment.ts";
import { near } from "../machinery/tally.ts";

export const marginAfterAction = defineInvariant({
  id: "marginAfterAction",
  sentence:
    "After an accepted action each margin account of its account covers the initial margin. One that was below it before is no nearer to liquidation.",
  rules: ["MRG-4", "ACT-1"],
  catalogue: ["M01", "M02", "M07"],
  when: "transaction",
  moments: ["transaction"],
  slack: "quote units",
  start: () => new QuickHealth(),
  touched(moment, quick) {
    const { state, actor } = moment;
    if (moment.code !== 0 || actor === NONE || state.accounts.role[actor] === ROLE.house) return undefined;
    let found = checkMarginAccount(moment, quick, NONE as PositionRow);
    const { positions } = state;
    for (let at = state.accounts.position[actor]; at !== NONE && found === undefined; at = positions.next[at]) {
      if (positions.mode[at] !== 0) found = checkMarginAccount(moment, quick, at);
    }
    return found;
  },
});

function checkMarginAccount(moment: Moment, quick: QuickHealth, at: PositionRow): string | undefined {
  const { state, actor } = moment;
  moment.met++;
  const seen = quick.measure(state, actor, at);
  if (seen.covers(seen.initial) && seen.covers(0)) {
    if (seen.initial > 0) near(moment, Math.floor(seen.equity - seen.initial - seen.slack));
    return undefined;
  }
  const isolated = at === NONE ? undefined : at;
  const cancels = CANCELS.has(moment.transaction!.action) || shrinks(moment);
  const judge = (health: ExactHealth) => (cancels ? { ...health, initial: health.positionInitial } : health);
  const now = judge(exactHealth(state, actor, isolated));
  if (now.equity >= now.initial && now.equity >= 0n) {
    if (now.initial > 0n) near(moment, now.equity - now.initial);
    return undefined;
  }
  const then = judge(findThen(moment, state, actor, isolated));
  const fills = BigInt(moment.events.filter(({ kind }) => kind === "fill").length);
  if (isNoWorse(then, now, fills) || isPartOfClose(then, now, countOrders(moment))) return undefined;
  return `${marginAccountName(state, actor, isolated)}: ${moment.transaction!.action} took ${show(then)} to ${show(now)}`;
}

/** Actions that only cancel. They are always accepted, even if the cancelled order had reduced the margin. */
const CANCELS: ReadonlySet<ActionName> = new Set(["cancelOrder", "cancelOrders", "cancelAll", "cancelIntent"]);

/** An amendment in place to a smaller size: always accepted, as a cancellation is. */
function shrinks({ events }: Moment): boolean {
  return events.some((event) => event.kind === "orderAmended" && event.requeued === 0);
}

/** The venue before the moment, from the ledger. Marks change only between moments. */
export function viewBefore({ ledger, state }: Moment): HealthView {
  const { accounts, positions, markets } = ledger.was;
  return { accounts, positions, markets, parameters: state.parameters };
}

/** A margin account before the action; undefined if it did not exist. */
function findThen(moment: Moment, state: State, account: AccountRow, isolated: PositionRow | undefined): ExactHealth {
  const before = viewBefore(moment);
  if (isolated === undefined) return exactHealth(before, account);
  const at = moment.ledger.positionRows.find(account, state.positions.market[isolated]);
  if (at !== NONE && before.positions.mode[at] !== 0) return exactHealth(before, account, at);
  return { equity: 0n, maintenance: 0n, positionInitial: 0n, initial: 0n, notional: 0n, losses: 0n };
}

/**
 * The second half of MRG-4: if below before, the ratio does not fall and the margin does not rise. If only part
 * of an order fills, both may be off by one unit: equity rounds down, maintenance up.
 */
function isNoWorse(then: ExactHealth, now: ExactHealth, fills: bigint): boolean {
  if (then.equity >= then.initial) return false;
  if (now.initial > then.initial) return false;
  if (now.maintenance === 0n) return now.equity >= 0n || (then.maintenance === 0n && now.equity >= then.equity);
  if (then.maintenance === 0n) return false;
  const largest = then.equity < 0n ? -then.equity : then.equity;
  return (now.equity + fills) * then.maintenance >= then.equity * now.maintenance - largest * fills;
}

/**
 * An account that met the margin closes by an order that meets it as a whole. When a part fills, each order's fee and
 * margin may be rounded up, and the value at the mark down.
 */
function isPartOfClose(then: ExactHealth, now: ExactHealth, orders: bigint): boolean {
  if (orders === 0n || then.equity < then.initial || now.equity < 0n) return false;
  return now.initial <= then.initial && now.equity + orders + 1n >= now.initial;
}

/** Orders of the actor that traded as takers. */
function countOrders({ events, actor }: Moment): bigint {
  const taken = new Set<number>();
  for (const event of events) if (event.kind === "fill" && event.takerAccount === actor) taken.add(event.takerOrder);
  return BigInt(taken.size);
}

function show({ equity, initial, maintenance }: ExactHealth): string {
  return `equity ${equity}, initial margin ${initial}, maintenance margin ${maintenance}`;
}
