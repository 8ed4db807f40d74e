import { basename } from "node:path";
import type { Receipt } from "../../../protocol/receipt.ts";
import type { Block } from "../../../protocol/transaction.ts";
import { applyBlock, type BlockResult } from "../../../venue/engine/applyBlock.ts";
import { readSnapshot } from "../../../venue/engine/commitment/snapshot.ts";
import { readEvents } from "../../../venue/engine/events/readEvents.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { Names } from "../../../venue/simulation/accountNames.ts";
import { marketsOfBlock } from "../../../venue/simulation/explain/marketsOfBlock.ts";
import { readNumber, rulesOf } from "../../../venue/simulation/explain/numberText.ts";
import { DURATION, formatDuration } from "../compile/duration.ts";
import { readEventText } from "../expect/eventText.ts";
import { describeReceipt } from "../expect/receipts.ts";
import { formatScenario } from "../lint/formatScenario.ts";
import { encodeSnapshot } from "../start/snapshotText.ts";
import { type Flow, writeFlow } from "../write/payloadCells.ts";
import { checkFrozen, findNonces } from "./checkFrozen.ts";
import { expectAccounts, expectEvents, expectOrders, expectVenue, readBalances } from "./expectations.ts";
import { labelOrders } from "./labelOrders.ts";
import { type Actor, nameActors } from "./nameActors.ts";
import { type Heights, readStretch, type Stretch, tooLarge } from "./readStretch.ts";
import { TransactionWriter, type WrittenTransaction } from "./transactionWriter.ts";

export interface FreezeOptions extends Heights {
  /** Path of the scenario; its snapshot lies next to it. */
  readonly file: string;
  /** The schema, as the file names it for editors. */
  readonly schema: string;
  /** Names of owners by address; others get a usual first name. */
  readonly names?: ReadonlyMap<string, string>;
  readonly onProgress?: (bytesDone: number, height: number) => void;
}

/** A scenario with the venue that it starts from. */
export interface Frozen {
  readonly text: string;
  readonly snapshot: { readonly path: string; readonly text: string };
  readonly blocks: number;
  readonly transactions: number;
}

/** Longest scenario and longest snapshot, characters. */
const TEXT_MOST = 1_000_000;
const SNAPSHOT_MOST = 4_000_000;

/** A nonce that has to be written may shift others. This settles in few rounds, or never. */
const ROUNDS = 4;

/**
 * Blocks of a log as a scenario: the venue before them as a snapshot, the transactions as steps, and their outcomes as
 * expectations. The scenario was run once: it passes.
 *
 * @throws {FreezeError} FREEZE_RANGE, FREEZE_TOO_LARGE, FREEZE_INEXACT; {LogError} where the log cannot be replayed
 */
export function freezeBlocks(log: string, options: FreezeOptions): Frozen {
  const { file, names = new Map(), onProgress } = options;
  const stretch = readStretch(log, options, onProgress);
  const path = file.replace(/\.ya?ml$/, ".snapshot");
  const snapshot = { path, text: encodeSnapshot(stretch.snapshot) };
  if (snapshot.text.length > SNAPSHOT_MOST)
    throw tooLarge(log, `${snapshot.text.length} characters of stored venue`, `${SNAPSHOT_MOST}`);
  const actors = nameActors(stretch, names);
  let nonces: ReadonlyMap<string, number> = new Map();
  for (let round = 1; ; round++) {
    const text = formatScenario(new Draft(log, stretch, options, { snapshot: path, actors, nonces }).write());
    if (text.length > TEXT_MOST) throw tooLarge(log, `${text.length} characters`, `${TEXT_MOST} characters`);
    const found = findNonces(file, text, snapshot, stretch);
    if (found.size > 0 && round < ROUNDS) {
      nonces = new Map([...nonces, ...found]);
      continue;
    }
    checkFrozen(log, file, text, snapshot);
    const transactions = stretch.blocks.reduce((sum, block) => sum + block.transactions.length, 0);
    return { text, snapshot, blocks: stretch.blocks.length, transactions };
  }
}

interface DraftParts {
  /** Path of the snapshot. */
  readonly snapshot: string;
  readonly actors: readonly Actor[];
  /** Nonces to write, by height and place of their transaction. */
  readonly nonces: ReadonlyMap<string, number>;
}

/** Writes the file in one pass over the blocks. */
class Draft {
  readonly #log: string;
  readonly #stretch: Stretch;
  readonly #options: FreezeOptions;
  readonly #parts: DraftParts;
  readonly #state: State;
  readonly #names = new Names();
  readonly #labels: ReadonlyMap<string, string>;
  readonly #writer: TransactionWriter;

  constructor(log: string, stretch: Stretch, options: FreezeOptions, parts: DraftParts) {
    this.#log = log;
    this.#stretch = stretch;
    this.#options = options;
    this.#parts = parts;
    this.#state = readSnapshot(stretch.snapshot);
    for (const { name, address } of parts.actors) this.#names.declare(name, address);
    this.#labels = labelOrders(stretch);
    this.#writer = new TransactionWriter(this.#state, this.#names, this.#labels);
  }

