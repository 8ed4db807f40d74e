import { encodePayload } from "../../../protocol/codec.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import { applyBlock, type BlockResult } from "../../../venue/engine/applyBlock.ts";
import { readEvents } from "../../../venue/engine/events/readEvents.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { listAccounts, listMarkets } from "../../../venue/engine/state/walk.ts";
import { describeAccount, describeMarket } from "../../../venue/simulation/explain/describe.ts";
import { readEventText } from "../../../venue/simulation/explain/eventText.ts";
import { nameAccount } from "../../../venue/simulation/explain/eventValues.ts";
import { marketsOfBlock } from "../../../venue/simulation/explain/marketsOfBlock.ts";
import { readRefusal } from "../../../venue/simulation/explain/receiptText.ts";
import { LogError } from "../../../venue/simulation/log/errors.ts";
import { checksumOfEvents } from "../../../venue/simulation/log/format.ts";
import { BlockLogReader, type BlockRecord } from "../../../venue/simulation/log/readBlockLog.ts";
import { type Difference, type DifferenceGroup, diffValues, groupOf } from "./difference.ts";

/** Where two block logs first differ. */
export interface LogComparison {
  readonly kind: "logs";
  readonly equal: boolean;
  /** Differences before the first block: markets, parameters, accounts, times. */
  readonly genesis: readonly DifferenceGroup[];
  /** The first block that differs; undefined where every block that both have is equal. */
  readonly block: DifferingBlock | undefined;
  /** Blocks that both have and that are equal. */
  readonly equalBlocks: number;
  /** Heights at which the logs end. After a block that differs they are not read further. */
  readonly heights: { readonly a: number | undefined; readonly b: number | undefined };
}

export interface DifferingBlock {
  readonly height: number;
  readonly timeMs: { readonly a: number; readonly b: number };
  /** In the order of cause: the block, its transactions, their receipts, its events, and the venue after it. */
  readonly groups: readonly DifferenceGroup[];
}

/**
 * Replays two block logs side by side up to the first block that differs.
 *
 * @param onProgress bytes of both logs that were read, and the height
 * @throws {LogError} of reading a log; LOG_DIFFERS where a log does not replay to what it recorded
 */
export function compareLogs(
  pathA: string,
  pathB: string,
  onProgress?: (bytesDone: number, height: number) => void,
): LogComparison {
  const a = new Side(pathA);
  try {
    const b = new Side(pathB);
    try {
      return compareSides(a, b, onProgress);
    } finally {
      b.close();
    }
  } finally {
    a.close();
  }
}

function compareSides(
  a: Side,
  b: Side,
  onProgress: ((bytesDone: number, height: number) => void) | undefined,
): LogComparison {
  const genesis = groupOf("genesis", diffValues(plainGenesis(a.genesis), plainGenesis(b.genesis)));
  let equalBlocks = 0;
  for (;;) {
    const one = a.next();
    const other = b.next();
    if (one === undefined || other === undefined) {
      const isEqual = genesis.length === 0 && one === undefined && other === undefined;
      const heights = { a: endOf(a, one), b: endOf(b, other) };
      return { kind: "logs", equal: isEqual, genesis, block: undefined, equalBlocks, heights };
    }
    const isSame =
      one.effects === other.effects &&
      one.block.timeMs === other.block.timeMs &&
      diffTransactions(one, other).length === 0;
    const resultA = a.apply(one);
    const resultB = b.apply(other);
    if (!isSame) {
      const block = describeBlock(
        { side: a, record: one, result: resultA },
        { side: b, record: other, result: resultB },
      );
      return { kind: "logs", equal: false, genesis, block, equalBlocks, heights: { a: undefined, b: undefined } };
    }
    equalBlocks++;
    if (one.block.height % 2_000 === 0) onProgress?.(a.offset + b.offset, one.block.height);
  }
}

/** Height of the last block of a log that has ended; undefined for one that continues. */
function endOf({ state }: Side, next: BlockRecord | undefined): number | undefined {
  return next === undefined ? state.height : undefined;
}

