import { parseDecimal } from "../../../ground/math/decimal.ts";
import type { OutflowCap } from "../../../protocol/genesis.ts";
import { OUTFLOW_WINDOWS } from "../../../protocol/words.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { TOTAL } from "../../../venue/engine/state/totals.ts";
import { defineInvariant, type Step } from "../machinery/defineInvariant.ts";
import { KindSet } from "../machinery/ledger/fieldsOf.ts";
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
    const counts = count(step);
    step.met += counts.withdrawals;
    return (
      checkPause(state, step, counts) ??
      checkWindow(state, step, counts, 0, hourly) ??
      checkWindow(state, step, counts, 1, daily)
    );
  },
});

/** Sums over the events of a block. */
interface Counts {
  /** How often each window began. */
  readonly opened: [number, number];
  withdrawals: number;
  withdrawn: bigint;
  /**
   * The part of all deficits that the fund did not pay: shares of holders and of profitable accounts, bad debt.
   */
  uncovered: bigint;
  /** Heights until which pauses last. */
  readonly pauses: number[];
}

const NOTHING: Readonly<Counts> = { opened: [0, 0], withdrawals: 0, withdrawn: 0n, uncovered: 0n, pauses: [] };

function count({ kinds, events }: Step): Readonly<Counts> {
  if (!kinds.meets(COUNTED)) return NOTHING;
  const counts: Counts = { opened: [0, 0], withdrawals: 0, withdrawn: 0n, uncovered: 0n, pauses: [] };
  for (const event of events) {
    switch (event.kind) {
      case "outflowOpened":
        counts.opened[event.window]!++;
        break;
      case "withdrawn":
        counts.withdrawals++;
        counts.withdrawn += BigInt(event.amount);
        break;
      case "withdrawalsPaused":
        counts.pauses.push(event.untilHeight);
        break;
      case "lossSocialized":
      case "settlementHaircut":
        counts.uncovered += BigInt(event.amount);
        break;
      case "badDebtChanged":
        if (event.delta > 0) counts.uncovered += BigInt(event.delta);
    }
  }
  return counts;
}

const COUNTED = KindSet.of([
  "outflowOpened",
  "withdrawn",
  "withdrawalsPaused",
  "lossSocialized",
  "settlementHaircut",
  "badDebtChanged",
]);

function checkWindow(state: State, step: Step, counts: Counts, place: 0 | 1, cap: OutflowCap): string | undefined {
  const { before } = step;
  const opened = counts.opened[place];
  const name = OUTFLOW_WINDOWS[place]!;
  const amount = readCap(cap.amount);
  const share = readCap(cap.share);
  if (amount === 0n && share === 0n) return opened === 0 ? undefined : `the ${name} has no cap and a window began`;
  const length = LENGTHS_MS[place]!;
  const startOf = (timeMs: number) => Math.floor(timeMs / length);
  const last = before.outflow.windows[place]!;
  const isNew = last.startMs < 0 || startOf(last.startMs) !== startOf(state.timeMs);
  if (opened !== (isNew ? 1 : 0)) return `the ${name} began ${opened} times in the block`;
  const held = before.totals.get(TOTAL.inflows) - before.totals.get(TOTAL.withdrawals);
  const part = ((isNew ? held : last.base) * share) / 1_000_000n;
  const most = part > amount ? part : amount;
  const used = (isNew ? 0n : last.used) + counts.withdrawn;
  if (used > 0n) near(step, most - used);
  return used > most ? `${used} was withdrawn in the ${name}, whose cap is ${most}` : undefined;
}

function readCap(text: string | undefined): bigint {
  return text === undefined ? 0n : BigInt(parseDecimal(text, 6));
}

function checkPause({ genesis, height }: State, { before }: Step, counts: Counts): string | undefined {
  const { deficitBlocks, deficitThreshold } = genesis.outflow;
  const { uncovered, pauses, withdrawals } = counts;
  // No threshold is below zero.
  const pausesNow = deficitBlocks > 0 && uncovered > 0n && uncovered > BigInt(parseDecimal(deficitThreshold, 6));
  const isExpected = pausesNow ? pauses.length === 1 && pauses[0] === height + deficitBlocks : pauses.length === 0;
  if (!isExpected) return `deficits of ${uncovered} that the fund did not pay, and ${pauses.length} pauses`;
  const isPaused = height <= before.outflow.pausedUntil || pausesNow;
  return isPaused && withdrawals > 0 ? "a withdrawal was applied while withdrawals are paused" : undefined;
}
