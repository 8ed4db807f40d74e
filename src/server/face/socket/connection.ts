import { nameStream, type StreamName } from "../../../client/api/socket/channels.ts";
import { CLOSE_CODES, type ClientMessage, SOCKET_ERRORS } from "../../../client/api/socket/messages.ts";
import { RateBuckets } from "../limits/bucket.ts";
import { ProblemError } from "../problems/problems.ts";
import { Reader } from "../services/access.ts";
import type { Session } from "../session/sessions.ts";
import type { SocketHub } from "./hub.ts";
import { MessageQueue } from "./messageQueue.ts";
import type { Peer } from "./peer.ts";
import { readMessage, SocketRefusal } from "./readMessage.ts";
import { readStreamName } from "./readStreamName.ts";
import { isAboutAccounts } from "./sources.ts";
import type { Stream } from "./stream.ts";

/** Bytes that may wait for a peer before its streams are paused; less if there are many peers. */
export const BUFFER_MOST = 1 << 20;
/** Unreadable messages in a minute after which the connection is closed. */
const FAULTS_MOST = 10;
/** Time before its end at which a session's expiry is announced. */
const EXPIRY_NOTICE_MS = 60_000;

/** A stream that a connection follows. */
interface Followed {
  stream: Stream;
  /** The session that opened it, and whose end ends it. Undefined if it needed none. */
  readonly sessionId: string | undefined;
}

/** One client: its streams, its session, and its waiting messages. */
export class Connection {
  readonly name: string;
  readonly #hub: SocketHub;
  readonly #peer: Peer;
  readonly #streams = new Map<string, Followed>();
  /** Paused state streams, which restart with a snapshot once the peer has caught up. */
  readonly #held = new Set<string>();
  readonly #messages: RateBuckets | undefined;
  readonly #faults = new RateBuckets({ name: "faults", quota: FAULTS_MOST, windowMs: 60_000 });
  #session: Session | undefined;
  readonly #queue: MessageQueue;
  #isNoticed = false;
  #isOpen = true;

