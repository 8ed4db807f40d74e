import { STREAM_FAULTS } from "../../../api/schemas/faults.ts";
import { CLOSE_CODES } from "../../../api/socket/messages.ts";
import type { Connection } from "../../socket/connection.ts";
import type { StreamHub } from "../../socket/hub.ts";
import type { Peer } from "../../socket/peer.ts";
import type { FaultPlan } from "./plan.ts";

/** Deltas pass a network that fails as it is told; the hub that sends them knows nothing of it. */
export class FaultyStreams implements StreamHub {
  readonly #inner: StreamHub;
  readonly #plan: FaultPlan;

  constructor(inner: StreamHub, plan: FaultPlan) {
    this.#inner = inner;
    this.#plan = plan;
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
    /** Held back until the next message has gone before it. */
    let waiting: string | undefined;
    const send = (text: string): void => {
      peer.send(text);
      if (waiting === undefined) return;
      const late = waiting;
      waiting = undefined;
      peer.send(late);
    };
    const connection = this.#inner.connect({
      client: peer.client,
      get buffered() {
        return peer.buffered;
      },
      close: (code, reason) => peer.close(code, reason),
      send: (text) => {
        switch (this.#strikeOn(text)) {
          case "streamDrop":
            // Behind what the hub is doing just now.
            queueMicrotask(() => connection?.close(CLOSE_CODES.restarting, "a fault that was asked for"));
            return;
          case "streamGap":
            return;
          case "streamDuplicate":
            send(text);
            send(text);
            return;
          case "streamReorder":
            if (waiting === undefined) waiting = text;
            else send(text);
            return;
          case "streamChecksum":
            send(text.replace(/"checksum":(\d+)/, (_, sum: string) => `"checksum":${(Number(sum) + 1) % 2 ** 32}`));
            return;
          default:
            send(text);
        }
      },
    });
    return connection;
  }

  #strikeOn(text: string) {
    const channel = /^\{"type":"delta","stream":"[^"]*","channel":"([^"]*)"/.exec(text)?.[1];
    if (channel === undefined) return undefined;
    const kinds = STREAM_FAULTS.filter((kind) => kind !== "streamChecksum" || text.includes('"checksum":'));
    return this.#plan.strikes(kinds, { channel })[0]?.kind;
  }
}
