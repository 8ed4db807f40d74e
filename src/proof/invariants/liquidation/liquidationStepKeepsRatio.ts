import { CLOSE_KIND, type EventOf } from "../../../protocol/events.ts";
import { isLiquidationStep, type LiquidationStepEvent } from "../../../protocol/liquidationStep.ts";
import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import { isSystem } from "../../../venue/engine/authorization/admission.ts";
import { readEvents } from "../../../venue/engine/events/readEvents.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { isolatedOf } from "../../../venue/engine/state/walk.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { exactHealth, exactValue } from "../machinery/exact/health.ts";

/** Quote units that rounding may cost for each fill or close of a step, and for each valuation of a margin account. */
const ROUNDING = 4n;

/** A liquidation step, and how many roundings it had. */
interface LiquidationStep {
  readonly started: LiquidationStepEvent;
  changes: bigint;
  /** Parts closed at the mark of the block before, which may be worse than this block's (policy `hyperliquid`). */
  readonly earlier: EventOf<"deleveraged">[];
}

export const liquidationStepKeepsRatio = defineInvariant({
  id: "liquidationStepKeepsRatio",
  sentence:
    "A liquidation step never takes a margin account's equity / maintenance below its value when the bankruptcy prices were fixed, and never lowers negative equity.",
  rules: ["LIQ", "LIQ-2", "LIQ-3", "LIQ-4", "LIQ-5"],
  catalogue: ["L02"],
  when: "block",
  heavy: true,
  sweep(_state, step) {
    const { before, block, events } = step;
    const turns = new Map<string, LiquidationStep>();
    // A counterparty of another account's liquidation step has another reason to be worse.
    const others = new Set<number>();
    let open: LiquidationStep | undefined;
    for (const event of events) {
      if (isLiquidationStep(event)) {
        open = { started: event, changes: 1n, earlier: [] };
        turns.set(`${event.account} ${event.marginAccount}`, open);
      } else if (event.kind === "lossSocialized") others.add(event.account);
      else if (event.kind === "deleveraged") {
        others.add(event.counterparty);
        if (open === undefined) continue;
        open.changes++;
        if (event.way === CLOSE_KIND.previousMark) open.earlier.push(event);
      } else if (event.kind === "fill" && event.liquidation !== 0) {
        others.add(event.makerAccount);
        if (open !== undefined) open.changes++;
      } else if (event.kind === "backstopUnwound") others.add(event.account);
    }
    if (turns.size === 0) return undefined;
    // The venue after the risk pass: the block without its users. Accounts whose intents trade later in the block, or
    // that trade with such intents, have another reason to be worse, too.
    const after = step.fork(before);
    const transactions = block.transactions.filter(({ code }) => isSystem(code));
    const { events: data, from, to } = applyBlock(after, { ...block, transactions });
    for (const event of readEvents(data, from, to)) {
      if (event.kind !== "fill" || event.liquidation !== 0) continue;
      others.add(event.takerAccount);
      others.add(event.makerAccount);
    }
    for (const { started, changes, earlier } of turns.values()) {
      const { account, marginAccount, liquidation } = started;
      if (others.has(account)) continue;
      step.met++;
      const row = account as AccountRow;
      const isolated = isolatedOf(after, row).find((at) => after.positions.market[at] === marginAccount);
      if (marginAccount >= 0 && isolated === undefined) continue; // flat, its row is freed
      const health = exactHealth(after, row, isolated);
      const reserve = after.backstops.find((backstop) => backstop.account === row)?.reserve ?? 0;
      const lost = earlier.reduce((sum, close) => sum + lossAtMark(after, close), 0n);
      const equity = health.equity - BigInt(marginAccount < 0 ? reserve : 0) + lost;
      const slack = ROUNDING * changes;
      const was = BigInt(started.equity);
      const kept =
        was < 0n
          ? equity + slack >= was
          : (equity + slack) * BigInt(started.maintenance) >= was * (health.maintenance - slack);
      if (kept) continue;
      return `liquidation ${liquidation} began with ${was} of ${started.maintenance} and left ${equity} of ${health.maintenance}`;
    }
    return undefined;
  },
});

/** The amount by which a close paid less than the value at the mark; 0 if it paid more. */
function lossAtMark({ markets, parameters }: State, { market, size, value }: EventOf<"deleveraged">): bigint {
  const row = market as MarketRow;
  const lots = BigInt(value < 0 ? -size : size);
  const loss = exactValue(parameters[row]!, lots, BigInt(markets.mark[row])) - BigInt(value);
  return loss > 0n ? loss : 0n;
}
