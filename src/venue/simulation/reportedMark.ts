import { MARK_METHOD } from "../../protocol/words.ts";
import type { State } from "../engine/state/state.ts";

/** Whether a market's mark is reported from outside: then a source that knows one price reports it as both. */
export function takesReportedMark(state: State, market: string): boolean {
  const row = state.marketRows.get(market);
  return row !== undefined && state.parameters[row]!.markMethod === MARK_METHOD.reported;
}
