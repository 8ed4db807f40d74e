import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Channel } from "../../../product/strategy-host/channel.ts";
import { invalidMessage, isStrategyHostError } from "../../../product/strategy-host/errors.ts";
import { PROTOCOL_VERSION } from "../../../product/strategy-host/messages.ts";
import { describeFailure } from "../../fail.ts";
import type { Terminal } from "../../terminal.ts";
import { hostBacktest } from "./hostBacktest.ts";
import { hostSweep } from "./hostSweep.ts";

/** Requests of a client, by the tag of its message. A failure of the work is an answer. */
const WORKS: Readonly<Record<string, (channel: Channel, request: unknown, terminal: Terminal) => Promise<void>>> = {
  backtest: hostBacktest,
  sweep: hostSweep,
};

/** Handles a client's requests, one after the other, until it closes its end. */
export async function serveClient(channel: Channel, terminal: Terminal): Promise<void> {
  const manifest = readFileSync(join(import.meta.dirname, "../../../../package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { readonly version: string };
  try {
    channel.send(["hello", PROTOCOL_VERSION, version]);
    for (;;) await serveOne(channel, terminal);
  } catch (error) {
    if (!isStrategyHostError(error, "CLIENT_GONE")) throw error;
  }
}

async function serveOne(channel: Channel, terminal: Terminal): Promise<void> {
  const message = channel.receive();
  try {
    const [tag, request] = Array.isArray(message) ? (message as readonly unknown[]) : [];
    const work = typeof tag === "string" && Object.hasOwn(WORKS, tag) ? WORKS[tag] : undefined;
    if (work === undefined) throw invalidMessage(`there is no work ${JSON.stringify(tag)}`, String(tag));
    await work(channel, request, terminal);
  } catch (error) {
    if (isStrategyHostError(error, "CLIENT_GONE")) throw error;
    const { code, message: reason, place, hint, stack } = describeFailure(error);
    if (stack !== undefined) terminal.err(stack);
    channel.send(["failed", { code, message: reason, place, hint }, null]);
  }
}
