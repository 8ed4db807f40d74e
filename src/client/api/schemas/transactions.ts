import { type Static, Type } from "typebox";
import { ACTION_NAMES } from "../../../protocol/actions/index.ts";
import { ORDER_OUTCOMES } from "../../../protocol/receipt.ts";
import { count, flag, hash, height, id, nullable, size, text, timeMs, word } from "./common.ts";
import { Payload, TxHeader } from "./signedTransaction.ts";

/** States of a transaction. Only `committed` is in a block. */
export const TX_STATUSES = ["pending", "committed", "expired", "replaced", "dropped"] as const;

/** Outcomes of a committed transaction. */
export const TX_OUTCOMES = ["applied", "rejected"] as const;

/** Whether a committed outcome can change. */
export const FINALITIES = ["final", "revertible"] as const;

/** Next step of a client (retry matrix). */
export const NEXT_ACTIONS = ["none", "wait", "resync", "resign"] as const;

const status = word(
  TX_STATUSES,
  "`pending` waits for a block. `expired`, `replaced` and `dropped` never commit; their nonce was not used by them.",
);
const code = nullable(text("Why it was not applied (docs/reference/rejections.md), or `EVICTED`; null where it was."));
const meaning = nullable(text("The code in words."));
const numbers = nullable(
  Type.Record(Type.String(), Type.String(), {
    description: "The numbers that the rejection compared, by name, as decimals in the units of traders.",
  }),
);

export const ActionResult = Type.Object(
  {
    orderId: nullable(id("The order, or intent.")),
    status: word(ORDER_OUTCOMES, "Its status after this transaction."),
    filled: size("Filled by this transaction; what a later one fills is not in it."),
    code: nullable(text("Why it was rejected.")),
    numbers: nullable(
      Type.Record(Type.String(), Type.String(), {
        description: "The numbers that the code compared, by name, as decimals in the units of traders.",
      }),
    ),
  },
  { $id: "ActionResult" },
);

/** Outcome of a transaction in its block (EVT-1). */
export const Receipt = Type.Object(
  {
    txId: hash("Id of the transaction."),
    height: height("Its block."),
    index: count("Its place in the block."),
    status: word(TX_OUTCOMES, "`rejected` is a final trading outcome: nothing changed but the nonce."),
    code,
    meaning,
    numbers,
    nonceConsumed: flag("Whether its nonce is used up."),
    results: Type.Array(ActionResult, { description: "Results of its orders, in their order." }),
    eventCount: count("Events of the transaction."),
  },
  { $id: "Receipt", description: "Outcome of a transaction in its block." },
);
export type Receipt = Static<typeof Receipt>;

const TxPosition = Type.Object(
  {
    height: height("Its block."),
    index: count("Its place in the block."),
    blockHash: hash("Head of the effects chain after the block."),
    timeMs: timeMs("Time of the block."),
  },
  { $id: "TxPosition" },
);

export const Transaction = Type.Object(
  {
    txId: hash("Id: the digest that was signed (TX-3)."),
    status,
    action: word(ACTION_NAMES, "Kind of action."),
    header: TxHeader,
    payload: Payload,
    signature: nullable(text("65 bytes, hexadecimal; null where blocks were made without.")),
    position: nullable(TxPosition, "Where it committed; null where it did not."),
    receipt: nullable(Receipt, "Its outcome; null where it did not commit."),
    sinceHeight: nullable(height("Height of the venue when it arrived, while it is pending.")),
  },
  { $id: "Transaction", description: "A transaction: pending, committed, or ended without a commit." },
);
export type Transaction = Static<typeof Transaction>;

export const Confirmation = Type.Object(
  {
    txId: hash("Id of the transaction."),
    status,
    outcome: nullable(word(TX_OUTCOMES, "Its outcome; null unless it committed.")),
    code,
    meaning,
    numbers,
    results: Type.Array(ActionResult, {
      description: "Results of its orders, in their order; empty unless it was applied.",
    }),
    position: nullable(TxPosition, "Where it committed."),
    finality: nullable(
      word(FINALITIES, "Whether the outcome can change."),
      "Null until it has committed. One process decides here: what has committed is stored and is `final`. On a development venue it is `revertible`: a revert, a reset or a load replaces blocks. Then `epoch` of `/status` is higher, and a transaction of a block that is gone is `dropped`; it may be sent again.",
    ),
    endedHeight: nullable(height("Height at which it ended without a commit.")),
    replacedBy: nullable(hash("The transaction that took its place.")),
    nextAction: word(
      NEXT_ACTIONS,
      "`wait`: ask again. `resync`: read orders, balances and positions. `resign`: it never commits, and a new one may be signed. `none`: nothing to do here.",
    ),
  },
  { $id: "Confirmation", description: "Whether a transaction has committed." },
);
export type Confirmation = Static<typeof Confirmation>;

/** A value of an event's field. */
export const Event = Type.Object(
  {
    eventId: text("`<height>-<transaction>-<event>` (EVT-2)."),
    kind: text("Kind of event (docs/reference/events.md)."),
    height: height("Its block."),
    txIndex: count(
      "Place of its transaction in the block. What a step of the block did before the k-th transaction has place n + k in a block of n.",
    ),
    eventIndex: count("Its place among the events of the same `txIndex`."),
    txId: nullable(hash("Its transaction; null for what a step of the block did.")),
    fields: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]), {
      description:
        "Fields of the kind: decimals and ids are strings, counts and times integers, absent ones null. Words of an address and halves of a number are one field. Where an event names an order alone and the order is no longer kept, sizes and prices are null, too, and `units` has them.",
    }),
    units: Type.Optional(
      Type.Record(Type.String(), Type.Integer(), {
        description:
          "Only where the market of an order is no longer kept: sizes in lots and prices in ticks, by field. The `orderOpened` or `intentPlaced` event names the market.",
      }),
    ),
  },
  { $id: "Event", description: "An effect of a block. Ignore unknown kinds." },
);
export type Event = Static<typeof Event>;

export const Block = Type.Object(
  {
    height: height("Height of the block."),
    hash: hash("Head of the effects chain after it (DET-2)."),
    parentHash: hash("Head of the effects chain before it."),
    stateRoot: nullable(hash("Hash of the whole state, at checkpoints; null elsewhere.")),
    timeMs: timeMs("Time of the block."),
    proposer: nullable(text("Validator that made it; null if the validator set is not public.")),
    transactionCount: count("Transactions in it."),
    eventCount: count("Events of it."),
    txIds: Type.Array(hash("Id of a transaction."), {
      description: "The first 1,000; all of them under `/blocks/{height}/transactions`.",
    }),
  },
  { $id: "Block", description: "Summary of a block." },
);
export type Block = Static<typeof Block>;
export const BLOCK_TX_IDS_MOST = 1_000;

export const BlockTransaction = Type.Object(
  {
    txId: hash("Id."),
    index: count("Place in the block."),
    action: word(ACTION_NAMES, "Kind of action."),
    account: text("Acting account."),
    subaccount: count("Its subaccount."),
    status: word(["applied", "rejected", "invalid"], "`invalid` changed nothing, and is only listed here (NON-3)."),
    code,
  },
  { $id: "BlockTransaction", description: "A transaction of a block, in short." },
);
export type BlockTransaction = Static<typeof BlockTransaction>;
