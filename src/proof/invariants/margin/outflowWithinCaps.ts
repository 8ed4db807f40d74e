import { parseDecimal } from "../../../ground/math/decimal.ts";
import type { VenueEvent } from "../../../protocol/events.ts";
import type { OutflowCap } from "../../../protocol/genesis.ts";
import { OUTFLOW_WINDOWS } from "../../../protocol/words.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { TOTAL } from "../../../venue/engine/state/totals.ts";
import { defineInvariant, type Step } from "../machinery/defineInvariant.ts";
import { near } from "../machinery/tally.ts";

const LENGTHS_MS = [3_600_000, 86_400_000] as const;

/** Computed from genesis, the state before the block and its events; independent of the engine's counters and caps. */
export const outflowWithinCaps = defineInvariant({
  id: "outflowWithinCaps",
  sentence:
    "Withdrawals in a UTC hour or day stay within its cap, and stop while a deficit beyond the threshold pauses them.",
  rules: ["MRG-5"],
  catalogue: ["L14"],
  when: "block",
  slack: "quote units",
  sweep(state, step) {
    const { hourly, daily } = state.genesis.outflow;
    for (const { kind } of step.events) if (kind === "withdrawn") step.met++;
    return checkPause(state, step) ?? checkWindow(state, step, 0, hourly) ?? checkWindow(state, step, 1, daily);
  },
});

function checkWindow(state: State, step: Step, place: number, cap: OutflowCap): string | undefined {
  const { before, events } = step;
  const amount = readCap(cap.amount);
  const share = readCap(cap.share);
  const opened = events.filter((event) => event.kind === "outflowOpened" && event.window === place).length;
  const name = OUTFLOW_WINDOWS[place]!;
  if (amount === 0n && share === 0n) return opened === 0 ? undefined : `the ${name} has no cap and a window began`;
  const length = LENGTHS_MS[place]!;
  const startOf = (timeMs: number) => Math.floor(timeMs / length);
  const last = before.outflow.windows[place]!;
  const isNew = last.startMs < 0 || startOf(last.startMs) !== startOf(state.timeMs);
  if (opened !== (isNew ? 1 : 0)) return `the ${name} began ${opened} times in the block`;
  const held = before.totals.get(TOTAL.inflows) - before.totals.get(TOTAL.withdrawals);
  const part = ((isNew ? held : last.base) * share) / 1_000_000n;
  const most = part > amount ? part : amount;
  let used = isNew ? 0n : last.used;
  for (const event of events) if (event.kind === "withdrawn") used += BigInt(event.amount);
  if (used > 0n) near(step, most - used);
  return used > most ? `${used} was withdrawn in the ${name}, whose cap is ${most}` : undefined;
}

function readCap(text: string | undefined): bigint {
  return text === undefined ? 0n : BigInt(parseDecimal(text, 6));
}

function checkPause({ genesis, height }: State, { before, events }: Step): string | undefined {
  const { deficitBlocks, deficitThreshold } = genesis.outflow;
  const threshold = BigInt(parseDecimal(deficitThreshold, 6));
  const uncovered = events.reduce((sum, event) => sum + uncoveredOf(event), 0n);
  const pauses = events.filter((event) => event.kind === "withdrawalsPaused");
  const expected = deficitBlocks > 0 && uncovered > threshold ? [height + deficitBlocks] : [];
  if (pauses.map(({ untilHeight }) => untilHeight).join() !== expected.join()) {
    return `deficits of ${uncovered} that the fund did not pay, and ${pauses.length} pauses`;
  }
  const isPaused = height <= before.outflow.pausedUntil || expected.length > 0;
  const left = events.some(({ kind }) => kind === "withdrawn");
  return isPaused && left ? "a withdrawal was applied while withdrawals are paused" : undefined;
}

/**
 * The part of a deficit that the fund did not pay, by event: shares of holders and of profitable accounts, bad debt.
 */
function uncoveredOf(event: VenueEvent): bigint {
  if (event.kind === "lossSocialized" || event.kind === "settlementHaircut") return BigInt(event.amount);
  return event.kind === "badDebtChanged" && event.delta > 0 ? BigInt(event.delta) : 0n;
}