  write(): string {
    const { from, to, schema } = this.#options;
    const { actors, snapshot } = this.#parts;
    const range = from === to ? `Block ${from}` : `Blocks ${from} to ${to}`;
    const log = basename(this.#log);
    const start = this.#describe();
    const blocks = this.#stretch.blocks.flatMap((block) => this.#block(block));
    const addresses = actors.map(({ name, address }) => `  ${name}: { address: "${address}" }`);
    const lines = [
      `# yaml-language-server: $schema=${schema}`,
      `# ${range} of ${log}, frozen: the same transactions have the same results on the venue that the log had before them.`,
      `scenario: ${JSON.stringify(`${range.toLowerCase()} of ${log}`)}`,
      "tags: [frozen]",
      "start:",
      `  snapshot: ${JSON.stringify(basename(snapshot))}`,
      "  expect:",
      ...writeCells(start, "    "),
      ...(addresses.length === 0 ? [] : ["accounts:", ...addresses]),
      "blocks:",
      ...blocks,
      "expect:",
      ...writeCells(this.#describe(), "  "),
      `golden: { root: "${this.#stretch.root}" }`,
    ];
    return `${lines.join("\n")}\n`;
  }

  /** Prices, accounts, positions and orders as they are now. */
  #describe(): Readonly<Record<string, Flow>> {
    const { actors } = this.#parts;
    return {
      ...expectVenue(this.#state),
      ...expectAccounts(this.#state, actors),
      ...expectOrders(this.#state, actors),
    };
  }

  #block(block: Block): string[] {
    const state = this.#state;
    const { actors } = this.#parts;
    const after = block.timeMs - state.timeMs;
    const before = actors.map((actor) => readBalances(state, actor));
    const result = applyBlock(state, block);
    const written = block.transactions.map((transaction, index): WrittenTransaction => {
      const receipt = result.receipts.at(index);
      const label = this.#labels.get(`${block.height}-${index}`);
      return { transaction, receipt, label, nonce: this.#parts.nonces.get(`${block.height}-${index}`) };
    });
    const own: string[] = [];
    if (after !== 1000) own.push(writeTime(after, block.timeMs));
    const prices: string[] = [];
    const priced = new Set<string>();
    for (const one of written) {
      const text = this.#writer.price(one);
      const market = text?.split(":")[0] ?? "";
      if (text === undefined || priced.has(market)) break;
      priced.add(market);
      prices.push(text);
    }
    if (prices.length > 0) own.push(`prices: { ${prices.join(", ")} }`);
    const rest = written.slice(prices.length);
    if (rest.length > 0) own.push("transactions:", ...rest.map((one) => `  - ${this.#writer.write(one)}`));
    const changed = actors.filter((actor, at) => readBalances(state, actor) !== before[at]);
    const expect = {
      ...expectReceipts(state, rest),
      ...this.#expectEvents(result),
      ...expectAccounts(state, changed),
    };
    if (Object.keys(expect).length > 0) own.push("expect:", ...writeCells(expect, "  "));
    if (own.length === 0) own.push("after: 1s");
    return own.map((line, at) => `  ${at === 0 ? "- " : "  "}${line}`);
  }

  #expectEvents(result: BlockResult): Readonly<Record<string, Flow>> {
    const state = this.#state;
    const marketOf = marketsOfBlock(state, result);
    const scope = { state, names: this.#names, texts: result.texts, marketOf };
    const events = readEvents(result.events, result.from, result.to).map((event) => readEventText(scope, event));
    return expectEvents(state, events);
  }
}

function writeCells(cells: Readonly<Record<string, Flow>>, indent: string): string[] {
  return Object.entries(cells).map(([key, value]) => `${indent}${key}: ${writeFlow(value)}`);
}

/** `after: 30s`; a time that no duration can express is written as a number. */
function writeTime(after: number, timeMs: number): string {
  const duration = formatDuration(after);
  return DURATION.test(duration) ? `after: ${duration}` : `time: ${timeMs}`;
}

/** Outcomes of the transactions, if one of them is more than `applied`. */
function expectReceipts(state: State, rest: readonly WrittenTransaction[]): Readonly<Record<string, Flow>> {
  const receipts = rest.map(({ transaction, receipt }): Flow => {
    const { status, code = "", numbers } = receipt;
    if (status === "applied" || numbers === undefined) return outcomeOf(receipt);
    const rules = rulesOf(state, transaction, numbers);
    const texts = Object.keys(numbers).map((name) => [name, readNumber(code, name, numbers, rules).text]);
    return status === "rejected" ? { rejected: code, ...Object.fromEntries(texts) } : outcomeOf(receipt);
  });
  return receipts.every((receipt) => receipt === "applied") ? {} : { receipts };
}

/** `applied filled`, `rejected CODE`; `applied` alone where parts have codes that an outcome does not take. */
function outcomeOf(receipt: Receipt): string {
  const text = describeReceipt(receipt);
  return receipt.status === "applied" && /[A-Z]/.test(text) ? "applied" : text;
}
