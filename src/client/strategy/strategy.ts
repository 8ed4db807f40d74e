import type { Static, TObject } from "typebox";
import type { Context } from "./context.ts";
import { StrategyError } from "./errors.ts";
import type {
  Bar,
  Cancellation,
  Fill,
  FrameBar,
  Funding,
  IntentChange,
  Liquidation,
  Rejection,
  Timer,
  Trade,
} from "./facts.ts";
import { Frames } from "./frames.ts";
import type { Span } from "./spans.ts";
import { checkWarmUp, type WarmUp } from "./warmUp.ts";

/**
 * A trading strategy. Hooks are synchronous and optional; after every block they are called in this order: `onFunding`,
 * `onFill`, `onCancel`, `onIntent` and `onLiquidation` as the block's events have them, `onReject`, then what the data
 * showed up to the block's time, `onTrade`, `onBar` and `onFrame`, then `onTimer`, and `onBlock` last. A hook that is
 * left out costs nothing.
 *
 * A strategy keeps its memory in the value that `init` returns (`ctx.memory`), so that two runs share nothing.
 */
export interface Strategy<Params extends TObject = TObject, Memory = unknown> {
  /** Lower-case words with dashes; names the strategy in reports. */
  readonly id: string;
  /** One line for lists. */
  readonly title?: string;
  /** Schema of the parameters: every property has a `default` and a `description`. */
  readonly params: Params;
  /**
   * Higher time frames for `onFrame`: spans that are a whole part of a day (`15m`, `4h`, `1d`), or `1w`. A function
   * gets the parameters.
   */
  readonly frames?: readonly Span[] | OfParams<Params, readonly Span[]>;
  /**
   * History for `onBar` and `onFrame` right after `init`: `{ bars: 200 }` of each market, or a `{ span: "30d" }`. It
   * lies before the start of the run, and `ctx.isWarmUp` is true: transactions sent then are rejected with `WARM_UP`. A
   * function gets the parameters.
   */
  readonly warmUp?: WarmUp | OfParams<Params, WarmUp>;
  /** Called once, after the first block. What it returns is `ctx.memory`. */
  init?(ctx: Context<Static<Params>, undefined>): Memory;
  onFunding?(ctx: Context<Static<Params>, Memory>, funding: Funding): void;
  onFill?(ctx: Context<Static<Params>, Memory>, fill: Fill): void;
  /** An order ended before it was filled whole: it expired or was cancelled. */
  onCancel?(ctx: Context<Static<Params>, Memory>, cancellation: Cancellation): void;
  /** A stop, a take-profit or a trailing stop fired or ended. */
  onIntent?(ctx: Context<Static<Params>, Memory>, change: IntentChange): void;
  onLiquidation?(ctx: Context<Static<Params>, Memory>, liquidation: Liquidation): void;
  onReject?(ctx: Context<Static<Params>, Memory>, rejection: Rejection): void;
  onTrade?(ctx: Context<Static<Params>, Memory>, trade: Trade): void;
  /** A bar is complete: a recorded one, or one made of trades in a market that has no recorded bars. */
  onBar?(ctx: Context<Static<Params>, Memory>, bar: Bar): void;
  /** A bar of one of the `frames` is complete; after `onBar` of the bar that ended it. */
  onFrame?(ctx: Context<Static<Params>, Memory>, bar: FrameBar): void;
  /** A timer of `ctx.every`, `ctx.after` or `ctx.at` is due. */
  onTimer?(ctx: Context<Static<Params>, Memory>, timer: Timer): void;
  onBlock?(ctx: Context<Static<Params>, Memory>): void;
  /** After the last block. Nothing can be sent any more. */
  onEnd?(ctx: Context<Static<Params>, Memory>): void;
}

/** A function of the parameters, also of those of a narrower schema, as hooks are. */
type OfParams<Params extends TObject, Result> = { call(params: Static<Params>): Result }["call"];

/** A strategy of any parameters, as drivers hold it. */
// biome-ignore lint/suspicious/noExplicitAny: parameters and memory of a strategy are its own affair
export type AnyStrategy = Strategy<any, any>;

/** The hooks by name. */
export const HOOKS = [
  "init",
  "onFunding",
  "onFill",
  "onCancel",
  "onIntent",
  "onLiquidation",
  "onReject",
  "onTrade",
  "onBar",
  "onFrame",
  "onTimer",
  "onBlock",
  "onEnd",
] as const;
/** Name of a hook. */
export type HookName = (typeof HOOKS)[number];

