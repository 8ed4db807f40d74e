import { STREAM_FAULTS } from "../../../client/api/schemas/faults.ts";
import { CLOSE_CODES } from "../../../client/api/socket/messages.ts";
import { BUFFER_MOST, type Connection } from "../../face/socket/connection.ts";
import type { StreamHub } from "../../face/socket/hub.ts";
import type { Peer } from "../../face/socket/peer.ts";
import type { FaultPlan, Strike } from "./plan.ts";
import { type Sleep, sleepByTimer } from "./sleep.ts";

/** Injects network faults into the deltas of a hub. */
export class FaultyStreams implements StreamHub {
  readonly #inner: StreamHub;
  readonly #plan: FaultPlan;
  readonly #sleep: Sleep;

  constructor(inner: StreamHub, plan: FaultPlan, sleep: Sleep = sleepByTimer) {
    this.#inner = inner;
    this.#plan = plan;
    this.#sleep = sleep;
  }

  get heartbeatMs(): number {
    return this.#inner.heartbeatMs;
  }

  beat(): void {
    this.#inner.beat();
  }

  close(reason?: string, reconnectAfterMs?: number): void {
    this.#inner.close(reason, reconnectAfterMs);
  }

  connect(peer: Peer): Connection | undefined {
    /** Held until the next message was sent. */
    let late: string | undefined;
    const stalled = new StalledPeer(peer);
    const send = (text: string): void => {
      stalled.send(text);
      if (late === undefined) return;
      const held = late;
      late = undefined;
      stalled.send(held);
    };
    const connection = this.#inner.connect({
      client: peer.client,
      get buffered() {
        return stalled.buffered;
      },
      close: (code, reason) => stalled.close(code, reason),
      send: (text) => {
        const strike = this.#strikeOn(text);
        switch (strike?.kind) {
          case "streamDrop":
            // After the hub's running task.
            queueMicrotask(() => connection?.close(CLOSE_CODES.restarting, "an injected fault"));
            return;
          case "streamGap":
            return;
          case "streamDuplicate":
            send(text);
            send(text);
            return;
          case "streamReorder":
            if (late === undefined) late = text;
            else send(text);
            return;
          case "streamChecksum":
            send(text.replace(/"checksum":(\d+)/, (_, sum: string) => `"checksum":${(Number(sum) + 1) % 2 ** 32}`));
            return;
          case "streamStall":
            stalled.stallUntil(this.#sleep(strike.ms!));
            send(text);
            return;
          default:
            send(text);
        }
      },
    });
    return connection;
  }

  #strikeOn(text: string): Strike | undefined {
    const channel = /^\{"type":"delta","stream":"[^"]*","channel":"([^"]*)"/.exec(text)?.[1];
    if (channel === undefined) return undefined;
    const kinds = STREAM_FAULTS.filter((kind) => kind !== "streamChecksum" || text.includes('"checksum":'));
    return this.#plan.strikes(kinds, { channel })[0];
  }
}

/**
 * A client that stops reading from time to time. Its messages wait, as in the buffers of a network. A full buffer is
 * reported at once, so that a test need not fill a megabyte.
 */
class StalledPeer implements Peer {
  readonly client: string;
  readonly #inner: Peer;
  /** Undefined while it reads. */
  #waiting: string[] | undefined;
  #stalls = 0;

  constructor(inner: Peer) {
    this.client = inner.client;
    this.#inner = inner;
  }

  get buffered(): number {
    return this.#waiting === undefined ? this.#inner.buffered : BUFFER_MOST + 1;
  }

  send(text: string): void {
    if (this.#waiting === undefined) this.#inner.send(text);
    else this.#waiting.push(text);
  }

  /** Waiting messages are read first. */
  close(code: number, reason: string): void {
    this.#flush();
    this.#inner.close(code, reason);
  }

  stallUntil(over: Promise<void>): void {
    this.#waiting ??= [];
    const stall = ++this.#stalls;
    // Another stall that began meanwhile ends later.
    void over.then(() => {
      if (stall === this.#stalls) this.#flush();
    });
  }

  #flush(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const text of waiting) this.#inner.send(text);
  }
}
