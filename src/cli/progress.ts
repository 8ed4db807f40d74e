import type { SingleBar } from "cli-progress";
import { formatCount } from "../ground/math/counts.ts";
import { onInterrupt } from "./interrupt.ts";
import type { Terminal } from "./terminal.ts";

/** Shows the progress of a long work. */
export interface Progress {
  /**
   * @param done  units done so far, of the total
   * @param note  what is at hand, a few words
   * @param total units in all, if that is known better now
   */
  update(done: number, note?: string, total?: number): void;
  /** The work is done. */
  finish(note?: string): void;
  /** The work failed: leaves the terminal in order. */
  stop(): void;
}

/** The texts and the total of a progress display. */
export interface ProgressOptions {
  /** What is done, as a present participle: "reading". */
  readonly label: string;
  /** The units in all; not positive when unknown. */
  readonly total: number;
  /** What the numbers count: "rows", "bytes", "blocks". */
  readonly unit: string;
}

/**
 * Starts to show progress on `err`: a bar with the time left on a terminal, plain lines at every tenth elsewhere. Only
 * a terminal is redrawn.
 */
export async function startProgress(terminal: Terminal, options: ProgressOptions): Promise<Progress> {
  return terminal.interactive && options.total > 0 ? startBar(terminal, options) : startLines(terminal, options);
}

/** Runs `work` with progress that is closed however the work ends. */
export async function withProgress<Result>(
  terminal: Terminal,
  options: ProgressOptions,
  work: (progress: Progress) => Result | Promise<Result>,
): Promise<Result> {
  const progress = await startProgress(terminal, options);
  try {
    const result = await work(progress);
    progress.finish();
    return result;
  } catch (error) {
    progress.stop();
    throw error;
  }
}

async function startBar(terminal: Terminal, { label, total, unit }: ProgressOptions): Promise<Progress> {
  const { default: cliProgress } = await import("cli-progress");
  const bar: SingleBar = new cliProgress.SingleBar({
    format: `${label} {bar} {percentage}% | {value}/{total} ${unit} | {eta_formatted} left | {note}`,
    stream: process.stderr,
    barCompleteChar: "█",
    barIncompleteChar: "░",
    barsize: Math.max(10, Math.min(30, terminal.columns - 70)),
    hideCursor: true,
    linewrap: false,
    etaBuffer: 50,
    // A work that never yields to timers draws on its own updates.
    noTTYOutput: false,
    forceRedraw: false,
    formatValue: (value, _options, type) => (type === "percentage" ? `${value}`.padStart(3) : formatCount(value)),
    // With a graceful exit the bar would swallow the signal.
    gracefulExit: false,
  });
  bar.start(total, 0, { note: "" });
  let all = total;
  let closed = false;
  // The cursor has to come back.
  const off = onInterrupt(() => bar.stop());
  return {
    update(done, note, now = all) {
      if (closed) return;
      if (now !== all) bar.setTotal(now);
      all = now;
      bar.update(Math.min(done, all), note === undefined ? {} : { note });
    },
    finish(note = "done") {
      if (closed) return;
      closed = true;
      off();
      bar.update(all, { note });
      bar.stop();
    },
    stop() {
      if (closed) return;
      closed = true;
      off();
      bar.stop();
    },
  };
}

function startLines(terminal: Terminal, { label, total, unit }: ProgressOptions): Progress {
  let tenths = 0;
  let all = total;
  let closed = false;
  terminal.err(total > 0 ? `${label}: ${formatCount(total)} ${unit}` : `${label} …`);
  return {
    update(done, note, now = all) {
      all = now;
      const reached = all > 0 ? Math.min(9, Math.floor((done * 10) / all)) : 0;
      if (closed || reached <= tenths) return;
      tenths = reached;
      terminal.err(`${label}: ${tenths * 10}%${note === undefined ? "" : `, ${note}`}`);
    },
    finish(note) {
      if (closed) return;
      closed = true;
      terminal.err(`${label}: done${note === undefined ? "" : `, ${note}`}`);
    },
    stop() {
      closed = true;
    },
  };
}
