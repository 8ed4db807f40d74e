import { NONE } from "../../../ground/collections/table.ts";
import { encodePayload } from "../../../protocol/codec.ts";
import { LIQUIDATION_STAGES, type VenueEvent } from "../../../protocol/events.ts";
import { liquidationOf, nameLiquidation } from "../../../protocol/liquidationId.ts";
import { isLiquidationStep, LIQUIDATION_STEP_KINDS } from "../../../protocol/liquidationStep.ts";
import type { Receipt } from "../../../protocol/receipt.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import { createDigester } from "../../../protocol/typedDataDigest.ts";
import { applyBlock, type BlockResult } from "../../engine/applyBlock.ts";
import { findActor } from "../../engine/authorization/admission.ts";
import { readEvents } from "../../engine/events/readEvents.ts";
import { createVenue } from "../../engine/genesis.ts";
import { forkState } from "../../engine/state/forkState.ts";
import type { AccountRow, MarketRow } from "../../engine/state/schema.ts";
import type { State } from "../../engine/state/state.ts";
import { LogError } from "../log/errors.ts";
import { BlockLogReader, type LogRecord } from "../log/readBlockLog.ts";
import type { SealedBlock } from "../observer.ts";
import { signingDomainOf } from "../signatures.ts";
import { actingOf } from "./carriedTransaction.ts";
import { describeAccount, describeMarket, type MarginAccountDescription, type MarketDescription } from "./describe.ts";
import { type EventText, readEventText } from "./eventText.ts";
import { nameAccount } from "./eventValues.ts";
import { marketsOfBlock } from "./marketsOfBlock.ts";
import { numberTexts, rulesOf } from "./numberText.ts";
import { MEANINGS, type OrderResult, readResults } from "./receiptText.ts";

/** The subject to explain: a transaction by its id or place, or a liquidation by its record. */
export type Subject =
  | { readonly kind: "txId"; readonly id: string }
  | { readonly kind: "transaction"; readonly height: number; readonly index: number }
  | { readonly kind: "liquidation"; readonly height: number; readonly place: number };

/** Reads `0x…` (a transaction's id), `<height>-<index>` or `L-<height>-<n>`. Undefined for any other text. */
export function readSubject(text: string): Subject | undefined {
  if (/^0x[0-9a-f]{64}$/.test(text)) return { kind: "txId", id: text };
  const match = /^(L-)?(0|[1-9]\d{0,14})-(0|[1-9]\d{0,14})$/.exec(text);
  if (match === null) return undefined;
  const [height, place] = [Number(match[2]), Number(match[3])];
  return match[1] === undefined
    ? { kind: "transaction", height, index: place }
    : { kind: "liquidation", height, place };
}

/** Result of an order, and the meaning of its code. */
export interface ResultExplanation extends OrderResult {
  readonly meaning: string | undefined;
}

export interface TransactionExplanation {
  readonly kind: "transaction";
  readonly height: number;
  readonly index: number;
  readonly timeMs: number;
  readonly action: string;
  readonly account: string;
  readonly signer: string;
  readonly nonce: string;
  readonly payload: unknown;
  readonly status: Receipt["status"];
  readonly code: string | undefined;
  /** What the code means. */
  readonly meaning: string | undefined;
  /** The numbers that the rule compared, in the units of traders. */
  readonly numbers: Readonly<Record<string, string>> | undefined;
  readonly results: readonly ResultExplanation[] | undefined;
  readonly events: readonly EventText[];
  /** The acting account just before and just after; empty for system transactions. */
  readonly before: readonly MarginAccountDescription[];
  readonly after: readonly MarginAccountDescription[];
  /** Markets that the transaction names or touches, as it found them. */
  readonly markets: readonly MarketDescription[];
}

export interface LiquidationExplanation {
  readonly kind: "liquidation";
  readonly id: string;
  readonly height: number;
  readonly timeMs: number;
  readonly account: string;
  /** At the start of its liquidation step, USD. */
  readonly equity: string;
  readonly maintenance: string;
  /** Its events: stages with bankruptcy prices, fills, fees, insurance, deleveraging, shared losses. */
  readonly events: readonly EventText[];
  /** Turns that it had in later blocks, and its end there, if it did not end in the first. */
  readonly later: readonly LiquidationStep[];
  /** How it ended: `recovered` or `completed`; undefined where the log ends before. */
  readonly end: string | undefined;
  /** The account as the block before left it, and as its last block left it. */
  readonly before: readonly MarginAccountDescription[];
  readonly after: readonly MarginAccountDescription[];
  /** Markets of its positions: prices of the block before, and those that the liquidation step used. */
  readonly markets: readonly { readonly before: MarketDescription; readonly at: MarketDescription }[];
}

/** The events of a liquidation in one later block. */
export interface LiquidationStep {
  readonly height: number;
  readonly timeMs: number;
  readonly events: readonly EventText[];
}

export type Explanation = TransactionExplanation | LiquidationExplanation;

/**
 * Replays a log up to the block of a subject and explains, with numbers, what happened there and why.
 *
 * @throws {LogError} LOG_HEIGHT if the log does not reach it, SUBJECT_NOT_FOUND if the log does not contain it
 */
