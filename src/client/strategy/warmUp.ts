import { StrategyError } from "./errors.ts";
import { parseSpan, type Span } from "./spans.ts";
import type { AnyStrategy } from "./strategy.ts";

/** History that a strategy sees before it can trade: the last bars of each market, or all bars of a span of time. */
export type WarmUp = { readonly bars: number; readonly span?: never } | { readonly span: Span; readonly bars?: never };

/** Most bars of a market, so that a run has bounded memory. */
const BARS_MOST = 1_000_000;

/**
 * The history that a strategy asks for with its parameters; undefined for none, which is also what 0 bars are.
 *
 * @throws {StrategyError} STRATEGY_INVALID
 */
export function readWarmUp({ warmUp }: AnyStrategy, params: unknown): WarmUp | undefined {
  if (warmUp === undefined) return undefined;
  const given = typeof warmUp === "function" ? warmUp(params) : warmUp;
  return checkWarmUp(given);
}

/** @throws {StrategyError} STRATEGY_INVALID */
export function checkWarmUp(given: unknown): WarmUp | undefined {
  const { bars, span, ...others } = (typeof given === "object" && given !== null ? given : {}) as Partial<WarmUp>;
  const [other] = Object.keys(others);
  if (other !== undefined || (bars === undefined) === (span === undefined)) {
    throw invalid("`warmUp` is a number of bars or a span", 'for example { bars: 200 } or { span: "30d" }');
  }
  if (bars === undefined) {
    if (parseSpan(span!) !== undefined) return { span: span! };
    throw invalid(`warm-up ${JSON.stringify(span)} is no span`, 'write it like "90m", "12h" or "30d"');
  }
  if (!Number.isInteger(bars) || bars < 0 || bars > BARS_MOST) {
    throw invalid(`a warm-up of ${bars} bars`, `give a whole number up to ${BARS_MOST}`);
  }
  return bars === 0 ? undefined : { bars };
}

function invalid(reason: string, hint: string): StrategyError {
  return new StrategyError("STRATEGY_INVALID", reason, { place: "warmUp", hint });
}
