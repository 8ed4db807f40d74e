import { EVENT_CODES } from "../../../protocol/events.ts";
import { INTENT_KIND, ROLE } from "../../../protocol/words.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import type { Moment } from "../machinery/moment.ts";

/** A schedule as its events report it. Sizes are lots. */
interface Schedule {
  readonly account: number;
  readonly market: number;
  readonly total: number;
  readonly slices: number;
  filled: number;
  slice: number;
  skipped: boolean;
}

export const slicesWithin = defineInvariant<Map<number, Schedule>>({
  id: "slicesWithin",
  sentence:
    "A slice asks for at most three even slices, and at most the market's largest order. A skipped slice fills nothing. A schedule ends executed with the sum of its fills, and fails only without any fill.",
  rules: ["INT-4"],
  catalogue: ["T08"],
  when: "events",
  kinds: ["intentPlaced", "intentSliced", "intentExecuted", "intentFailed", "intentCancelled", "intentExpired"],
  start: readSchedules,
  event(moment, at, schedules) {
    const { data } = moment;
    const intent = data[at + 1]!;
    if (data[at] === EVENT_CODES.intentPlaced) {
      if (data[at + AT.intentPlaced.way] === INTENT_KIND.twap) schedules.set(intent, readPlaced(data, at));
      return undefined;
    }
    const schedule = schedules.get(intent);
    if (schedule === undefined) return undefined;
    moment.met++;
    if (data[at] === EVENT_CODES.intentSliced) return checkSlice(moment, at, intent, schedule);
    schedules.delete(intent);
    if (data[at] === EVENT_CODES.intentFailed && schedule.filled > 0)
      return `schedule ${intent} fails after filling ${schedule.filled}`;
    if (data[at] !== EVENT_CODES.intentExecuted) return undefined;
    const filled = data[at + AT.intentExecuted.filled]!;
    const unfilled = data[at + AT.intentExecuted.unfilled]!;
    const reported = filled === schedule.filled && filled + unfilled === schedule.total;
    if (!reported) return `schedule ${intent} of ${schedule.total} ends with ${filled} filled and ${unfilled} unfilled`;
    if (filled === 0) return `schedule ${intent} is executed and filled nothing`;
    return unfilled === 0 || schedule.slice === schedule.slices || schedule.skipped
      ? undefined
      : `schedule ${intent} ends at slice ${schedule.slice} of ${schedule.slices}`;
  },
});

function checkSlice({ data, state }: Moment, at: number, intent: number, schedule: Schedule): string | undefined {
  const { total, slices, account, market } = schedule;
  const lots = data[at + AT.intentSliced.size]!;
  const slice = data[at + AT.intentSliced.slice]!;
  const filled = data[at + AT.intentSliced.filled]!;
  const left = data[at + AT.intentSliced.left]!;
  const skipped = data[at + AT.intentSliced.code]! >= 0;
  const more = filled - schedule.filled;
  const passed = slice <= schedule.slice || slice > slices;
  Object.assign(schedule, { filled, slice, skipped });
  if (passed) return `schedule ${intent} trades slice ${slice} of ${slices} out of turn`;
  if (filled + left !== total) return `schedule ${intent} of ${total} filled ${filled} and has ${left} left`;
  if (more < 0 || more > (skipped ? 0 : lots)) return `slice ${slice} of ${intent} asks for ${lots} and fills ${more}`;
  const most = 3 * Math.ceil(total / slices);
  if (lots > most || lots > left + more) return `slice ${slice} of ${intent} asks for ${lots} of ${most}`;
  const house = state.accounts.role[account as never] === ROLE.house;
  const largest = state.parameters[market]!.maxLots;
  if (skipped || house || lots <= largest) return undefined;
  return `slice ${slice} of ${intent} asks for ${lots}, above the largest order of ${largest}`;
}

function readPlaced(data: Float64Array, at: number): Schedule {
  return {
    account: data[at + AT.intentPlaced.account]!,
    market: data[at + AT.intentPlaced.market]!,
    total: data[at + AT.intentPlaced.size]!,
    slices: data[at + AT.intentPlaced.slices]!,
    filled: 0,
    slice: 0,
    skipped: false,
  };
}

/** The open schedules. */
function readSchedules({ intents }: State): Map<number, Schedule> {
  const schedules = new Map<number, Schedule>();
  for (let row = 0 as never; row < intents.rows.high; row++) {
    if (!intents.rows.isLive(row) || intents.kind[row] !== INTENT_KIND.twap) continue;
    schedules.set(intents.id[row]!, {
      account: intents.account[row]!,
      market: intents.market[row]!,
      total: intents.size[row]! + intents.filled[row]!,
      slices: intents.slices[row]!,
      filled: intents.filled[row]!,
      slice: intents.sliced[row]!,
      skipped: false,
    });
  }
  return schedules;
}
