import { WAIT_MS_MOST } from "../../../client/api/routes/network.ts";
import type { Bytes32 } from "../../../protocol/fields.ts";
import { type EventPlace, walkEvents } from "../../history/walkEvents.ts";
import { viewAsOf, withAsOf } from "../../host/asOf.ts";
import { readGenesisBlock } from "../../host/genesisBlock.ts";
import type { BlockEntry, TransactionEntry } from "../../host/host.ts";
import { notFound, ProblemError } from "../problems/problems.ts";
import { forReader, type Reader, readReader, requireSeen } from "../services/access.ts";
import type { Services } from "../services/services.ts";
import { viewBlock, viewBlockTransaction } from "../views/blocks.ts";
import { viewGenesis } from "../views/genesis.ts";
import {
  isEventSeen,
  isTransactionSeen,
  listParticipants,
  type ParticipantNames,
  viewEventFor,
} from "../views/participants.ts";
import { viewStatus } from "../views/status.ts";
import { viewConfirmation, viewReceipt, viewTransaction } from "../views/transactions.ts";
import type { Call, HandlersOf } from "./handler.ts";
import { answerList, openList } from "./lists.ts";

/** Name of the single block producer. */
const SEQUENCER = "sequencer-0";

/** @throws {ProblemError} NOT_FOUND */
function findBlock({ host }: Services, text: string): BlockEntry {
  const height = text === "latest" ? host.state.height : Number(text);
  const entry = height === 0 ? readGenesisBlock(host.genesis) : host.block(height);
  if (entry !== undefined) return entry;
  if (height > host.state.height) throw notFound(`The head is at height ${host.state.height}.`);
  if (height === 0) throw notFound("The chain is a fork: its first blocks are those of its origin.", "PRUNED");
  throw notFound(`Blocks are kept from height ${host.oldestHeight} on.`, "PRUNED");
}

/**
 * A transaction that the request's reader may see. Other readers get the answer for a transaction that was never
 * accepted.
 *
 * @throws {ProblemError} NOT_FOUND, SESSION_REQUIRED
 */
function openTransaction(services: Services, { params, headers }: TransactionCall) {
  const reader = readReader(services, headers);
  const entry = services.host.transaction(params.txId as Bytes32);
  const unknown = () => unknownTransaction(params.txId);
  requireSeen(reader, entry && listParticipants(transactionOf(entry)), unknown);
  return { entry: entry!, reader };
}

type TransactionCall = Pick<Call, "headers"> & { readonly params: { readonly txId: string } };

function transactionOf(entry: TransactionEntry) {
  return entry.status === "committed" ? entry.block.transactions[entry.index]! : entry.signed.transaction;
}

function unknownTransaction(id: string): ProblemError {
  return new ProblemError(
    "NOT_FOUND",
    "No transaction with this id was accepted, or it was pruned. Before you use a new nonce, send the signed one again.",
    { reason: "UNKNOWN_TRANSACTION", txId: id },
  );
}

/** Market of an order that has ended and is still in the history. */
function marketOf({ history }: Services): (order: number) => number | undefined {
  return (order) => history.read().orders.find(order)?.market;
}

/** Events of a block, or of one of its transactions, that a reader may see. */
function listEvents(
  reader: Reader,
  names: ParticipantNames,
  entry: BlockEntry,
  txIndex?: number,
): { at: number; place: EventPlace }[] {
  const list: { at: number; place: EventPlace }[] = [];
  walkEvents(entry, (at, place) => {
    if (txIndex === undefined || place.txIndex === txIndex) list.push({ at, place });
  });
  return reader.isUnlimited ? list : list.filter(({ at, place }) => isEventSeen(reader, names, entry, at, place));
}

/** Lists of a block never change, so their pages belong to its height. */
function scopeOf({ host }: Services, entry: BlockEntry | undefined) {
  return { asOf: viewAsOf(host), epoch: host.epoch, oldest: entry === undefined ? 0 : host.oldestHeight };
}

