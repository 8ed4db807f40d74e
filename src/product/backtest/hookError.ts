import type { HookFailure } from "../../client/strategy/sessionPort.ts";
import { BacktestError } from "./errors.ts";

/**
 * The error of a run whose strategy failed: hook, block and, if a file is known, where in it.
 *
 * @param name of the strategy, where others trade on
 */
export function toHookError(
  { strategy, hook, height, timeMs, reason, hint, cause }: HookFailure,
  name: string | undefined,
): BacktestError {
  const own = hint === undefined ? "" : `${hint}; `;
  const where = cause instanceof Error ? frameOf(cause) : undefined;
  return new BacktestError(
    "STRATEGY_FAILED",
    `${name === undefined ? "the strategy" : `strategy ${name}`} failed at block ${height} (${new Date(timeMs).toISOString()}): ${reason}`,
    {
      place: `${name ?? strategy}.${hook}`,
      hint: `${own}${where === undefined ? "" : `thrown at ${where}; `}${COVERED[name === undefined ? "one" : "several"]}`,
      cause,
    },
  );
}

/** The part of a run that its report covers where a strategy failed, in words. */
const COVERED = {
  one: "the report covers the blocks up to this one",
  several: "it has stopped, its orders and positions are in the venue, and the report covers the whole run",
} as const;

/** Where the sources of a strategy's session are: a request that it refuses is at fault where the strategy makes it. */
const SESSION = new URL("../../client/strategy/", import.meta.url);

/** Where an error was thrown, if that is in a file: the nearest place outside of the session, as a path. */
function frameOf(error: Error): string | undefined {
  const frames = [...(error.stack ?? "").matchAll(/\(?((?:file:\/\/|\/)[^\s()]+:\d+:\d+)\)?/g)].map(
    ([, frame]) => frame!,
  );
  const isOwn = (frame: string) => frame.includes(SESSION.href) || frame.startsWith(SESSION.pathname);
  return (frames.find((frame) => !isOwn(frame)) ?? frames[0])?.replace(/^file:\/\/(?=\/)/, "");
}
