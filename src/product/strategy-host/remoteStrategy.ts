import type { Context } from "../../client/strategy/context.ts";
import { isStrategyError } from "../../client/strategy/errors.ts";
import type { Bar } from "../../client/strategy/facts.ts";
import { type AnyStrategy, checkStrategy, type HookName } from "../../client/strategy/strategy.ts";
import { VenueAccount } from "../backtest/account/venueAccount.ts";
import type { Channel } from "./channel.ts";
import { CONTEXT_CALLS } from "./contextCalls.ts";
import type { Definition } from "./definition.ts";
import { invalidMessage } from "./errors.ts";
import { type HookReply, type Known, toWireBar } from "./messages.ts";

/** A strategy whose hooks run in another program: each call is a message, and waits for the end of the hook there. */
export function createRemoteStrategy(definition: Definition, channel: Channel): AnyStrategy {
  const { id, title, params, hooks, frames, warmUp } = definition;
  const remote = new RemoteHooks(channel);
  const strategy: Record<string, unknown> = {
    id,
    ...(title === "" ? {} : { title }),
    params,
    ...(frames === undefined ? {} : { frames: frames === true ? remote.ask("frames") : frames }),
    ...(warmUp === undefined ? {} : { warmUp: warmUp === true ? remote.ask("warmUp") : warmUp }),
    init: (ctx: Context) => remote.start(ctx, hooks.has("init")),
  };
  for (const hook of hooks) {
    if (hook === "onBar") strategy["onBar"] = (ctx: Context, bar: Bar) => remote.showBar(ctx, bar);
    else if (hook !== "init") strategy[hook] = (ctx: Context, fact: unknown) => remote.call(ctx, hook, fact);
  }
  return checkStrategy(strategy);
}

class RemoteHooks {
  readonly #channel: Channel;

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  /** A field that depends on the parameters. */
  ask(field: "frames" | "warmUp"): (params: unknown) => unknown {
    return (params) => {
      this.#channel.send(["define", field, params]);
      const reply = this.#channel.receive();
      if (!Array.isArray(reply)) throw invalidMessage("an answer is a list", field);
      if (reply[0] === "value") return reply[1];
      throw readRaised(reply);
    };
  }

  start(ctx: Context, hasInit: boolean): void {
    const markets = ctx.markets.map(({ name, tickSize, lotSize }) => [name, tickSize, lotSize] as const);
    this.#channel.send(["start", ctx.params, markets, [...ctx.rng.state]]);
    if (hasInit) this.call(ctx, "init", null);
  }

  call(ctx: Context, hook: HookName, fact: unknown): void {
    this.#channel.send(["hook", knownOf(ctx), hook, fact ?? null]);
    this.#serve(ctx);
  }

  showBar(ctx: Context, bar: Bar): void {
    this.#channel.send(["bars", knownOf(ctx), [toWireBar(bar)], []]);
    this.#serve(ctx);
  }

  /** Answers what the hook asks, until it ends. */
  #serve(ctx: Context): void {
    for (;;) {
      const reply = this.#receive();
      if (reply[0] === "done") return;
      if (reply[0] === "raise") throw readRaised(reply);
      this.#answer(ctx, reply[2], reply[3]);
    }
  }

  #receive(): HookReply {
    const reply = this.#channel.receive();
    if (!Array.isArray(reply)) throw invalidMessage("a message is a list");
    const [tag, at] = reply as readonly unknown[];
    if (!Number.isInteger(at)) throw invalidMessage("the place of the bar is missing", String(tag));
    if (tag === "done" || tag === "raise") return reply as unknown as HookReply;
    if (tag === "ask" && typeof reply[2] === "string" && Array.isArray(reply[3])) return reply as unknown as HookReply;
    throw invalidMessage("expected ask, done or raise", String(tag));
  }

  #answer(ctx: Context, name: string, args: readonly unknown[]): void {
    const known = Object.hasOwn(CONTEXT_CALLS, name) ? CONTEXT_CALLS[name] : undefined;
    if (known === undefined) throw invalidMessage(`there is no call ${JSON.stringify(name)}`, "ask");
    let value: unknown;
    try {
      value = known.call(ctx, args);
    } catch (error) {
      // What a strategy may do about it is up to the strategy; anything else is a fault of ours and ends the run.
      if (!isStrategyError(error)) throw error;
      const { code, message, place, hint } = error;
      this.#channel.send(["refused", { code, message, place, hint }]);
      return;
    }
    this.#channel.send(["value", value ?? null]);
  }
}

/** What every call brings along. Nothing of it needs a block to be up to date. */
function knownOf(ctx: Context): Known {
  const { account, now, isWarmUp, markets } = ctx;
  if (!(account instanceof VenueAccount)) throw new Error("a strategy of another program runs in a backtest alone");
  const sizes = markets.map(({ name }) => account.getSizeOf(name));
  return [now.timeMs, isWarmUp, account.inFlight, sizes, account.orders().length, account.intents().length];
}

/** The error that a hook raised in the other program, with the place there. */
function readRaised(reply: readonly unknown[]): Error {
  const [tag, , message, place] = reply;
  if (tag !== "raise") throw invalidMessage("expected raise", String(tag));
  const error = new Error(String(message));
  // The place in the strategy is what helps, not that in here.
  error.stack = `${error.message}\n    at ${String(place ?? "")}`;
  return error;
}
