import type { AsOf } from "../../../client/api/schemas/common.ts";
import type { StreamName } from "../../../client/api/socket/channels.ts";
import { CLIENT_MESSAGE_MOST } from "../../../client/api/socket/messages.ts";
import { runInSlices, runToEnd, type Slices } from "../../history/slices.ts";
import { viewAsOf } from "../../host/asOf.ts";
import type { BlockEntry } from "../../host/host.ts";
import { RateBuckets, type RatePolicy } from "../limits/bucket.ts";
import type { Reader } from "../services/access.ts";
import type { Services } from "../services/services.ts";
import type { FoundSession } from "../session/sessions.ts";
import { collectInSlices } from "./changes.ts";
import { BUFFER_MOST, Connection } from "./connection.ts";
import type { Peer } from "./peer.ts";
import { hashAt, isOfChain, type Position } from "./position.ts";
import { nameShared, Stream, TOO_LONG } from "./stream.ts";

export interface SocketLimits {
  readonly connections: number;
  readonly connectionsOfClient: number;
  /** Of one connection. */
  readonly subscriptions: number;
  readonly messages: RatePolicy | undefined;
  /**
   * Per client: blocks that it resumes over, levels and changes of books to rebuild, and blocks to apply again for
   * books from before the start of the service. Beyond the allowance it starts streams with a snapshot.
   */
  readonly resumes: RatePolicy | undefined;
}

/** The part of a hub that carriers of streams need. */
export type StreamHub = Pick<SocketHub, "connect" | "beat" | "close" | "heartbeatMs">;

export interface HubOptions {
  readonly limits?: Partial<SocketLimits>;
  /** Default: 5,000. */
  readonly heartbeatMs?: number;
  /** Longest message of a block's list, in characters; beyond it a client starts the stream again. Default: 16 MiB. */
  readonly messageMost?: number;
  /** Called with faults of the service. */
  readonly onError?: (error: unknown) => void;
}

export const SOCKET_LIMITS = {
  off: {
    connections: 10_000,
    connectionsOfClient: 10_000,
    subscriptions: 10_000,
    messages: undefined,
    resumes: undefined,
  },
  dev: {
    connections: 10_000,
    connectionsOfClient: 1_600,
    subscriptions: 10_000,
    messages: { name: "messages", quota: 5_000, windowMs: 5_000 },
    resumes: { name: "resumes", quota: 5_000_000, windowMs: 60_000 },
  },
  public: {
    connections: 10_000,
    connectionsOfClient: 32,
    subscriptions: 500,
    messages: { name: "messages", quota: 100, windowMs: 5_000 },
    resumes: { name: "resumes", quota: 100_000, windowMs: 60_000 },
  },
} as const satisfies Readonly<Record<string, SocketLimits>>;

/** Bytes that may wait for all peers together. All have the same share, but at least a fixed minimum. */
export const BUFFERS_MOST = 256 << 20;
const SHARE_LEAST = 32 << 10;

/**
 * Streams of a venue to their followers. The hub receives each block once, asks every followed stream for its changes,
 * and sends the text to all followers. The message of `blocks` is the last of its height: a client that has it has all
 * earlier ones.
 */
export class SocketHub {
  readonly limits: SocketLimits;
  readonly heartbeatMs: number;
  readonly #services: Services;
  readonly #onError: (error: unknown) => void;
  readonly #messageMost: number | undefined;
  readonly #connections = new Set<Connection>();
  readonly #streams = new Map<string, { stream: Stream; readonly followers: Set<Connection> }>();
  readonly #ends: (() => void)[];
  /** Bytes that may wait for one peer. */
  bufferMost = BUFFER_MOST;
  readonly #resumes: RateBuckets | undefined;
  /** Resolves when the streams have the changes of a large block; undefined while they are up to date. */
  #advancing: Promise<void> | undefined;
  #named = 0;
  #isClosing = false;