/**
 * Declares a strategy; a module has it as its default export. Write `params` first, then `init`, then the other hooks:
 * types flow in that order.
 *
 * @throws {StrategyError} STRATEGY_INVALID
 */
export function defineStrategy<const Params extends TObject, Memory = undefined>(
  strategy: Strategy<Params, Memory>,
): Strategy<Params, Memory> {
  return checkStrategy(strategy) as Strategy<Params, Memory>;
}

const ID = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const FIELDS: ReadonlySet<string> = new Set(["id", "title", "params", "frames", "warmUp", ...HOOKS]);

/**
 * Checks that a value, the default export of a module for example, is a strategy.
 *
 * @throws {StrategyError} STRATEGY_INVALID
 */
export function checkStrategy(value: unknown): AnyStrategy {
  if (typeof value !== "object" || value === null) {
    throw invalid("a strategy is an object", "export default defineStrategy({ id, params, onBar, ... })");
  }
  const strategy = value as Record<string, unknown>;
  const { id, params } = strategy;
  if (typeof id !== "string" || !ID.test(id) || id.length > 40) {
    throw invalid("`id` must be lower-case words with dashes, at most 40 characters", 'for example id: "trend"');
  }
  if (typeof params !== "object" || params === null || !("properties" in params)) {
    throw invalid(`strategy ${id}: \`params\` must be an object schema`, "params: Type.Object({}) where it has none");
  }
  const properties = params.properties as Readonly<Record<string, { default?: unknown; description?: unknown }>>;
  for (const [name, schema] of Object.entries(properties)) {
    if (schema.default === undefined || typeof schema.description !== "string") {
      throw invalid(
        `strategy ${id}: parameter ${name} lacks a default or a description`,
        "every parameter has both: they are what a user is shown",
        name,
      );
    }
  }
  for (const name of Object.keys(strategy)) {
    if (!FIELDS.has(name)) {
      throw invalid(`strategy ${id}: there is no hook \`${name}\``, `hooks are ${HOOKS.join(", ")}`, name);
    }
  }
  for (const hook of HOOKS) {
    if (strategy[hook] !== undefined && typeof strategy[hook] !== "function") {
      throw invalid(`strategy ${id}: \`${hook}\` must be a function`, "leave out hooks that are not needed", hook);
    }
  }
  checkFrames(id, strategy);
  const { warmUp } = strategy;
  if (warmUp !== undefined && typeof warmUp !== "function") checkWarmUp(warmUp);
  if (warmUp !== undefined && !usesBars(value as AnyStrategy)) {
    throw invalid(
      `strategy ${id}: \`warmUp\` needs a hook for bars`,
      "add onBar or onFrame, or leave it out",
      "warmUp",
    );
  }
  return value as AnyStrategy;
}

function checkFrames(id: string, { frames, onFrame }: Readonly<Record<string, unknown>>): void {
  if (frames === undefined && onFrame === undefined) return;
  if (frames === undefined || onFrame === undefined) {
    throw invalid(
      `strategy ${id}: \`frames\` and \`onFrame\` go together`,
      'for example frames: ["4h"], onFrame(ctx, bar) {}',
      "frames",
    );
  }
  if (typeof frames === "function") return;
  if (!Array.isArray(frames))
    throw invalid(`strategy ${id}: \`frames\` is a list`, 'for example ["1h", "1d"]', "frames");
  new Frames(frames);
}

/** The higher time frames of a strategy; undefined without any. @throws {StrategyError} STRATEGY_INVALID */
export function openFrames({ frames }: AnyStrategy, params: unknown): Frames | undefined {
  if (frames === undefined) return undefined;
  const spans: unknown = typeof frames === "function" ? frames(params) : frames;
  if (Array.isArray(spans)) return new Frames(spans);
  throw invalid("`frames` gave no list of spans", 'return a list, for example ["4h"]', "frames");
}

/** Whether a strategy has a use for bars. */
export function usesBars({ onBar, onFrame }: AnyStrategy): boolean {
  return onBar !== undefined || onFrame !== undefined;
}

function invalid(reason: string, hint: string, place?: string): StrategyError {
  return new StrategyError("STRATEGY_INVALID", reason, place === undefined ? { hint } : { place, hint });
}
