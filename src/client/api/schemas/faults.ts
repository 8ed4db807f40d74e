import { type Static, Type } from "typebox";
import { count, text, word } from "./common.ts";

/** Faults of a request, in the order in which a request meets them. */
export const REQUEST_FAULTS = [
  /** Its arrival is delayed. */
  "latency",
  /** The connection breaks before it arrives. */
  "reset",
  /** 429; it is not carried out. */
  "limited",
  /** 503 with `maybeSubmitted: false`; it is not carried out. */
  "unavailable",
  /** 503 with `maybeSubmitted: true`; it is not carried out. */
  "unavailableMaybe",
  /** 503 with `maybeSubmitted: true`; it is carried out. */
  "unavailableAfter",
  /** It is carried out, and a proxy answers 502 with a body of its own. */
  "gateway",
  /** It is carried out, and the connection breaks before the answer. */
  "lost",
  /** It is carried out, and its answer is delayed. */
  "late",
] as const;
export type RequestFault = (typeof REQUEST_FAULTS)[number];

/** Faults of a stream message. */
export const STREAM_FAULTS = [
  /** The connection breaks. */
  "streamDrop",
  /** The message is left out. */
  "streamGap",
  /** The message comes twice. */
  "streamDuplicate",
  /** The message comes after the next one. */
  "streamReorder",
  /** The message carries a wrong checksum; only for channels with checksums. */
  "streamChecksum",
  /** The client reads nothing for a while, until its queue is too long. */
  "streamStall",
] as const;

/** Faults of a store's disk. */
export const DISK_FAULTS = [
  /** The disk is full: half of the bytes of a write are stored. */
  "diskFull",
  /** `fdatasync` of written bytes fails. */
  "syncFailure",
] as const;
export type DiskFault = (typeof DISK_FAULTS)[number];

/** Files of a store: the log of transactions and blocks, and the saved states. */
export const STORE_FILES = ["log", "state"] as const;
export type StoreFileKind = (typeof STORE_FILES)[number];

export const FAULT_KINDS = [
  ...REQUEST_FAULTS,
  ...STREAM_FAULTS,
  ...DISK_FAULTS,
  /** The server's clock is wrong: reported times, sessions and limits; not block time. */
  "clockSkew",
  /** The process is killed at a point of the store (`point`), as by a power cut. */
  "crash",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** Points at which a test or a devnet stops the service, in the order in which a transaction passes them. */
export const FAULT_POINTS = [
  /** Before the group is written. */
  "beforeWrite",
  /** The group is written and not durable. */
  "afterWrite",
  /** The group is durable, and no client has its answer. */
  "afterSync",
  /** Its transactions were answered, its block is not applied. */
  "afterAnswer",
  /** The block was applied, and its result is written. */
  "afterApply",
  /** A state is written under a temporary name. */
  "beforeSnapshotRename",
  /** A state has its final name. */
  "afterSnapshot",
] as const;
export type FaultPoint = (typeof FAULT_POINTS)[number];

export const FaultRequest = Type.Object(
  {
    kind: word(FAULT_KINDS, "What goes wrong."),
    operation: Type.Optional(
      Type.String({ maxLength: 64, description: "Only requests of this operation id; every request by default." }),
    ),
    channel: Type.Optional(
      Type.String({ maxLength: 64, description: "Only messages of streams of this channel; every delta by default." }),
    ),
    point: Type.Optional(word(FAULT_POINTS, "Of `crash`: where.")),
    file: Type.Optional(
      word(STORE_FILES, "Of `diskFull` and `syncFailure`: only of these files of the store; every file by default."),
    ),
    skip: Type.Optional(Type.Integer({ minimum: 0, description: "How many it lets pass first; 0 by default." })),
    times: Type.Optional(Type.Integer({ minimum: 1, description: "How often it strikes; without end by default." })),
    probability: Type.Optional(
      Type.Union(
        [
          Type.Number({ minimum: 0, maximum: 1 }),
          // Bodies of requests have whole numbers alone, so a fraction is text there.
          Type.String({ pattern: "^(0|1|0\\.[0-9]{0,8}[1-9])$" }),
        ],
        { description: 'Of striking, drawn by the seed; 1 by default. In a request a fraction is text: `"0.5"`.' },
      ),
    ),
    seed: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 0xffff_ffff, description: "Of what is drawn; 0 by default." }),
    ),
    ms: Type.Optional(
      Type.Integer({
        minimum: -86_400_000,
        maximum: 86_400_000,
        description:
          "Of `latency`, `late` and `streamStall`: how long. Of `clockSkew`: how far, negative for late. Of 429 and 503: after how long to come again.",
      }),
    ),
    jitterMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 600_000,
        description: "Of `latency` and `late`: up to so much more, drawn.",
      }),
    ),
  },
  { additionalProperties: false, $id: "FaultRequest" },
);
export type FaultRequest = Static<typeof FaultRequest>;

export const Fault = Type.Object(
  {
    id: text("Its id."),
    rule: FaultRequest,
    met: count("Requests, messages, writes or points that it was about."),
    struck: count("How often it struck."),
  },
  { $id: "Fault", description: "Something that goes wrong on purpose." },
);
export type Fault = Static<typeof Fault>;
