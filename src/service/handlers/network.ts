import { WAIT_MS_MOST } from "../../api/routes/network.ts";
import type { Bytes32 } from "../../protocol/fields.ts";
import type { HandlersOf } from "../handler.ts";
import { type EventPlace, walkEvents } from "../history/walkEvents.ts";
import type { BlockEntry, TransactionEntry } from "../host/host.ts";
import { notFound, ProblemError } from "../problems.ts";
import type { Services } from "../services.ts";
import { viewAsOf, withAsOf } from "../views/asOf.ts";
import { viewBlock, viewBlockTransaction } from "../views/blocks.ts";
import { viewEvent } from "../views/events.ts";
import { viewStatus } from "../views/status.ts";
import { viewConfirmation, viewReceipt, viewTransaction } from "../views/transactions.ts";
import { answerList, openList } from "./lists.ts";

/** Who makes the blocks of a venue that one process runs. */
const SEQUENCER = "sequencer-0";

/** @throws {ProblemError} NOT_FOUND */
function findBlock({ host }: Services, text: string): BlockEntry {
  const height = text === "latest" ? host.state.height : Number(text);
  const entry = host.block(height);
  if (entry !== undefined) return entry;
  if (height > host.state.height) throw notFound(`The head is at height ${host.state.height}.`);
  if (height === 0) throw notFound("The chain begins with block 1; genesis is told by `/status`.");
  throw notFound(`Blocks are kept from height ${host.oldestHeight} on.`, "PRUNED");
}

/** @throws {ProblemError} NOT_FOUND */
function findTransaction({ host }: Services, id: string): TransactionEntry {
  const entry = host.transaction(id as Bytes32);
  if (entry === undefined) throw unknownTransaction(id);
  return entry;
}

function unknownTransaction(id: string): ProblemError {
  return new ProblemError(
    "NOT_FOUND",
    "No transaction of this id was taken, or it was pruned. Before a new nonce is used, send the signed one again.",
    { reason: "UNKNOWN_TRANSACTION", txId: id },
  );
}

/** Market of an order that was kept after it ended. */
function marketOf({ history }: Services): (order: number) => number | undefined {
  return (order) => history.read().orders.find(order)?.market;
}

/** Events of a block between two places, with their own. */
function listEvents(entry: BlockEntry, txIndex?: number): { at: number; place: EventPlace }[] {
  const list: { at: number; place: EventPlace }[] = [];
  walkEvents(entry, (at, place) => {
    if (txIndex === undefined || place.txIndex === txIndex) list.push({ at, place });
  });
  return list;
}

/** Lists of a block stand for ever, so they begin at its height. */
function scopeOf({ host }: Services, entry: BlockEntry | undefined) {
  return { asOf: viewAsOf(host), epoch: host.epoch, oldest: entry === undefined ? 0 : host.oldestHeight };
}

export const networkHandlers = {
  getStatus: (services) => ({ status: 200, body: withAsOf(services.host, viewStatus(services)), volatile: true }),

  getBlock: (services, { params }) => {
    const proposer = services.host.genesis.features.validators ? SEQUENCER : null;
    return { status: 200, body: withAsOf(services.host, viewBlock(findBlock(services, params.height), proposer)) };
  },

  listBlockTransactions: (services, call) => {
    const entry = findBlock(services, call.params.height);
    const scope = scopeOf(services, entry);
    const page = openList(services, call, scope, true);
    return answerList(
      page,
      scope.asOf,
      entry.ids.map((_, index) => index),
      (index) => [index],
      (index) => viewBlockTransaction(entry, index),
    );
  },

  listBlockEvents: (services, call) => {
    const entry = findBlock(services, call.params.height);
    const scope = scopeOf(services, entry);
    const names = services.history.read();
    return answerList(
      openList(services, call, scope, true),
      scope.asOf,
      listEvents(entry),
      ({ place }) => [place.ordinal],
      ({ at, place }) => viewEvent(names, entry, at, place),
    );
  },

  getTransaction: (services, { params }) => {
    const entry = findTransaction(services, params.txId);
    return {
      status: 200,
      body: withAsOf(services.host, viewTransaction(services.host.state, entry, marketOf(services))),
      volatile: entry.status !== "committed",
    };
  },

  getConfirmation: async (services, { params, query }) => {
    const { host } = services;
    let entry = findTransaction(services, params.txId);
    const waitMs = Math.min(query.waitMs ?? 0, WAIT_MS_MOST);
    if (entry.status === "pending" && waitMs > 0) {
      const waited = await host.waitFor(params.txId as Bytes32, waitMs);
      if (waited === undefined) throw unknownTransaction(params.txId);
      entry = waited;
    }
    return {
      status: 200,
      body: withAsOf(host, viewConfirmation(host.state, entry, marketOf(services))),
      volatile: entry.status !== "committed",
    };
  },

  listReceipts: (services, { params }) => {
    const entry = findTransaction(services, params.txId);
    const { state } = services.host;
    const data = entry.status === "committed" ? [viewReceipt(state, entry.block, entry.index, marketOf(services))] : [];
    return {
      status: 200,
      body: { txId: entry.id, status: entry.status, ...withAsOf(services.host, data) },
      volatile: entry.status !== "committed",
    };
  },

  listTransactionEvents: (services, call) => {
    const entry = findTransaction(services, call.params.txId);
    const isCommitted = entry.status === "committed";
    const scope = scopeOf(services, isCommitted ? entry.block : undefined);
    const names = services.history.read();
    const answer = answerList(
      openList(services, call, scope, true),
      scope.asOf,
      isCommitted ? listEvents(entry.block, entry.index) : [],
      ({ place }) => [place.eventIndex],
      ({ at, place }) => viewEvent(names, (entry as TransactionEntry & { status: "committed" }).block, at, place),
    );
    return {
      ...answer,
      body: { txId: entry.id, status: entry.status, ...answer.body },
      volatile: !isCommitted,
    };
  },

  listValidators: ({ host }) => {
    if (!host.genesis.features.validators) {
      throw notFound("The network does not tell its validators.", "NOT_EXPOSED");
    }
    return { status: 200, body: withAsOf(host, [{ address: null, name: SEQUENCER, power: "1" }]) };
  },
} satisfies HandlersOf<
  | "getStatus"
  | "getBlock"
  | "listBlockTransactions"
  | "listBlockEvents"
  | "getTransaction"
  | "getConfirmation"
  | "listReceipts"
  | "listTransactionEvents"
  | "listValidators"
>;