export function explainLog(
  path: string,
  subject: Subject,
  onProgress?: (bytesDone: number, height: number) => void,
): Explanation {
  const reader = new BlockLogReader(path);
  try {
    const state = createVenue(reader.genesis);
    const digester = subject.kind === "txId" ? createDigester(signingDomainOf(reader.genesis)) : undefined;
    for (const record of reader) {
      if (record.kind !== "block") continue;
      const { block } = record;
      if (subject.kind === "txId") {
        const index = block.transactions.findIndex((transaction) => digester!.digestOf(transaction) === subject.id);
        if (index >= 0) return explainTransaction(state, block, index)!;
      } else if (block.height === subject.height) {
        const found =
          subject.kind === "transaction"
            ? explainTransaction(state, block, subject.index)
            : explainLiquidation(state, block, subject.place);
        if (found?.kind === "liquidation") return followLiquidation(found, state, block, reader);
        if (found !== undefined) return found;
        throw notFound(path, subject, block, state);
      }
      applyBlock(state, block);
      if (block.height % 2_000 === 0) onProgress?.(reader.offset, block.height);
    }
    if (subject.kind === "txId") {
      throw new LogError(
        "SUBJECT_NOT_FOUND",
        `no transaction of its blocks 1 to ${state.height} has the id ${subject.id}`,
        {
          file: path,
          hint: "check the digits; an id is of one network, so another venue's log does not have it. A place such as 120-3 works, too",
        },
      );
    }
    const { height } = subject;
    throw new LogError("LOG_HEIGHT", `has blocks 1 to ${state.height}; block ${height} was requested`, {
      file: path,
      hint: "use a height that the log has",
    });
  } finally {
    reader.close();
  }
}

function notFound(path: string, subject: Subject, block: SealedBlock, state: State): LogError {
  const { height, transactions } = block;
  if (subject.kind !== "liquidation") {
    const count = transactions.length;
    const reason = `block ${height} has no such transaction: it has ${count === 1 ? "1 transaction" : `${count} transactions`}`;
    const hint = count === 0 ? "use another block" : `places are ${height}-0 to ${height}-${count - 1}`;
    return new LogError("SUBJECT_NOT_FOUND", reason, { file: path, height, hint });
  }
  const result = applyBlock(state, block);
  const names = readEvents(result.events, result.from, result.to).flatMap((event) =>
    event.kind === "liquidationStarted" ? [nameLiquidation(event.liquidation)] : [],
  );
  return new LogError("SUBJECT_NOT_FOUND", `block ${height} has no such liquidation`, {
    file: path,
    height,
    hint: names.length === 0 ? "no account was liquidated in it" : `it has ${names.slice(0, 10).join(", ")}`,
  });
}

function explainTransaction(before: State, block: SealedBlock, index: number): TransactionExplanation | undefined {
  const transaction = block.transactions[index];
  if (transaction === undefined) return undefined;
  // The transactions before it in the block are already applied at its turn.
  const found = forkState(before);
  applyBlock(found, { ...block, transactions: block.transactions.slice(0, index) });
  const after = forkState(before);
  const result = applyBlock(after, { ...block, transactions: block.transactions.slice(0, index + 1) });
  const receipt = result.receipts.at(index);
  const own = readEvents(result.events, receipt.eventsFrom, receipt.eventsTo);
  const marketOf = marketsOfBlock(after, result);
  const acting = actingOf(transaction);
  const account = findActor(after, acting);
  const markets = new Set<number>(
    own.flatMap((event) => ("market" in event && event.market >= 0 ? [event.market] : [])),
  );
  const named = (acting.payload as { readonly market?: string }).market;
  if (named !== undefined && found.marketRows.has(named)) markets.add(found.marketRows.get(named)!);
  const { header, action } = transaction;
  return {
    kind: "transaction",
    height: block.height,
    index,
    timeMs: block.timeMs,
    action,
    account: `${header.account.address}${header.account.subaccount === 0 ? "" : `/${header.account.subaccount}`}`,
    signer: header.signer,
    nonce: `${header.nonceDomain} ${header.nonce}`,
    payload: payloadOf(transaction, acting),
    status: receipt.status,
    code: receipt.code,
    meaning: meaningOf(receipt),
    numbers: numbersOf(found, acting, receipt),
    results: receipt.results === undefined ? undefined : explainResults(after, transaction, receipt, own),
    events: own.map((event) => readEventText(after, result.texts, event, marketOf)),
    before: describeActor(found, acting, account),
    after: describeActor(after, acting, account),
    markets: [...markets]
      .sort((a, b) => a - b)
      .filter((market) => market < found.marketNames.length)
      .map((market) => describeMarket(found, market as MarketRow)),
  };
}

function describeActor(state: State, transaction: Transaction, account: AccountRow): MarginAccountDescription[] {
  if (account === NONE || findActor(state, transaction) === NONE) return [];
  return describeAccount(state, account);
}

