import { type Static, Type } from "typebox";
import { addressParam, count, flag, hash, height, marketParam, nullable, text, timeMs, word } from "./common.ts";
import { TX_STATUSES } from "./transactions.ts";

/** When blocks are made. */
export const BLOCK_MODES = ["auto", "interval", "manual", "batch"] as const;
/** How block time passes: with the clock, by a fixed step per block, or by 1 ms per block. */
export const CLOCK_KINDS = ["wall", "step", "frozen"] as const;

/** Longest run of blocks that a single request may mine. */
export const MINED_MOST = 10_000;
export const PATH_PRICES_MOST = 10_000;

const closed = { additionalProperties: false } as const;
const duration = (description: string, least = 0) =>
  Type.Integer({ minimum: least, maximum: 3_155_760_000_000, description: `${description} Milliseconds.` });
const decimalText = (description: string) =>
  Type.String({ pattern: "^(0|[1-9][0-9]{0,11})(\\.[0-9]{0,7}[1-9])?$", description });
const subaccountOrZero = Type.Optional(
  Type.Integer({ minimum: 0, maximum: 0xffff_ffff, description: "Its subaccount; 0 by default." }),
);
const mineFlag = Type.Optional(
  Type.Boolean({
    description: "Whether a block is made for it if none would be by itself; true by default. False leaves it pending.",
  }),
);

export const BlockModeSetting = Type.Object(
  {
    mode: word(BLOCK_MODES, "When blocks are made."),
    everyMs: Type.Optional(duration("With `interval`: time between blocks.", 1)),
    size: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 5_000, description: "With `batch`: transactions that make a block." }),
    ),
  },
  { ...closed, $id: "BlockModeSetting" },
);
export type BlockModeSetting = Static<typeof BlockModeSetting>;

export const ClockSetting = Type.Object(
  {
    kind: word(CLOCK_KINDS, "How block time passes; it continues from the head's time."),
    speed: Type.Optional(
      Type.Union(
        [
          Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 }),
          // Bodies of requests have whole numbers alone, so a fraction is text there.
          Type.String({ pattern: "^(0|[1-9][0-9]{0,5})\\.[0-9]{0,5}[1-9]$" }),
        ],
        { description: 'With `wall`: speed; 1 by default. In a request a fraction is text: `"0.5"`.' },
      ),
    ),
    stepMs: Type.Optional(duration("With `step`: time that every block adds.", 1)),
  },
  { ...closed, $id: "ClockSetting" },
);
export type ClockSetting = Static<typeof ClockSetting>;

export const SnapshotInfo = Type.Object(
  { name: text("Its name."), height: height("Its height.") },
  { $id: "SnapshotInfo" },
);
export type SnapshotInfo = Static<typeof SnapshotInfo>;

export const DevnetStatus = Type.Object(
  {
    blocks: BlockModeSetting,
    clock: ClockSetting,
    nextBlockTimeMs: timeMs("Time that the next block would have if it were made now."),
    pending: count("Transactions that wait."),
    epoch: count("How often the chain was replaced."),
    snapshots: Type.Array(SnapshotInfo, { description: "Kept heights, in the order in which they were taken." }),
  },
  { $id: "DevnetStatus", description: "How a development venue is set." },
);
export type DevnetStatus = Static<typeof DevnetStatus>;

export const Mined = Type.Object(
  { fromHeight: height("First block that was made."), toHeight: height("Last block that was made.") },
  { $id: "Mined" },
);

/** Result of a system transaction that control had signed. */
export const Poked = Type.Object(
  {
    txId: hash("The system transaction by which it was done."),
    status: word(TX_STATUSES, "`committed`; `pending` if the request asked for no block."),
    height: nullable(height("Its block; null while it waits.")),
  },
  { $id: "Poked", description: "A system transaction that was submitted; it is in the log like every other." },
);
export type Poked = Static<typeof Poked>;

export const MineRequest = Type.Object(
  {
    blocks: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MINED_MOST,
        description: "How many; 1 by default. The first take what is pending.",
      }),
    ),
    stepMs: Type.Optional(duration("Block time between two of them; as the clock is set by default.", 1)),
  },
  { ...closed, $id: "MineRequest" },
);

export const TimeRequest = Type.Object(
  {
    advanceMs: Type.Optional(duration("By how much the next block is later than it would be.")),
    toMs: Type.Optional(duration("Time of the next block, since 1970; not before the head's.")),
    toNextFunding: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: "Market whose funding interval ends at the wanted time.",
      }),
    ),
    mine: Type.Optional(Type.Boolean({ description: "Whether a block of that time is made now; true by default." })),
  },
  { ...closed, $id: "TimeRequest", description: "One of `advanceMs`, `toMs` and `toNextFunding`." },
);
export const Moved = Type.Object(
  { timeMs: timeMs("Time of the head, or of the next block where none was made.") },
  { $id: "Moved" },
);