export const networkHandlers = {
  getStatus: (services) => ({ status: 200, body: withAsOf(services.host, viewStatus(services)), volatile: true }),

  getGenesis: (services) => ({ status: 200, body: withAsOf(services.host, viewGenesis(services)) }),

  getBlock: (services, { params }) => {
    const proposer = services.host.genesis.features.validators ? SEQUENCER : null;
    return { status: 200, body: withAsOf(services.host, viewBlock(findBlock(services, params.height), proposer)) };
  },

  listBlockTransactions: (services, call) => {
    const entry = findBlock(services, call.params.height);
    const reader = readReader(services, call.headers);
    const scope = scopeOf(services, entry);
    const page = openList(services, call, scope, true);
    const list = answerList(
      page,
      scope.asOf,
      entry.ids.map((_, index) => index).filter((index) => isTransactionSeen(reader, entry.transactions[index]!)),
      (index) => [index],
      (index) => viewBlockTransaction(entry, index),
    );
    return { ...list, ...forReader(reader) };
  },

  listBlockEvents: (services, call) => {
    const entry = findBlock(services, call.params.height);
    const reader = readReader(services, call.headers);
    const scope = scopeOf(services, entry);
    const names = services.history.read();
    const list = answerList(
      openList(services, call, scope, true),
      scope.asOf,
      listEvents(reader, names, entry),
      ({ place }) => [place.ordinal],
      ({ at, place }) => viewEventFor(reader, names, entry, at, place)!,
    );
    return { ...list, ...forReader(reader) };
  },

  getTransaction: (services, call) => {
    const { entry, reader } = openTransaction(services, call);
    return {
      status: 200,
      body: withAsOf(services.host, viewTransaction(services.host.state, entry, marketOf(services))),
      volatile: entry.status !== "committed",
      ...forReader(reader),
    };
  },

  getConfirmation: async (services, call) => {
    const { params, query } = call;
    const { host } = services;
    let { entry, reader } = openTransaction(services, call);
    const waitMs = Math.min(query.waitMs ?? 0, WAIT_MS_MOST);
    if (entry.status === "pending" && waitMs > 0) {
      const waited = await host.waitFor(params.txId as Bytes32, waitMs);
      if (waited === undefined) throw unknownTransaction(params.txId);
      // The session may have ended meanwhile.
      ({ entry, reader } = openTransaction(services, call));
    }
    return {
      status: 200,
      body: withAsOf(host, viewConfirmation(host.state, entry, marketOf(services))),
      volatile: entry.status !== "committed",
      ...forReader(reader),
    };
  },

  listReceipts: (services, call) => {
    const { entry, reader } = openTransaction(services, call);
    const { state } = services.host;
    const data = entry.status === "committed" ? [viewReceipt(state, entry.block, entry.index, marketOf(services))] : [];
    return {
      status: 200,
      body: { txId: entry.id, status: entry.status, ...withAsOf(services.host, data) },
      volatile: entry.status !== "committed",
      ...forReader(reader),
    };
  },

  listTransactionEvents: (services, call) => {
    const { entry, reader } = openTransaction(services, call);
    const block = entry.status === "committed" ? entry.block : undefined;
    const scope = scopeOf(services, block);
    const names = services.history.read();
    const answer = answerList(
      openList(services, call, scope, true),
      scope.asOf,
      entry.status === "committed" ? listEvents(reader, names, entry.block, entry.index) : [],
      ({ place }) => [place.eventIndex],
      ({ at, place }) => viewEventFor(reader, names, block!, at, place)!,
    );
    return {
      ...answer,
      body: { txId: entry.id, status: entry.status, ...answer.body },
      volatile: block === undefined,
      ...forReader(reader),
    };
  },

  listValidators: ({ host }) => {
    if (!host.genesis.features.validators) {
      throw notFound("The network does not show its validators; one process decides here.", "NOT_EXPOSED");
    }
    return {
      status: 200,
      body: { consensus: "none", ...withAsOf(host, [{ address: null, name: SEQUENCER, power: "1" }]) },
    };
  },
} satisfies HandlersOf<
  | "getStatus"
  | "getGenesis"
  | "getBlock"
  | "listBlockTransactions"
  | "listBlockEvents"
  | "getTransaction"
  | "getConfirmation"
  | "listReceipts"
  | "listTransactionEvents"
  | "listValidators"
>;
