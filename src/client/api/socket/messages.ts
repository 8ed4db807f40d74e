import { type Static, type TSchema, Type } from "typebox";
import { count, flag, hash, height, nullable, text, timeMs, word } from "../schemas/common.ts";

/**
 * Messages of `/ws/v1`: JSON texts, one per frame. `op` names a client's operation, `type` a message of the venue.
 * Every answer to an operation carries its `id`.
 */

/** Classes of errors of the stream. Stable; clients match on them. */
export const SOCKET_ERRORS = {
  INVALID_MESSAGE: "Not JSON, or not a known operation with its required members.",
  INVALID_CHANNEL: "There is no such channel, market or account.",
  AUTH_REQUIRED: "The channel needs a session; send `auth` first.",
  AUTH_INVALID: "No session has this token.",
  AUTH_EXPIRED: "The session has ended; its subscriptions with it.",
  RATE_LIMITED: "Too many messages.",
  SUBSCRIPTION_LIMIT: "Too many subscriptions of the connection.",
  RESUME_UNAVAILABLE: "The missed messages are no longer kept; subscribe without `resume`.",
  CHAIN_CHANGED:
    "The block that `resume` names is not in this chain: drop all received state, then subscribe without `resume`.",
  SLOW_CONSUMER: "Messages were not read fast enough.",
  SERVICE_UNAVAILABLE: "The venue cannot serve this now.",
  INTERNAL_ERROR: "The service failed.",
} as const;
export type SocketErrorCode = keyof typeof SOCKET_ERRORS;
export const SOCKET_ERROR_CODES = Object.keys(SOCKET_ERRORS) as readonly SocketErrorCode[];

/** Codes with which the venue closes a connection, in addition to those of RFC 6455. */
export const CLOSE_CODES = {
  idle: 1001,
  tooBig: 1009,
  failed: 1011,
  restarting: 1012,
  invalid: 4400,
  unauthorized: 4401,
  slow: 4408,
  limited: 4429,
} as const;

/** Longest message of a client, in bytes. */
export const CLIENT_MESSAGE_MOST = 65_536;

/** How a client names an operation. */
export const requestId = Type.Union([Type.String({ maxLength: 64 }), Type.Integer({ minimum: 0 })], {
  description: "The client's own name for the operation; the answer carries it.",
});
const stream = Type.String({
  maxLength: 160,
  description: "Name of the stream, the same for all clients: `book/BTC-PERP/50`, `orders/0x…`.",
});

/** Names a stream: its channel, and its market or account. Members that the channel does not need are left out. */
const streamFields = {
  channel: Type.String({ maxLength: 64, description: "Name of the channel." }),
  market: Type.Optional(Type.String({ maxLength: 64, description: "Name of a market." })),
  address: Type.Optional(Type.String({ maxLength: 42, description: "Address of an account." })),
  depth: Type.Optional(
    Type.Union([Type.Literal(10), Type.Literal(50), Type.Literal("full")], {
      description: "Levels of each side of a book. Default: 50.",
    }),
  ),
};

const closed = { additionalProperties: false };

export const clientOperations = {
  subscribe: Type.Object(
    {
      op: Type.Literal("subscribe"),
      id: requestId,
      ...streamFields,
      snapshot: Type.Optional(Type.Boolean({ description: "Whether a snapshot comes first. Default: true." })),
      resume: Type.Optional(
        Type.Object(
          {
            epoch: Type.Integer({ minimum: 0, description: "`epoch` of the last message that was handled." }),
            seq: Type.Integer({ minimum: 0, description: "Its `seq`." }),
            hash: Type.String({ pattern: "^0x[0-9a-f]{64}$", description: "Its `hash`." }),
          },
          {
            ...closed,
            description:
              "Resume after this message, without a snapshot. It names a block; a chain without that block refuses " +
              "it with `CHAIN_CHANGED`. It costs the client's allowance of resumes: one for each block skipped and, " +
              "for a book, for its levels and their changes since.",
          },
        ),
      ),
    },
    { ...closed, $id: "Subscribe", description: "Follow a stream." },
  ),
  unsubscribe: Type.Object(
    { op: Type.Literal("unsubscribe"), id: requestId, stream },
    { ...closed, $id: "Unsubscribe", description: "Leave a stream." },
  ),
  auth: Type.Object(
    {
      op: Type.Literal("auth"),
      id: requestId,
      token: Type.String({ minLength: 1, maxLength: 256, description: "Token of a wallet session." }),
    },
    {
      ...closed,
      $id: "Auth",
      description:
        "Prove a session, for channels of its account. A subscription belongs to the session that opened it and ends " +
        "with that session, whatever is proved later.",
    },
  ),
  ping: Type.Object(
    {
      op: Type.Literal("ping"),
      id: requestId,
      t: Type.Optional(Type.Integer({ minimum: 0, description: "Returned unchanged in the answer." })),
    },
    { ...closed, $id: "Ping", description: "Ask for an answer, to check the connection." },
  ),
  list: Type.Object(
    { op: Type.Literal("list"), id: requestId },
    { ...closed, $id: "List", description: "Ask what is subscribed." },
  ),
} as const;
export type Operation = keyof typeof clientOperations;
export type ClientMessage = { [O in Operation]: Static<(typeof clientOperations)[O]> }[Operation];

