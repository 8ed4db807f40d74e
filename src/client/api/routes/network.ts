import { Type } from "typebox";
import { defineRoute } from "../route.ts";
import { hash, hashParam, listed, paged, pageQuery, single, word } from "../schemas/common.ts";
import { Genesis } from "../schemas/genesis.ts";
import { CONSENSUS, CONSENSUS_DOC, Status, Validator } from "../schemas/status.ts";
import {
  Block,
  BlockTransaction,
  Confirmation,
  Event,
  Receipt,
  Transaction,
  TX_STATUSES,
} from "../schemas/transactions.ts";

/** Longest wait for a confirmation. */
export const WAIT_MS_MOST = 30_000;

const heightParams = Type.Object({
  height: Type.String({
    pattern: "^(latest|0|[1-9][0-9]{0,15})$",
    description: "Height of the block, or `latest`; 0 is genesis.",
  }),
});
const txParams = Type.Object({ txId: hashParam("Id of the transaction (TX-3).") });
const txState = {
  txId: hash("Id of the transaction."),
  status: word(TX_STATUSES, "What is known of it; lists are empty unless it has committed."),
};

export const networkRoutes = {
  getStatus: defineRoute({
    method: "GET",
    path: "/status",
    tag: "network",
    summary: "Network and version status",
    description: "Network identity, signing domain, versions: what a client reads before it signs.",
    responses: { 200: single(Status) },
    weight: 1,
  }),
  getGenesis: defineRoute({
    method: "GET",
    path: "/genesis",
    tag: "network",
    summary: "What the chain starts from",
    description:
      "An indexer starts here: genesis, then the events of block 0 and of each block after it. Folded, they are the state of the venue (EVT-3); `stateRoot` of a block lets it check that.",
    responses: { 200: single(Genesis) },
    weight: 5,
  }),
  getBlock: defineRoute({
    method: "GET",
    path: "/blocks/{height}",
    tag: "network",
    summary: "Block summary",
    params: heightParams,
    responses: { 200: single(Block) },
    problems: ["NOT_FOUND"],
    weight: 2,
  }),
  listBlockTransactions: defineRoute({
    method: "GET",
    path: "/blocks/{height}/transactions",
    tag: "network",
    summary: "Transactions of a block, in its order",
    description:
      "Where accounts are read by session: those of the reader, and system transactions that name no account.",
    params: heightParams,
    query: Type.Object(pageQuery),
    responses: { 200: paged(BlockTransaction) },
    problems: ["SESSION_REQUIRED", "NOT_FOUND", "CURSOR_INVALIDATED"],
    weight: 5,
  }),
  listBlockEvents: defineRoute({
    method: "GET",
    path: "/blocks/{height}/events",
    tag: "network",
    summary: "Events of a block, in its order",
    description:
      "With those of its steps, which belong to no transaction: funding, liquidations, expiries. Those of block 0 are what genesis brought. Where accounts are read by session: those about the reader, and those about no account.",
    params: heightParams,
    query: Type.Object(pageQuery),
    responses: { 200: paged(Event) },
    problems: ["SESSION_REQUIRED", "NOT_FOUND", "CURSOR_INVALIDATED"],
    weight: 5,
  }),
  getTransaction: defineRoute({
    method: "GET",
    path: "/transactions/{txId}",
    tag: "network",
    summary: "Transaction detail, or what is known of a pending one",
    description: "Where accounts are read by session: for the account and its signer.",
    params: txParams,
    responses: { 200: single(Transaction) },
    problems: ["SESSION_REQUIRED", "NOT_FOUND"],
    weight: 2,
  }),
  getConfirmation: defineRoute({
    method: "GET",
    path: "/transactions/{txId}/confirmation",
    tag: "network",
    summary: "Whether a transaction has committed",
    description:
      "A pending transaction is 200 with `status: pending`, never 404. With `waitMs` the answer waits until it is no longer pending, or for that long. Where accounts are read by session: for the account and its signer.",
    params: txParams,
    query: Type.Object({
      waitMs: Type.Optional(
        Type.Integer({ minimum: 0, maximum: WAIT_MS_MOST, default: 0, description: "Longest wait, in milliseconds." }),
      ),
    }),
    responses: { 200: single(Confirmation) },
    problems: ["SESSION_REQUIRED", "NOT_FOUND"],
    weight: 2,
  }),
  listReceipts: defineRoute({
    method: "GET",
    path: "/transactions/{txId}/receipts",
    tag: "network",
    summary: "Receipts of a transaction",
    description: "Empty until it has committed. Where accounts are read by session: for the account and its signer.",
    params: txParams,
    responses: { 200: Type.Object({ ...txState, ...listed(Receipt).properties }) },
    problems: ["SESSION_REQUIRED", "NOT_FOUND"],
    weight: 2,
  }),
  listTransactionEvents: defineRoute({
    method: "GET",
    path: "/transactions/{txId}/events",
    tag: "network",
    summary: "Events of a transaction",
    description: "Empty until it has committed. Where accounts are read by session: for the account and its signer.",
    params: txParams,
    query: Type.Object(pageQuery),
    responses: { 200: Type.Object({ ...txState, ...paged(Event).properties }) },
    problems: ["SESSION_REQUIRED", "NOT_FOUND", "CURSOR_INVALIDATED"],
    weight: 5,
  }),
  listValidators: defineRoute({
    method: "GET",
    path: "/validators",
    tag: "network",
    summary: "Active validator set, where exposed",
    description:
      "One process orders transactions and decides on them, without consensus and without votes: the set has one member. A committed outcome is final once the block is stored; see `finality` of a confirmation for development venues.",
    responses: { 200: Type.Object({ consensus: word(CONSENSUS, CONSENSUS_DOC), ...listed(Validator).properties }) },
    problems: ["NOT_FOUND"],
    weight: 1,
  }),
} as const;