  constructor(services: Services, { limits, heartbeatMs = 5_000, messageMost, onError = () => {} }: HubOptions = {}) {
    const { host, config, sessions } = services;
    this.#services = services;
    this.#onError = onError;
    this.#messageMost = messageMost;
    this.heartbeatMs = heartbeatMs;
    this.limits = { ...SOCKET_LIMITS[config.limits], ...limits };
    const { resumes } = this.limits;
    this.#resumes = resumes === undefined ? undefined : new RateBuckets(resumes);
    this.#ends = [
      host.onBlock((entry) => this.#onBlock(entry)),
      host.onEpoch(() => this.#onEpoch()),
      sessions.onEnd((session) => {
        for (const connection of this.#connections) connection.endSession(session.sessionId);
      }),
    ];
  }

  get connections(): number {
    return this.#connections.size;
  }

  /** Bytes that wait for each peer. */
  waiting(): number[] {
    return [...this.#connections].map(({ waiting }) => waiting);
  }

  get streams(): number {
    return this.#streams.size;
  }

  get epoch(): number {
    return this.#services.host.epoch;
  }

  get height(): number {
    return this.#services.host.state.height;
  }

  get needsSession(): boolean {
    return this.#services.config.accountStreams === "session";
  }

  /** Milliseconds of a monotonic clock. */
  elapsed(): number {
    return this.#services.elapsed();
  }

  /**
   * Undefined if streams can be opened now; otherwise resolves when history and streams are those of the newest block.
   */
  whenReady(): Promise<void> | undefined {
    return this.#advancing ?? this.#services.history.preparing;
  }

  /** Adds a peer; undefined if there are too many. */
  connect(peer: Peer): Connection | undefined {
    const { connections, connectionsOfClient } = this.limits;
    if (this.#isClosing || this.#connections.size >= connections) return undefined;
    let own = 0;
    for (const { client } of this.#connections) if (client === peer.client) own++;
    if (own >= connectionsOfClient) return undefined;
    const connection = new Connection(this, peer, `c${++this.#named}`);
    this.#connections.add(connection);
    this.#share();
    return connection;
  }

  /** The carrier calls it every `heartbeatMs`. */
  beat(): void {
    for (const connection of this.#connections) {
      // A snapshot before the block is delivered would carry a wrong height.
      if (this.#advancing === undefined) connection.release();
      connection.heartbeat();
    }
  }

  /** Sends all clients a goodbye and stops listening to the host. */
  close(reason = "the venue stops", reconnectAfterMs = 1_000): void {
    this.#isClosing = true;
    for (const end of this.#ends) end();
    for (const connection of [...this.#connections]) connection.dismiss(reason, reconnectAfterMs);
  }

  welcome(connection: string): object {
    const { subscriptions, messages } = this.limits;
    const { genesis } = this.#services.host;
    return {
      type: "welcome",
      connection,
      network: genesis.network,
      genesisHash: this.#services.host.domain.genesisHash,
      epoch: this.epoch,
      head: this.#head(),
      heartbeatMs: this.heartbeatMs,
      limits: {
        subscriptions,
        messagesPerSecond: messages === undefined ? null : (messages.quota * 1_000) / messages.windowMs,
        messageBytes: CLIENT_MESSAGE_MOST,
      },
    };
  }

  heartbeat(): object {
    return { type: "heartbeat", epoch: this.epoch, head: this.#head() };
  }

  /** @param reader accounts that the messages may be about */
  join(connection: Connection, name: StreamName, reader: Reader): Stream {
    const shared = nameShared(name, reader);
    let followed = this.#streams.get(shared);
    if (followed === undefined) {
      followed = { stream: new Stream(this.#services, name, reader, this.#messageMost), followers: new Set() };
      this.#streams.set(shared, followed);
    }
    followed.followers.add(connection);
    return followed.stream;
  }

  leave(connection: Connection, { shared }: Stream): void {
    const followed = this.#streams.get(shared);
    if (followed === undefined) return;
    followed.followers.delete(connection);
    if (followed.followers.size === 0) this.#streams.delete(shared);
  }

  forget(connection: Connection): void {
    this.#connections.delete(connection);
    this.#share();
  }

  /**
   * Whether a client may receive the messages after a height again. It costs the blocks that it skips, and for a book
   * also its rebuild.
   */
  mayResume(client: string, stream: Stream, seq: number): boolean {
    const weight = Math.max(1, this.height - seq) + stream.costOfPast(seq);
    return this.#resumes?.take(client, weight, this.elapsed()).allowed ?? true;
  }

  /** Whether the chain has the block that a client names; undefined if that is no longer known. */
  isOfChain(position: Position): boolean | undefined {
    return isOfChain(this.#services.host, position);
  }

  /** Hash of a block that is kept. */
  hashAt(height: number): string {
    return hashAt(this.#services.host, height)!;
  }

  findSession(token: string): FoundSession {
    return this.#services.sessions.find(token);
  }

  /** Milliseconds until a session ends at the latest; 0 for one that has ended. */
  sessionLeftMs(sessionId: string): number {
    return this.#services.sessions.leftMs(sessionId);
  }

  /** Resets the idle time of a session. */
  useSession(sessionId: string): void {
    this.#services.sessions.use(sessionId);
  }

  isSessionActive(sessionId: string): boolean {
    return this.#services.sessions.isActive(sessionId);
  }

  hasMarket(name: string): boolean {
    return this.#services.host.state.marketRows.has(name);
  }

  report(error: unknown): void {
    this.#onError(error);
  }

  #share(): void {
    const share = Math.floor(BUFFERS_MOST / Math.max(1, this.#connections.size));
    this.bufferMost = Math.min(BUFFER_MOST, Math.max(SHARE_LEAST, share));
  }

  #onBlock(entry: BlockEntry): Promise<void> | undefined {
    if (this.#streams.size === 0) {
      for (const connection of this.#connections) connection.release();
      return undefined;
    }
    const { history, config } = this.#services;
    if (entry.events.length <= config.history.valuesAtOnce) {
      runToEnd(this.#advance(entry));
      return undefined;
    }
    const advance = async () => {
      await history.prepare();
      await runInSlices(this.#advance(entry));
    };
    this.#advancing = advance().finally(() => {
      this.#advancing = undefined;
    });
    return this.#advancing;
  }

  /** Delivers the changes of a block. Connections may come and go between two slices, subscriptions wait. */
  *#advance(entry: BlockEntry): Slices<void> {
    const changes = yield* collectInSlices([entry], this.#services.history.read());
    let last: (() => void) | undefined;
    for (const { stream, followers } of [...this.#streams.values()]) {
      if (followers.size === 0) continue;
      const text = yield* stream.advance(changes);
      const deliver = () => {
        if (text === undefined) return;
        for (const follower of [...followers]) {
          if (text === TOO_LONG) follower.miss(stream);
          else follower.deliver(stream, text);
        }
      };
      if (stream.name.channel === "blocks") last = deliver;
      else deliver();
      yield;
    }
    // Only now: a book includes this block only after it was advanced. An earlier snapshot would carry a wrong height.
    for (const connection of this.#connections) connection.release();
    last?.();
  }

  #onEpoch(): void {
    const { marketRows } = this.#services.host.state;
    const streams = new Map<string, Stream>();
    for (const [key, followed] of this.#streams) {
      const { market } = followed.stream.name;
      if (market !== undefined && !marketRows.has(market)) {
        this.#streams.delete(key);
        continue;
      }
      followed.stream = new Stream(this.#services, followed.stream.name, followed.stream.reader, this.#messageMost);
      streams.set(key, followed.stream);
    }
    for (const connection of this.#connections) connection.restart(streams);
  }

  #head(): AsOf {
    return viewAsOf(this.#services.host);
  }
}
