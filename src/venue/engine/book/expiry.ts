import type { State } from "../state/state.ts";

/** Whether an expiry (0 for none) is earlier than the present block (ORD-2). */
export function isExpired(state: State, height: number, timeMs: number): boolean {
  return (height !== 0 && height < state.height) || (timeMs !== 0 && timeMs < state.timeMs);
}