const blockHash = hash("Head of the effects chain after that block (DET-2): what a `resume` from here names.");
const Head = Type.Object({
  height: height("Height of the head."),
  timeMs: timeMs("Its block time."),
  hash: hash("Head of the effects chain there (DET-2)."),
});
const seq = height("Height of the block that the message belongs to; rises along a stream of an epoch.");
const epoch = count("Rises when the chain is replaced: by a revert, a load or a reset.");

const SubscriptionView = Type.Object({ stream, ...streamFields, seq });

export const serverMessages = {
  welcome: Type.Object(
    {
      type: Type.Literal("welcome"),
      connection: text("Name of the connection, as in the log."),
      network: text("Name of the network."),
      genesisHash: hash(
        "Identifies the network; after a reconnect, another one means that all state is to be dropped.",
      ),
      epoch,
      head: Head,
      heartbeatMs: count("Time between heartbeats."),
      limits: Type.Object({
        subscriptions: nullable(count("Most subscriptions of the connection; null for no limit.")),
        messagesPerSecond: nullable(count("Messages a second that are taken; null for no limit.")),
        messageBytes: count("Longest message that is taken."),
      }),
    },
    { $id: "Welcome", description: "First message of a connection." },
  ),
  subscribed: Type.Object(
    {
      type: Type.Literal("subscribed"),
      id: requestId,
      stream,
      ...streamFields,
      epoch,
      seq,
      hash: blockHash,
      resumed: flag(
        "Whether it continues after the message in `resume`. If so, the missed messages follow as deltas, without a " +
          "snapshot.",
      ),
    },
    { $id: "Subscribed", description: "A stream is followed." },
  ),
  unsubscribed: Type.Object(
    { type: Type.Literal("unsubscribed"), id: Type.Optional(requestId), stream },
    {
      $id: "Unsubscribed",
      description:
        "A stream was left. Without an `id` the venue ended it: the session that opened it has ended, or the market " +
        "is gone.",
    },
  ),
  authenticated: Type.Object(
    {
      type: Type.Literal("authenticated"),
      id: requestId,
      address: text("Account of the session."),
      expiresAtMs: timeMs("When the session ends."),
    },
    { $id: "Authenticated" },
  ),
  authExpiring: Type.Object(
    { type: Type.Literal("authExpiring"), expiresAtMs: timeMs("When the session ends.") },
    { $id: "AuthExpiring", description: "The session ends soon; prove another one." },
  ),
  pong: Type.Object(
    { type: Type.Literal("pong"), id: requestId, t: Type.Optional(Type.Integer({ minimum: 0 })) },
    { $id: "Pong" },
  ),
  listed: Type.Object(
    { type: Type.Literal("listed"), id: requestId, subscriptions: Type.Array(SubscriptionView) },
    { $id: "Listed" },
  ),
  heartbeat: Type.Object(
    {
      type: Type.Literal("heartbeat"),
      epoch,
      head: Head,
      streams: Type.Record(Type.String(), seq, {
        description: "Last `seq` of each subscribed stream: shows a gap at the end of a stream.",
      }),
    },
    { $id: "Heartbeat" },
  ),
  resync: Type.Object(
    {
      type: Type.Literal("resync"),
      stream: Type.Optional(stream),
      epoch,
      reason: word(["EPOCH_CHANGED", "SLOW_CONSUMER"], "Why the received state is no longer valid."),
    },
    { $id: "Resync", description: "Drop the received state; a snapshot follows for each subscription concerned." },
  ),
  error: Type.Object(
    {
      type: Type.Literal("error"),
      id: Type.Optional(requestId),
      stream: Type.Optional(stream),
      code: word(SOCKET_ERROR_CODES, "Stable code."),
      message: text("What is wrong, and what to do."),
      retryAfterMs: Type.Optional(count("Milliseconds to wait before trying again.")),
      fatal: flag("Whether the connection is closed after it."),
    },
    { $id: "SocketError", description: "Something went wrong." },
  ),
  goodbye: Type.Object(
    {
      type: Type.Literal("goodbye"),
      reason: text("Why the venue closes the connection."),
      reconnectAfterMs: count("Milliseconds to wait before connecting again."),
    },
    { $id: "Goodbye" },
  ),
} as const;

/** The two messages of a channel, around its own data. */
export function snapshotOf<S extends TSchema>(data: S, name: string) {
  return Type.Object(
    {
      type: Type.Literal("snapshot"),
      stream,
      channel: Type.String(),
      epoch,
      seq,
      hash: blockHash,
      timeMs: timeMs("Time of that block."),
      data,
      checksum: Type.Optional(count("Of a book: CRC-32 over its ten best levels.")),
    },
    { $id: `${name}Snapshot`, description: "The stream as it is; deltas with a greater `seq` follow." },
  );
}

export function deltaOf<S extends TSchema>(data: S, name: string) {
  return Type.Object(
    {
      type: Type.Literal("delta"),
      channel: Type.String(),
      stream,
      epoch,
      seq,
      hash: blockHash,
      prevSeq: height("`seq` of the stream's message before. Greater than the last one handled: something is missing."),
      timeMs: timeMs("Time of that block."),
      data,
      checksum: Type.Optional(count("Of a book after the delta: CRC-32 over its ten best levels.")),
    },
    { $id: `${name}Delta`, description: "What a block changed. At most one a block and stream." },
  );
}
