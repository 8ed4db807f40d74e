import { EVENT_KINDS, events, LIQUIDATION_STAGE, LIQUIDATION_STAGES } from "../../../protocol/events.ts";
import { RECORDS_PER_BLOCK } from "../../../protocol/liquidationId.ts";
import { isLiquidationStep } from "../../../protocol/liquidationStep.ts";
import type { AccountRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { isolatedOf, listAccounts } from "../../../venue/engine/state/walk.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { KindSet } from "../machinery/ledger/fieldsOf.ts";

/** Stages in the order in which a liquidation step may enter them in one market; the last two end its record. */
const ORDER: readonly number[] = [
  LIQUIDATION_STAGE.bookClosing,
  LIQUIDATION_STAGE.backstop,
  LIQUIDATION_STAGE.insuranceCover,
  LIQUIDATION_STAGE.deleveraging,
  LIQUIDATION_STAGE.socialized,
  LIQUIDATION_STAGE.recovered,
  LIQUIDATION_STAGE.completed,
];
/** Events that name a record. A fill without one is of no record. */
const OF_RECORDS = KindSet.of(
  EVENT_KINDS.filter((kind) => kind !== "backstopUnwound" && Object.hasOwn(events[kind].fields, "liquidation")),
);
const LAST = ORDER.indexOf(LIQUIDATION_STAGE.recovered);

/** A record in a block: its margin account, the last stage of its step by market, and whether it had a step. */
interface Record {
  readonly marginAccount: string;
  readonly stages: Map<number, number>;
  hadStep: boolean;
}

export const recordStages = defineInvariant({
  id: "recordStages",
  sentence:
    "A liquidation has one record from its first step to its end. Only that first step emits `liquidationStarted`. A record has one step a block, goes through its stages in order in each market, and ends once.",
  rules: ["LIQ"],
  catalogue: ["L09"],
  when: "block",
  sweep(state, step) {
    const before = readOpen(step.before);
    const now = readOpen(state);
    if (before.size === 0 && now.size === 0 && !step.kinds.meets(OF_RECORDS)) return undefined;
    const open = new Map<number, Record>();
    for (const [marginAccount, id] of before) open.set(id, { marginAccount, stages: new Map(), hadStep: false });
    const ended = new Set<number>();
    for (const event of step.events) {
      if (!("liquidation" in event) || event.liquidation === 0 || event.kind === "backstopUnwound") continue;
      const { liquidation } = event;
      if (ended.has(liquidation)) return `liquidation ${liquidation} has ended and has a later ${event.kind}`;
      let record = open.get(liquidation);
      if (isLiquidationStep(event)) {
        step.met++;
        const marginAccount = `${event.account} ${event.marginAccount}`;
        if (event.kind === "liquidationStarted") {
          if (record !== undefined) return `liquidation ${liquidation} is open and starts again`;
          if (Math.floor(liquidation / RECORDS_PER_BLOCK) !== state.height)
            return `liquidation ${liquidation} begins at height ${state.height}`;
          if ([...open.values()].some((other) => other.marginAccount === marginAccount))
            return `liquidation ${liquidation} begins while its margin account ${marginAccount} has another`;
          record = { marginAccount, stages: new Map(), hadStep: false };
          open.set(liquidation, record);
        }
        if (record === undefined) return `liquidation ${liquidation} was never opened and has the event ${event.kind}`;
        if (record.marginAccount !== marginAccount)
          return `liquidation ${liquidation} belongs to ${record.marginAccount}, not to ${marginAccount}`;
        if (record.hadStep) return `liquidation ${liquidation} has two liquidation steps`;
        record.hadStep = true;
        continue;
      }
      if (record === undefined) {
        if (event.kind === "fill") continue; // a backstop that unwinds
        return `liquidation ${liquidation} was never opened and has the event ${event.kind}`;
      }
      const isEnd = event.kind === "liquidationStage" && ORDER.indexOf(event.stage) >= LAST;
      if (!record.hadStep && !isEnd)
        return `liquidation ${liquidation} had no liquidation step and has the event ${event.kind}`;
      if (event.kind !== "liquidationStage") continue;
      const place = ORDER.indexOf(event.stage);
      const before = record.stages.get(event.market) ?? -1;
      if (place <= before)
        return `liquidation ${liquidation} enters ${LIQUIDATION_STAGES[event.stage]} after ${LIQUIDATION_STAGES[ORDER[before]!]}`;
      record.stages.set(event.market, place);
      if (!isEnd) continue;
      open.delete(liquidation);
      ended.add(liquidation);
    }
    for (const [marginAccount, id] of now) {
      if (open.get(id)?.marginAccount !== marginAccount)
        return `liquidation ${id} of ${marginAccount} is open, and no event opened it`;
    }
    return now.size === open.size ? undefined : `${now.size} liquidations are open, events report ${open.size}`;
  },
});

const NONE_OPEN: ReadonlyMap<string, number> = new Map();

/** Open records by margin account: account, and market of an isolated one, -1 for cross. */
function readOpen(state: State): ReadonlyMap<string, number> {
  if (!isAnyOpen(state)) return NONE_OPEN;
  const { accounts, positions } = state;
  const found = new Map<string, number>();
  for (const account of listAccounts(state)) {
    if (accounts.liquidation[account] !== 0) found.set(`${account} -1`, accounts.liquidation[account]!);
    for (const at of isolatedOf(state, account)) {
      if (positions.liquidation[at] !== 0) found.set(`${account} ${positions.market[at]}`, positions.liquidation[at]!);
    }
  }
  return found;
}

/** Whether any account or position names a record. Rows that are not live may keep an old one. */
function isAnyOpen({ accounts, positions }: State): boolean {
  for (let row = 0 as AccountRow; row < accounts.rows.high; row++) if (accounts.liquidation[row] !== 0) return true;
  for (let row = 0 as PositionRow; row < positions.rows.high; row++) if (positions.liquidation[row] !== 0) return true;
  return false;
}
