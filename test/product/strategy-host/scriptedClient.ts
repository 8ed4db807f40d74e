import type { HookName } from "../../../src/client/strategy/strategy.ts";
import type { Channel } from "../../../src/product/strategy-host/channel.ts";
import type { HookReply, HostMessage, WireBar } from "../../../src/product/strategy-host/messages.ts";

/** What a hook of a scripted strategy asks for: a name and arguments. It gets the value, or the code of a refusal. */
export type Ask = readonly [name: string, ...args: unknown[]];
export type Script = Generator<Ask, void, unknown>;

/** A strategy as a client has it: hooks that ask by `yield`. */
export interface Scripts {
  onBar?(bar: WireBar, timeMs: number): Script;
  onHook?(hook: HookName, fact: unknown): Script;
}

const ACTS =
  /^(place|amend|cancel|cancelAll|stop|takeProfit|trailingStop|protect|cancelIntent|close|set\w+|addMargin|removeMargin|every|after|at|stopTimer)$/;

/** A client within the process: what it is sent, it runs, up to the next message that it has to send. */
export class ScriptedClient implements Channel {
  /** Everything that the strategy saw, in its order. */
  readonly seen: unknown[] = [];
  /** Bars of the longest message. */
  longest = 0;
  messages = 0;
  readonly #scripts: Scripts;
  #bars: readonly WireBar[] = [];
  #times: readonly number[] = [];
  #at = 0;
  #script: Script | undefined;
  #answer: unknown = undefined;
  #hasActed = false;

  constructor(scripts: Scripts) {
    this.#scripts = scripts;
  }

  send(message: HostMessage): void {
    this.messages++;
    switch (message[0]) {
      case "hook": {
        const [, known, hook, fact] = message;
        this.seen.push([hook, known, fact]);
        this.#begin([], []);
        this.#script = this.#scripts.onHook?.(hook, fact);
        break;
      }
      case "bars": {
        const [, known, bars, times] = message;
        this.longest = Math.max(this.longest, bars.length);
        this.seen.push([bars[0], times[0], known.slice(1)]);
        this.#begin(bars, times);
        this.#known = known.slice(1);
        this.#script = this.#scripts.onBar?.(bars[0]!, times[0]!);
        break;
      }
      case "value":
        this.#answer = message[1];
        this.seen.push(message[1]);
        break;
      case "refused":
        this.#answer = message[1].code;
        this.seen.push(message[1]);
        break;
      case "start":
        this.seen.push(message);
        break;
      default:
        throw new Error(`a script has no answer to ${message[0]}`);
    }
  }

  #known: unknown = undefined;

  #begin(bars: readonly WireBar[], times: readonly number[]): void {
    this.#bars = bars;
    this.#times = times;
    this.#at = 0;
    this.#answer = undefined;
    this.#hasActed = false;
  }

  receive(): HookReply {
    for (;;) {
      const step = this.#script?.next(this.#answer);
      this.#answer = undefined;
      if (step !== undefined && step.done !== true) {
        const [name, ...args] = step.value;
        this.seen.push([name, args]);
        if (name === "raise") return ["raise", this.#at, "it failed", "/script.py:1:1"];
        if (ACTS.test(name)) this.#hasActed = true;
        return ["ask", this.#at, name, args];
      }
      if (this.#hasActed || this.#at + 1 >= this.#bars.length) return ["done", this.#at];
      this.#at++;
      const [bar, timeMs] = [this.#bars[this.#at]!, this.#times[this.#at]!];
      this.seen.push([bar, timeMs, this.#known]);
      this.#script = this.#scripts.onBar?.(bar, timeMs);
    }
  }
}
