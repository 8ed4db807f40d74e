import { encodePayload } from "../../../protocol/codec.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import type { Block, Transaction } from "../../../protocol/transaction.ts";
import { applyBlock, type BlockResult } from "../../../venue/engine/applyBlock.ts";
import { readEvents } from "../../../venue/engine/events/readEvents.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { readEventText } from "../../../venue/simulation/explain/eventText.ts";
import { marketsOfBlock } from "../../../venue/simulation/explain/marketsOfBlock.ts";
import { openSource, type Subject } from "../run/source.ts";

/** Parts of a case to print. */
export interface CaseTextOptions {
  /** First and last height. */
  readonly from: number;
  readonly to: number;
  /** True to print events as well. */
  readonly events: boolean;
}

/** Prints a case: its venue, and block by block the transactions and their outcomes. */
export function* formatCase(subject: Subject, { from, to, events }: CaseTextOptions): Generator<string> {
  const source = openSource(subject);
  yield* formatGenesis(source.genesis);
  for (let block = source.next(); block !== undefined && block.height <= to; block = source.next()) {
    const { state } = source;
    const before = state.timeMs;
    const result = applyBlock(state, block);
    if (block.height >= from) yield* formatBlock(state, block, result, block.timeMs - before, events);
  }
}

function* formatGenesis({ markets, accounts, insurance }: Genesis): Generator<string> {
  for (const { name, parameters = {} } of markets) {
    const texts = Object.entries(parameters).map(([key, value]) => `${key} ${value === "" ? "-" : value}`);
    yield `market ${name}: ${texts.join(", ")}`;
  }
  for (const { address, subaccount, role = "normal", balance } of accounts) {
    yield `account ${address}/${subaccount}: ${role}, ${balance} USD`;
  }
  yield `insurance ${insurance} USD`;
}

function* formatBlock(
  state: State,
  { height, transactions }: Block,
  result: BlockResult,
  elapsedMs: number,
  withEvents: boolean,
): Generator<string> {
  yield `block ${height}, ${elapsedMs} ms later`;
  for (const [index, transaction] of transactions.entries()) {
    const { receipts } = result;
    const code = receipts.code(index);
    yield `  ${index} ${formatTransaction(transaction)} -> ${code === undefined ? "applied" : `${receipts.status(index)} ${code}`}`;
    if (withEvents) yield* formatEvents(state, result, receipts.eventsFrom[index]!, receipts.eventsTo[index]!);
  }
}

function formatTransaction({ action, header, payload }: Transaction): string {
  const { address, subaccount } = header.account;
  return `${shorten(address)}/${subaccount} ${action} ${JSON.stringify(encodePayload(action, payload as never))}`;
}

function* formatEvents(state: State, result: BlockResult, from: number, to: number): Generator<string> {
  const marketOf = marketsOfBlock(state, result);
  for (const event of readEvents(result.events, from, to)) {
    const { kind, fields } = readEventText(state, result.texts, event, marketOf);
    yield `      ${kind} ${JSON.stringify(fields)}`;
  }
}

const shorten = (address: string): string => `0x…${address.slice(-4)}`;
