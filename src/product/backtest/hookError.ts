import type { HookFailure } from "../../client/strategy/sessionPort.ts";
import { BacktestError } from "./errors.ts";

/** The error of a run whose strategy failed: hook, block and, if a file is known, where in it. */
export function toHookError({ strategy, hook, height, timeMs, reason, hint, cause }: HookFailure): BacktestError {
  const own = hint === undefined ? "" : `${hint}; `;
  const where = cause instanceof Error ? frameOf(cause) : undefined;
  return new BacktestError(
    "STRATEGY_FAILED",
    `the strategy failed at block ${height} (${new Date(timeMs).toISOString()}): ${reason}`,
    {
      place: `${strategy}.${hook}`,
      hint: `${own}${where === undefined ? "" : `thrown at ${where}; `}the report covers the blocks up to this one`,
      cause,
    },
  );
}

/** Where an error was thrown, if that is in a file. */
function frameOf(error: Error): string | undefined {
  return /\(?((?:file:\/\/|\/)[^\s()]+:\d+:\d+)\)?/.exec(error.stack ?? "")?.[1];
}
