import { NONE } from "../../../ground/collections/table.ts";
import { EVENT_CODES } from "../../../protocol/events.ts";
import { ROLE } from "../../../protocol/words.ts";
import { EVENT_WIDTHS } from "../../../venue/engine/events/readEvents.ts";
import type { AccountRow, MarketRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import { getPosition } from "../../../venue/engine/state/state.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { exactHealth } from "../machinery/exact/health.ts";
import { QuickHealth } from "../machinery/exact/quickHealth.ts";
import { FILL } from "../machinery/ledger/post.ts";
import type { Moment } from "../machinery/moment.ts";
import { near } from "../machinery/tally.ts";
import { viewBefore } from "../margin/marginAfterAction.ts";

export const makerAfterFill = defineInvariant({
  id: "makerAfterFill",
  sentence:
    "A maker's fill leaves it above its fill margin, midway between maintenance and initial margin, or no nearer to liquidation.",
  rules: ["ORD-6"],
  catalogue: ["M01"],
  when: "transaction",
  kinds: ["fill"],
  moments: ["transaction"],
  slack: "quote units",
  start: () => new QuickHealth(),
  touched(moment, quick) {
    const { actor, data, from, to, state } = moment;
    if (actor === NONE) return undefined;
    for (let at = from; at < to; at += EVENT_WIDTHS[data[at]!]!) {
      if (data[at] !== EVENT_CODES.fill) continue;
      const maker = data[at + FILL.makerAccount]! as AccountRow;
      if (maker === actor || state.accounts.role[maker] === ROLE.house) continue;
      const found = checkMaker(moment, quick, maker, data[at + FILL.market]! as MarketRow);
      if (found !== undefined) return found;
    }
    return undefined;
  },
});

function checkMaker(moment: Moment, quick: QuickHealth, maker: AccountRow, market: MarketRow): string | undefined {
  const { state } = moment;
  moment.met++;
  const position = getPosition(state, maker, market);
  const at = position !== NONE && state.positions.mode[position] !== 0 ? position : (NONE as PositionRow);
  const seen = quick.measure(state, maker, at);
  const required = (seen.positionInitial + seen.maintenance) / 2;
  if (seen.covers(required)) {
    if (required > 0) near(moment, Math.floor(seen.equity - required - seen.slack));
    return undefined;
  }
  const now = exactHealth(state, maker, at === NONE ? undefined : at);
  const spare = now.equity * 2n - now.positionInitial - now.maintenance;
  if (spare >= 0n) {
    near(moment, spare / 2n);
    return undefined;
  }
  // With several fills, each one was decided on a state after the one before, which no longer exists.
  if (countFills(moment, maker) > 1) return undefined;
  const before = viewBefore(moment);
  const held = moment.ledger.positionRows.find(maker, market);
  const then = exactHealth(before, maker, at === NONE ? undefined : held);
  const eased = now.maintenance <= then.maintenance && now.positionInitial <= then.positionInitial;
  const kept =
    now.maintenance === 0n ? now.equity >= 0n : now.equity * then.maintenance >= then.equity * now.maintenance;
  if (eased && kept) return undefined;
  return `maker ${maker}: equity ${now.equity}, maintenance ${now.maintenance}, initial ${now.positionInitial}`;
}

function countFills({ data, from, to }: Moment, maker: AccountRow): number {
  let count = 0;
  for (let at = from; at < to; at += EVENT_WIDTHS[data[at]!]!) {
    if (data[at] === EVENT_CODES.fill && data[at + FILL.makerAccount] === maker) count++;
  }
  return count;
}