  constructor(hub: SocketHub, peer: Peer, name: string) {
    this.#hub = hub;
    this.#peer = peer;
    this.name = name;
    const { messages } = hub.limits;
    this.#messages = messages === undefined ? undefined : new RateBuckets(messages);
    this.#queue = new MessageQueue(hub, (message) => this.#answer(message));
    this.#send(hub.welcome(name));
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Bytes that wait for the peer. */
  get waiting(): number {
    return this.#peer.buffered;
  }

  get client(): string {
    return this.#peer.client;
  }

  /** Handles a client's message. It never throws. */
  receive(text: string): void {
    if (!this.#isOpen) return;
    try {
      const allowance = this.#messages?.take("", 1, this.#hub.elapsed());
      if (this.#peer.buffered > this.#hub.bufferMost) {
        // Answers are not paused: a client that sends and does not read is cut off.
        this.#cut();
        return;
      }
      if (allowance !== undefined && !allowance.allowed) {
        throw new SocketRefusal("RATE_LIMITED", "Too many messages; wait, then send again.", {
          retryAfterMs: allowance.retryAfterMs,
        });
      }
      this.#queue.add(readMessage(text));
    } catch (error) {
      this.#refuse(error, undefined);
    }
  }

  #answer(message: ClientMessage): void {
    if (!this.#isOpen) return;
    try {
      this.#carryOut(message);
    } catch (error) {
      this.#refuse(error, message.id);
    }
  }

  /** A message of a stream that this client follows. */
  deliver(stream: Stream, text: string): void {
    if (!this.#isOpen || this.#held.has(stream.key)) return;
    const sessionId = this.#streams.get(stream.key)?.sessionId;
    // Expiry is checked here as well, so that no message follows the end of a session.
    if (sessionId !== undefined && !this.#hub.isSessionActive(sessionId)) {
      this.endSession(sessionId);
      return;
    }
    if (this.#peer.buffered <= this.#hub.bufferMost) this.#send(text);
    else this.miss(stream);
  }

  /**
   * A message of a stream cannot be sent: a public state restarts with a snapshot, other streams end with the
   * connection.
   */
  miss(stream: Stream): void {
    if (!this.#isOpen || this.#held.has(stream.key)) return;
    if (stream.kind === "state" && !stream.isAccount) this.#held.add(stream.key);
    else this.#cut();
  }

  /** Restarts paused streams, if the peer has caught up. */
  release(): void {
    const { bufferMost } = this.#hub;
    if (this.#held.size === 0 || this.#peer.buffered > bufferMost / 2) return;
    for (const key of this.#held) {
      const stream = this.#streams.get(key)?.stream;
      if (stream === undefined) continue;
      this.#send({ type: "resync", stream: key, epoch: this.#hub.epoch, reason: "SLOW_CONSUMER" });
      this.#send(stream.snapshot());
      if (this.#peer.buffered > bufferMost) break;
      this.#held.delete(key);
    }
  }

  heartbeat(): void {
    const streams = Object.fromEntries([...this.#streams].map(([key, { stream }]) => [key, stream.lastSeq]));
    if (this.#peer.buffered <= this.#hub.bufferMost) this.#send({ ...this.#hub.heartbeat(), streams });
    for (const sessionId of this.#sessionIds()) {
      if (!this.#hub.isSessionActive(sessionId)) this.endSession(sessionId);
    }
    // A session is in use while streams that it opened are delivered.
    for (const { sessionId } of this.#streams.values()) if (sessionId !== undefined) this.#hub.useSession(sessionId);
    const session = this.#session;
    if (session === undefined) return;
    if (!this.#isNoticed && this.#hub.sessionLeftMs(session.sessionId) <= EXPIRY_NOTICE_MS) {
      this.#isNoticed = true;
      this.#send({ type: "authExpiring", expiresAtMs: session.expiresAtMs });
    }
  }

  /** Ends the streams that a session opened, even if another session was proved since. */
  endSession(sessionId: string): void {
    const own = [...this.#streams].filter(([, followed]) => followed.sessionId === sessionId);
    const isCurrent = this.#session?.sessionId === sessionId;
    if (isCurrent) this.#session = undefined;
    if (own.length === 0 && !(isCurrent && this.#hub.needsSession)) return;
    const message = "The session has ended, and its subscriptions with it; prove another one with `auth`.";
    this.#send({ type: "error", code: "AUTH_EXPIRED", message, fatal: false });
    for (const [key] of own) this.#leave(key, undefined);
  }

  /** Sessions that this connection depends on: the last one proved, and those that opened its streams. */
  #sessionIds(): Set<string> {
    const ids = new Set<string>();
    if (this.#session !== undefined) ids.add(this.#session.sessionId);
    for (const { sessionId } of this.#streams.values()) if (sessionId !== undefined) ids.add(sessionId);
    return ids;
  }

  /** The chain was replaced: every stream restarts. */
  restart(streams: ReadonlyMap<string, Stream>): void {
    this.#send({ type: "resync", epoch: this.#hub.epoch, reason: "EPOCH_CHANGED" });
    this.#held.clear();
    for (const [key, followed] of [...this.#streams]) {
      const stream = streams.get(followed.stream.shared);
      if (stream === undefined) {
        this.#streams.delete(key);
        this.#send({ type: "unsubscribed", stream: key });
        continue;
      }
      followed.stream = stream;
      this.#send(stream.snapshot());
    }
  }

  /** Sends a goodbye and closes. */
  dismiss(reason: string, reconnectAfterMs: number): void {
    this.#send({ type: "goodbye", reason, reconnectAfterMs });
    this.close(CLOSE_CODES.restarting, reason);
  }

  close(code: number, reason: string): void {
    if (!this.#isOpen) return;
    this.#peer.close(code, reason);
    this.closed();
  }

  /** The peer has disconnected. */
  closed(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const { stream } of this.#streams.values()) this.#hub.leave(this, stream);
    this.#streams.clear();
    this.#hub.forget(this);
  }

  /** Disconnects a peer that does not read. */
  #cut(): void {
    const message = "Messages were not read fast enough; connect again and resume.";
    this.#send({ type: "error", code: "SLOW_CONSUMER", message, fatal: true });
    this.close(CLOSE_CODES.slow, "slow consumer");
  }

  #carryOut(message: ClientMessage): void {
    const { id } = message;
    switch (message.op) {
      case "ping":
        this.#send({ type: "pong", id, ...(message.t === undefined ? {} : { t: message.t }) });
        break;
      case "list": {
        const subscriptions = [...this.#streams].map(([key, { stream }]) => ({
          stream: key,
          ...stream.name,
          seq: stream.lastSeq,
        }));
        this.#send({ type: "listed", id, subscriptions });
        break;
      }
      case "auth": {
        const found = this.#hub.findSession(message.token);
        if (typeof found === "string") {
          const code = found === "unknown" ? "AUTH_INVALID" : "AUTH_EXPIRED";
          throw new SocketRefusal(code, "No active session has this token; open a new one.");
        }
        this.#session = found;
        this.#isNoticed = false;
        this.#send({ type: "authenticated", id, address: found.address, expiresAtMs: found.expiresAtMs });
        break;
      }
      case "unsubscribe":
        if (!this.#streams.has(message.stream)) {
          throw new SocketRefusal("INVALID_CHANNEL", "This connection does not follow that stream.");
        }
        this.#leave(message.stream, id);
        break;
      case "subscribe":
        this.#subscribe(message);
        break;
    }
  }

  #subscribe(message: Extract<ClientMessage, { readonly op: "subscribe" }>): void {
    const { id, resume, snapshot = true } = message;
    const name = readStreamName(message, (market) => this.#hub.hasMarket(market));
    const key = nameStream(name);
    const most = this.#hub.limits.subscriptions;
    if (this.#streams.has(key)) throw new SocketRefusal("INVALID_CHANNEL", "This connection follows that stream.");
    if (this.#streams.size >= most) {
      throw new SocketRefusal("SUBSCRIPTION_LIMIT", `A connection follows at most ${most} streams.`);
    }
    const { epoch } = this.#hub;
    const session = this.#sessionFor(name);
    const reader = this.#hub.needsSession ? Reader.of(session?.address) : Reader.unlimited;
    const stream = this.#hub.join(this, name, reader);
    let missed: readonly string[] | undefined;
    if (resume !== undefined) {
      try {
        const isOfChain = this.#hub.isOfChain(resume);
        if (isOfChain === false) throw new SocketRefusal("CHAIN_CHANGED", SOCKET_ERRORS.CHAIN_CHANGED);
        const may = isOfChain === true && this.#hub.mayResume(this.client, stream, resume.seq);
        missed = may ? stream.resume(resume.seq) : undefined;
      } finally {
        if (missed === undefined) this.#hub.leave(this, stream);
      }
      if (missed === undefined) {
        throw new SocketRefusal(
          "RESUME_UNAVAILABLE",
          "The missed messages are no longer kept; subscribe without `resume`.",
        );
      }
    }
    this.#streams.set(key, { stream, sessionId: session?.sessionId });
    const seq = resume?.seq ?? this.#hub.height;
    const hash = resume?.hash ?? this.#hub.hashAt(seq);
    this.#send({ type: "subscribed", id, stream: key, ...name, epoch, seq, hash, resumed: missed !== undefined });
    if (missed !== undefined) for (const text of missed) this.#send(text);
    else if (snapshot) this.#send(stream.snapshot());
  }

  /**
   * The session that opens a stream; undefined for a stream that needs none.
   *
   * @throws {SocketRefusal} AUTH_REQUIRED, AUTH_EXPIRED
   */
  #sessionFor({ channel, address }: StreamName): Session | undefined {
    if (!this.#hub.needsSession) return undefined;
    const session = this.#session;
    if (address === undefined && (session === undefined || !isAboutAccounts(channel))) return undefined;
    if (session === undefined) {
      throw new SocketRefusal(
        "AUTH_REQUIRED",
        "Channels of accounts need a session: send `auth` with its token first.",
      );
    }
    if (address !== undefined && session.address !== address) {
      throw new SocketRefusal("AUTH_REQUIRED", "The session belongs to another address.");
    }
    if (!this.#hub.isSessionActive(session.sessionId)) {
      throw new SocketRefusal("AUTH_EXPIRED", "The session has ended; prove another one with `auth`.");
    }
    return session;
  }

  #leave(key: string, id: string | number | undefined): void {
    const followed = this.#streams.get(key);
    this.#streams.delete(key);
    this.#held.delete(key);
    if (followed !== undefined) this.#hub.leave(this, followed.stream);
    this.#send({ type: "unsubscribed", ...(id === undefined ? {} : { id }), stream: key });
  }

  #refuse(error: unknown, id: string | number | undefined): void {
    const known =
      error instanceof SocketRefusal
        ? error
        : error instanceof ProblemError
          ? new SocketRefusal("INVALID_MESSAGE", error.message)
          : undefined;
    if (known === undefined) this.#hub.report(error);
    const { code, message, retryAfterMs } = known ?? { code: "INTERNAL_ERROR", message: "The service failed." };
    const isFault = code === "INVALID_MESSAGE" || code === "RATE_LIMITED";
    const fatal = isFault && !this.#faults.take(code, 1, this.#hub.elapsed()).allowed;
    const named = id ?? known?.id;
    const more = {
      ...(named === undefined ? {} : { id: named }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    };
    this.#send({ type: "error", ...more, code, message, fatal });
    if (fatal) this.close(code === "RATE_LIMITED" ? CLOSE_CODES.limited : CLOSE_CODES.invalid, code);
  }

  #send(message: string | object): void {
    if (this.#isOpen) this.#peer.send(typeof message === "string" ? message : JSON.stringify(message));
  }
}