export const OracleRequest = Type.Object(
  {
    market: marketParam,
    price: Type.Optional(decimalText("What the oracle reports, USD per unit of base.")),
    path: Type.Optional(
      Type.Array(decimalText("USD per unit of base."), {
        minItems: 1,
        maxItems: PATH_PRICES_MOST,
        description: "Reports one after another, each in a block of its own.",
      }),
    ),
    stepMs: Type.Optional(duration("Of a path: block time between two reports; as the clock is set by default.", 1)),
    mine: mineFlag,
  },
  {
    ...closed,
    $id: "OracleRequest",
    description: "One of `price` and `path`. The venue's own rules hold: index and mark move as far as they allow.",
  },
);

export const PriceRequest = Type.Object(
  { market: marketParam, price: decimalText("Oracle price, index and mark, USD per unit of base."), mine: mineFlag },
  { ...closed, $id: "PriceRequest" },
);

export const StalenessRequest = Type.Object(
  {
    market: marketParam,
    afterMs: duration("Age at which its oracle price is stale; 0 for never."),
    mine: mineFlag,
  },
  { ...closed, $id: "StalenessRequest" },
);

export const CollateralRequest = Type.Object(
  {
    account: addressParam("Account; it is created if it does not exist."),
    subaccount: subaccountOrZero,
    amount: Type.String({
      pattern: "^(0|[1-9][0-9]{0,11})(\\.[0-9]{0,5}[1-9])?$",
      description: "Cross collateral that it has then, USD.",
    }),
    mine: mineFlag,
  },
  { ...closed, $id: "CollateralRequest" },
);

export const PositionRequest = Type.Object(
  {
    account: addressParam("Account; it exists, and has the margin."),
    subaccount: subaccountOrZero,
    market: marketParam,
    size: Type.String({
      pattern: "^-?(0|[1-9][0-9]{0,11})(\\.[0-9]{0,7}[1-9])?$",
      description: "Position that it has then, units of base; negative is short.",
    }),
    price: Type.Optional(
      decimalText("Price of the trade, within the spread; the mark by default. USD per unit of base."),
    ),
  },
  { ...closed, $id: "PositionRequest" },
);

const payload = Type.Unsafe<Record<string, unknown>>(
  Type.Object({}, { additionalProperties: true, description: "Its payload; what is left out is absent." }),
);

export const ImpersonateRequest = Type.Object(
  {
    account: addressParam("Account that acts."),
    subaccount: subaccountOrZero,
    action: Type.String({ maxLength: 64, description: "Name of the action; one that users sign." }),
    payload: Type.Optional(payload),
    mine: mineFlag,
  },
  { ...closed, $id: "ImpersonateRequest" },
);

export const SystemRequest = Type.Object(
  {
    action: Type.String({ maxLength: 64, description: "Name of the action; one that an authority signs." }),
    payload: Type.Optional(payload),
    mine: mineFlag,
  },
  { ...closed, $id: "SystemRequest" },
);

export const SnapshotRequest = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        pattern: "^[\\w.-]{1,64}$",
        description: "Its name; a number by default. A known one moves here.",
      }),
    ),
  },
  { ...closed, $id: "SnapshotRequest" },
);

export const RevertRequest = Type.Object(
  {
    to: Type.Union([Type.String({ maxLength: 64 }), Type.Integer({ minimum: 0 })], {
      description: "Name of a snapshot, or a height whose blocks are kept.",
    }),
  },
  { ...closed, $id: "RevertRequest" },
);
export const Reverted = Type.Object(
  { height: height("Height of the head."), epoch: count("Number of the chain; streams start again with a snapshot.") },
  { $id: "Reverted" },
);

export const Dropped = Type.Object(
  { txId: hash("The transaction."), dropped: flag("It was pending, and ended.") },
  { $id: "Dropped" },
);

/** Longest dump that control takes: in JSON, as Base64. */
export const LOAD_BODY_MOST = 1 << 28;
const dumpText = (description: string) => Type.String({ pattern: "^[A-Za-z0-9+/]*={0,2}$", description });

export const VenueDump = Type.Object(
  {
    dump: dumpText("The file that `perplab devnet --state` takes, in Base64."),
    network: text("Name of its network."),
    genesisHash: hash("Hash of its genesis; only a venue with the same genesis loads it."),
    height: height("Its height."),
    stateRoot: hash("Root of its state."),
  },
  { $id: "VenueDump", description: "A whole venue as it is, without what is pending." },
);
export type VenueDump = Static<typeof VenueDump>;

export const LoadRequest = Type.Object(
  { dump: dumpText("A dump from `GET /devnet/dump`, or a file of `perplab devnet --state`, in Base64.") },
  { ...closed, $id: "LoadRequest" },
);