/** The payload, as on the wire; a carried payload is readable. */
function payloadOf({ action, payload }: Transaction, acting: Transaction): unknown {
  const written = encodePayload(action, payload as never);
  if (acting.payload === payload) return written;
  return { ...written, payload: encodePayload(acting.action, acting.payload as never) };
}

function numbersOf(state: State, transaction: Transaction, { code, numbers }: Receipt) {
  if (code === undefined || numbers === undefined) return undefined;
  return numberTexts(code, numbers, rulesOf(state, transaction, numbers));
}

function explainResults(
  state: State,
  transaction: Transaction,
  receipt: Receipt,
  events: readonly VenueEvent[],
): ResultExplanation[] {
  return readResults(state, transaction, receipt, events).map((result) => ({
    ...result,
    meaning: result.code === null ? undefined : MEANINGS[result.code],
  }));
}

function meaningOf({ code }: Receipt): string | undefined {
  return code === undefined ? undefined : MEANINGS[code];
}

function explainLiquidation(before: State, block: SealedBlock, place: number): LiquidationExplanation | undefined {
  const id = liquidationOf(block.height, place);
  const after = forkState(before);
  const result = applyBlock(after, block);
  const step = listStep(result, id);
  const [start] = step;
  if (start?.kind !== "liquidationStarted") return undefined;
  const account = start.account as AccountRow;
  const markets = new Set<number>(
    step.flatMap((event) => ("market" in event && event.market >= 0 ? [event.market] : [])),
  );
  const marketOf = marketsOfBlock(after, result);
  const [{ fields }, ...events] = step.map((event) => readEventText(after, result.texts, event, marketOf)) as [
    EventText,
    ...EventText[],
  ];
  return {
    kind: "liquidation",
    id: nameLiquidation(id),
    height: block.height,
    timeMs: block.timeMs,
    account: nameAccount(after, account),
    equity: fields["equity"]!,
    maintenance: fields["maintenance"]!,
    events,
    later: [],
    end: endOf(step),
    before: describeAccount(before, account),
    after: describeAccount(after, account),
    markets: [...markets]
      .sort((a, b) => a - b)
      .map((market) => ({
        before: describeMarket(before, market as MarketRow),
        at: describeMarket(after, market as MarketRow),
      })),
  };
}

/** Adds the events of an open liquidation in the blocks after its first, up to its end or the log's. */
function followLiquidation(
  found: LiquidationExplanation,
  state: State,
  block: SealedBlock,
  rest: Iterable<LogRecord>,
): LiquidationExplanation {
  const { id, account } = idOf(found, applyBlock(state, block));
  const later: LiquidationStep[] = [];
  let end = found.end;
  if (end === undefined) {
    for (const record of rest) {
      if (record.kind !== "block") continue;
      const result = applyBlock(state, record.block);
      const step = listStep(result, id);
      if (step.length === 0) continue;
      const marketOf = marketsOfBlock(state, result);
      const events = step.map((event) => readEventText(state, result.texts, event, marketOf));
      later.push({ height: result.height, timeMs: result.timeMs, events });
      end = endOf(step);
      if (end !== undefined) break;
    }
  }
  return { ...found, later, end, after: describeAccount(state, account) };
}

/** The number of a liquidation and its account, in the block in which it began. */
function idOf({ id: name }: LiquidationExplanation, result: BlockResult): { id: number; account: AccountRow } {
  for (const event of readEvents(result.events, result.from, result.to)) {
    if (event.kind !== "liquidationStarted" || nameLiquidation(event.liquidation) !== name) continue;
    return { id: event.liquidation, account: event.account as AccountRow };
  }
  throw new Error(`${name} does not begin in block ${result.height}`);
}

/** Events of a liquidation in a block: of its step, or the one that reports how it ended without one. */
function listStep(result: BlockResult, id: number): VenueEvent[] {
  const all = readEvents(result.events, result.from, result.to);
  const from = all.findIndex((event) => isLiquidationStep(event) && event.liquidation === id);
  if (from < 0) return all.filter((event) => event.kind === "liquidationStage" && event.liquidation === id);
  const next = all.findIndex((event, at) => at > from && isStepsEnd(event));
  const step = all.slice(from, next < 0 ? all.length : next);
  const end = step.findIndex((event) => endOf([event]) !== undefined);
  return end < 0 ? step : step.slice(0, end + 1);
}

function endOf(step: readonly VenueEvent[]): string | undefined {
  for (const event of step) {
    if (event.kind !== "liquidationStage") continue;
    const stage = LIQUIDATION_STAGES[event.stage]!;
    if (stage === "recovered" || stage === "completed") return stage;
  }
  return undefined;
}

/** A turn ends where the next begins, where backstops unwind, where a user's transaction begins, or an intent fires. */
const NEXT: ReadonlySet<string> = new Set([
  ...LIQUIDATION_STEP_KINDS,
  "liquidationQueued",
  "backstopUnwound",
  "nonceAdvanced",
  "nonceUsed",
  "laneOpened",
  "laneAdvanced",
  "intentTriggered",
]);
const isStepsEnd = ({ kind }: VenueEvent): boolean => NEXT.has(kind);