/** One of two logs while it is replayed. */
class Side {
  readonly genesis: Genesis;
  readonly state: State;
  readonly #reader: BlockLogReader;
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
    this.#reader = new BlockLogReader(path);
    this.genesis = this.#reader.genesis;
    this.state = createVenue(this.genesis);
  }

  get offset(): number {
    return this.#reader.offset;
  }

  next(): BlockRecord | undefined {
    for (let record = this.#reader.next(); record !== undefined; record = this.#reader.next()) {
      if (record.kind === "block") return record;
    }
    const { torn } = this.#reader;
    if (torn === undefined) return undefined;
    throw new LogError("LOG_CORRUPT", "ends inside a record", {
      file: this.#path,
      offset: torn.offset,
      hint: "compare a log whose writer has finished",
    });
  }

  apply({ block, effects, offset }: BlockRecord): BlockResult {
    const { height } = block;
    const hint = "the log was changed, or it was written by a build with other results; `verify` says more";
    let result: BlockResult;
    try {
      result = applyBlock(this.state, block);
    } catch (cause) {
      throw new LogError("LOG_DIFFERS", "the block is refused", { file: this.#path, height, offset, hint, cause });
    }
    if (checksumOfEvents(result.events, result.from, result.to) === effects) return result;
    throw new LogError("LOG_DIFFERS", "the replay emits different events", { file: this.#path, height, offset, hint });
  }

  close(): void {
    this.#reader.close();
  }
}

/** Markets and accounts by name, so that the place of a difference has the name. */
function plainGenesis({ markets, accounts, ...rest }: Genesis): object {
  return {
    ...rest,
    markets: Object.fromEntries(markets.map(({ name, ...market }) => [name, market])),
    accounts: Object.fromEntries(
      accounts.map(({ address, subaccount, ...account }) => [`${address}/${subaccount}`, account]),
    ),
  };
}

interface AppliedBlock {
  readonly side: Side;
  readonly record: BlockRecord;
  readonly result: BlockResult;
}

function describeBlock(a: AppliedBlock, b: AppliedBlock): DifferingBlock {
  const { block } = a.record;
  return {
    height: block.height,
    timeMs: { a: block.timeMs, b: b.record.block.timeMs },
    groups: [
      ...groupOf("block", diffValues(headOf(a), headOf(b))),
      ...groupOf("transactions", diffTransactions(a.record, b.record)),
      ...groupOf("receipts", diffValues(receiptsOf(a), receiptsOf(b))),
      ...groupOf("events", diffValues(eventsOf(a), eventsOf(b))),
      ...groupOf("venue after the block", diffValues(venueOf(a.side.state), venueOf(b.side.state))),
    ],
  };
}

function headOf({ record }: AppliedBlock): object {
  const { height, timeMs } = record.block;
  return { height, time: new Date(timeMs).toISOString() };
}

/** Transactions of two blocks by their place. */
function diffTransactions(a: BlockRecord, b: BlockRecord): Difference[] {
  const [one, other] = [a.block.transactions, b.block.transactions];
  const found: Difference[] = [];
  for (let at = 0; at < Math.max(one.length, other.length); at++) {
    const [left, right] = [one[at], other[at]];
    if (left?.action === right?.action) {
      found.push(...diffValues(left && plain(left), right && plain(right), `${at} ${left!.action}`));
    } else {
      found.push({ place: `${at}`, a: summarise(left), b: summarise(right) });
    }
  }
  return found;
}

function plain({ action, header, payload, verdict }: Transaction): object {
  const { account, ...rest } = header;
  return {
    account: `${account.address}/${account.subaccount}`,
    ...rest,
    verdict,
    payload: encodePayload(action, payload as never),
  };
}

function summarise(transaction: Transaction | undefined): string {
  if (transaction === undefined) return "none";
  const { action, payload } = transaction;
  return `${action} ${JSON.stringify(encodePayload(action, payload as never))}`;
}

function receiptsOf({ side, record, result }: AppliedBlock): Record<string, string> {
  return Object.fromEntries(
    record.block.transactions.map((transaction, at) => {
      const receipt = result.receipts.at(at);
      const { code, numbers } = readRefusal(side.state, transaction, receipt);
      const why = code === null ? "" : ` ${code}${numbers === null ? "" : ` ${JSON.stringify(numbers)}`}`;
      return [`${at} ${transaction.action}`, `${receipt.status}${why}`];
    }),
  );
}

/** Events by their place and kind, so that two of a kind differ in their fields alone. */
function eventsOf({ side, result }: AppliedBlock): object {
  const marketOf = marketsOfBlock(side.state, result);
  return Object.fromEntries(
    readEvents(result.events, result.from, result.to).map((event, at) => {
      const { kind, fields } = readEventText(side.state, result.texts, event, marketOf);
      return [`${at} ${kind}`, fields];
    }),
  );
}

/** Accounts and markets as a trader reads them, by name. */
function venueOf(state: State): object {
  return {
    markets: Object.fromEntries(
      listMarkets(state).map((market) => [state.marketNames[market]!, describeMarket(state, market)]),
    ),
    accounts: Object.fromEntries(
      listAccounts(state).map((account) => [
        nameAccount(state, account),
        Object.fromEntries(
          describeAccount(state, account).map(({ marginAccount, positions, ...figures }) => [
            marginAccount,
            { ...figures, ...Object.fromEntries(positions.map(({ market, ...position }) => [market, position])) },
          ]),
        ),
      ]),
    ),
  };
}
