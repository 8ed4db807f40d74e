import type { Context } from "../../client/strategy/context.ts";
import { isStrategyError } from "../../client/strategy/errors.ts";
import type { Bar } from "../../client/strategy/facts.ts";
import { type AnyStrategy, checkStrategy, type HookName } from "../../client/strategy/strategy.ts";
import { VenueAccount } from "../backtest/account/venueAccount.ts";
import { OUTLOOK, type Outlook, type UpcomingBar } from "../backtest/outlook.ts";
import type { Channel } from "./channel.ts";
import { CONTEXT_CALLS } from "./contextCalls.ts";
import type { Definition } from "./definition.ts";
import { invalidMessage } from "./errors.ts";
import { type HookReply, type Known, toWireBar } from "./messages.ts";

/** Bars that are sent ahead at once, unless the client asks for another number. */
export const BATCH = 512;

/**
 * A strategy whose hooks run in another program. Each call is a message, and waits for the end of the hook there; bars
 * that come with nothing else in between travel together.
 *
 * @param batch most bars of a message
 */
export function createRemoteStrategy(definition: Definition, channel: Channel, batch = BATCH): AnyStrategy {
  const { id, title, params, hooks, frames, warmUp } = definition;
  const remote = new RemoteHooks(channel, batch);
  const strategy: Record<string | symbol, unknown> = {
    id,
    ...(title === "" ? {} : { title }),
    params,
    ...(frames === undefined ? {} : { frames: frames === true ? remote.ask("frames") : frames }),
    ...(warmUp === undefined ? {} : { warmUp: warmUp === true ? remote.ask("warmUp") : warmUp }),
    init: (ctx: Context) => remote.start(ctx, hooks.has("init")),
    [OUTLOOK]: (outlook: Outlook) => remote.look(outlook),
  };
  for (const hook of hooks) {
    if (hook === "onBar") strategy["onBar"] = (ctx: Context, bar: Bar) => remote.showBar(ctx, bar);
    else if (hook !== "init") strategy[hook] = (ctx: Context, fact: unknown) => remote.call(ctx, hook, fact);
  }
  return checkStrategy(strategy);
}

/** Bars that were sent together, while their hooks are called here one after the other. */
interface Stretch {
  readonly bars: readonly UpcomingBar[];
  /** Place of the bar whose hook is called next. */
  at: number;
  /** Last message of the client; it names the place at which the client waits. */
  reply: HookReply;
}

class RemoteHooks {
  readonly #channel: Channel;
  readonly #batch: number;
  #outlook: Outlook | undefined;
  /** Bars of the next message, as far as the last one shows how many are run before the strategy does something. */
  #size = 1;
  #stretch: Stretch | undefined;

  constructor(channel: Channel, batch: number) {
    this.#channel = channel;
    this.#batch = batch;
  }

  look(outlook: Outlook): void {
    this.#outlook = outlook;
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
    if (this.#stretch !== undefined) throw brokenOutlook(hook);
    this.#channel.send(["hook", knownOf(ctx), hook, fact ?? null]);
    const end = this.#serve(ctx, 0, this.#receive());
    if (end.reply[1] !== 0) throw invalidMessage(`there is no bar ${end.reply[1]}`, "at");
  }

  showBar(ctx: Context, bar: Bar): void {
    const stretch = this.#stretch ?? this.#sendBars(ctx, bar);
    const { bars, at } = stretch;
    const expected = bars[at]!;
    if (
      expected.timeMs !== ctx.now.timeMs ||
      expected.bar.closeTimeMs !== bar.closeTimeMs ||
      expected.bar.market !== bar.market
    ) {
      throw brokenOutlook("onBar");
    }
    const { reply, hasActed } = this.#serve(ctx, at, stretch.reply);
    if (reply[0] === "done" && reply[1] === at) {
      this.#stretch = undefined;
      this.#size = Math.min(this.#batch, 2 * (at + 1));
      return;
    }
    // The client waits at a later bar, up to which it did nothing.
    if (hasActed || reply[1] <= at || reply[1] >= bars.length)
      throw invalidMessage(`there is no bar ${reply[1]}`, "at");
    this.#stretch = { bars, at: at + 1, reply };
  }

  #sendBars(ctx: Context, bar: Bar): Stretch {
    const ahead = ctx.isWarmUp ? [] : (this.#outlook?.listAfter(bar, this.#size - 1) ?? []);
    const bars = [{ bar, timeMs: ctx.now.timeMs }, ...ahead];
    const times = bars.map(({ timeMs }) => timeMs);
    this.#channel.send(["bars", knownOf(ctx), bars.map((one) => toWireBar(one.bar)), times]);
    return { bars, at: 0, reply: this.#receive() };
  }

  /** Answers what the hook at a place asks, until it ends or the client waits at another place. */
  #serve(ctx: Context, at: number, first: HookReply): { readonly reply: HookReply; readonly hasActed: boolean } {
    let reply = first;
    let hasActed = false;
    while (reply[1] === at && reply[0] !== "done") {
      if (reply[0] === "raise") throw readRaised(reply);
      if (this.#answer(ctx, reply[2], reply[3])) hasActed = true;
      reply = this.#receive();
    }
    return { reply, hasActed };
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

  /** Returns whether the call may have changed what comes. */
  #answer(ctx: Context, name: string, args: readonly unknown[]): boolean {
    const known = Object.hasOwn(CONTEXT_CALLS, name) ? CONTEXT_CALLS[name] : undefined;
    if (known === undefined) throw invalidMessage(`there is no call ${JSON.stringify(name)}`, "ask");
    let value: unknown;
    try {
      value = known.call(ctx, args);
    } catch (error) {
      // A strategy may handle a `StrategyError`; any other error is a defect of perplab and ends the run.
      if (!isStrategyError(error)) throw error;
      const { code, message, place, hint } = error;
      this.#channel.send(["refused", { code, message, place, hint }]);
      return known.acts;
    }
    this.#channel.send(["value", value ?? null]);
    return known.acts;
  }
}

/** Facts that every call carries. None of them needs a new block to be current. */
function knownOf(ctx: Context): Known {
  const { account, now, isWarmUp, markets } = ctx;
  if (!(account instanceof VenueAccount)) throw new Error("a strategy of another program runs in a backtest alone");
  const sizes = markets.map(({ name }) => account.getSizeOf(name));
  return [now.timeMs, isWarmUp, account.inFlight, sizes, account.orders().length, account.intents().length];
}

/** Something came between bars that were sent ahead. */
function brokenOutlook(hook: HookName): Error {
  return new Error(
    `${hook} came between bars that were sent ahead (this is a fault in perplab; a batch of 1 sends none)`,
  );
}

/** The error that a hook raised in the other program, with the place there. */
function readRaised(reply: readonly unknown[]): Error {
  const [tag, , message, place] = reply;
  if (tag !== "raise") throw invalidMessage("expected raise", String(tag));
  const error = new Error(String(message));
  // A reader needs the place in the strategy, not the place in this file.
  error.stack = `${error.message}\n    at ${String(place ?? "")}`;
  return error;
}
