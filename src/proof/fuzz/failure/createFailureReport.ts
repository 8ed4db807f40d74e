import { formatCommand } from "../../../ground/collections/commandLine.ts";
import { NONE } from "../../../ground/collections/table.ts";
import { readEventText } from "../../../product/scenario/expect/eventText.ts";
import { fillWords } from "../../../product/scenario/expect/fills.ts";
import { describeWithNumbers } from "../../../product/scenario/expect/receipts.ts";
import { accountName, lotsText, priceText, usd } from "../../../product/scenario/expect/units.ts";
import type { Block } from "../../../protocol/transaction.ts";
import { applyBlock, type BlockResult } from "../../../venue/engine/applyBlock.ts";
import { readEvents } from "../../../venue/engine/events/readEvents.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import { measure } from "../../../venue/engine/margin/health.ts";
import type { BlockStep } from "../../../venue/engine/probe.ts";
import { findAccount } from "../../../venue/engine/state/accounts.ts";
import { forkState } from "../../../venue/engine/state/forkState.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { Names } from "../../../venue/simulation/accountNames.ts";
import { rulesOf } from "../../../venue/simulation/explain/numberText.ts";
import { invariants as known } from "../../invariants/list.ts";
import { createStep, type Invariant, type Term } from "../../invariants/machinery/defineInvariant.ts";
import type { Side } from "../differential/comparison.ts";
import { SentenceWriter } from "../regression/sentenceWriter.ts";
import { writeRegression } from "../regression/writeRegression.ts";
import { ORACLES } from "../run/violation.ts";
import { nameActors } from "../shrink/nameActors.ts";
import type { Apply } from "../shrink/readScript.ts";
import { type PlayedScript, playScript } from "../shrink/runner.ts";
import type { Script } from "../shrink/script.ts";
import type { Failure } from "../shrink/signature.ts";
import { type Cells, moveOf, readCells, traced } from "./cells.ts";
import type { AccountCells, Change, Cost, FailureReport, TimelineRow } from "./model.ts";

export interface FailureReportOptions {
  /** Applies a block on the failing venue. Default: this venue. */
  readonly apply?: Apply;
  /** Default: all invariants. */
  readonly invariants?: readonly Invariant[];
  /** Command that reproduces the failure. Default: run the scenario. */
  readonly command?: string;
  readonly sides?: readonly Side[];
  readonly cost?: Cost;
}

/** Steps that get a row of their own if they changed an account or a market. */
const STEPS: Readonly<Record<BlockStep, string>> = {
  opened: "the block opens",
  pricesMoved: "index and mark move",
  fundingAccrued: "funding",
  expired: "expiries",
  riskPassed: "risk pass",
  triggersFired: "triggers",
};

/** Runs a shrunk script once more and reports what happened up to the failure. */
export function createFailureReport(
  script: Script,
  failure: Failure,
  options: FailureReportOptions = {},
): FailureReport {
  const { apply = applyBlock, sides = failure.sides ?? [], cost } = options;
  const invariant = (options.invariants ?? known).find(({ id }) => id === failure.invariant);
  const { all, names: nameOf } = nameActors(script);
  const played = playScript(all, apply);
  const oracle = (ORACLES as Readonly<Record<string, string>>)[failure.invariant] ?? ORACLES.nothingThrows;
  const { sentence = oracle, rules = [], catalogue = [] } = invariant ?? {};
  const scenario = writeRegression(script, failure, {
    sentence,
    rules,
    ...(options.invariants === undefined ? {} : { invariants: options.invariants }),
  });
  const writer = new SentenceWriter(all, played, nameOf);
  const names = new Names();
  const accounts = all.genesis.accounts.map(({ address, subaccount }) => writer.account(address, subaccount));
  for (const name of [...accounts, ...writer.others]) names.declare(name);
  const film = new Film(played, writer, names, failure, invariant, apply);
  film.run();
  const { height, index, kind = "invariant" } = failure;
  const observed = film.nameAccounts(failure.observed);
  const place = index === undefined ? `block ${height}` : `block ${height}, transaction ${index}`;
  return {
    schemaVersion: 1,
    kind,
    invariant: failure.invariant,
    sentence,
    rules,
    catalogue,
    headline: `${failure.invariant} is broken at ${place}: ${observed.split("\n")[0]}`,
    observed,
    height,
    index,
    scenario,
    accounts: names.all,
    markets: film.markets,
    timeline: film.rows,
    changes: film.changes,
    terms: failure.terms ?? (sides.length > 0 ? [] : termsOf(observed)),
    sides: sides.map(({ what, venue, model }) => ({
      what: film.nameAccounts(what),
      venue: film.nameAccounts(venue),
      model: film.nameAccounts(model),
    })),
    orders: ordersOf(failure, sentence),
    command: options.command ?? formatCommand(["scenario", "run", `scenarios/regressions/${scenario.name}`]),
    cost,
  };
}

/** For an invariant without terms: the numbers of its message, each named by the words before it. */
function termsOf(observed: string): Term[] {
  const line = observed.split("\n")[0]!.replace(/^.*?: /, "");
  const found = [...line.matchAll(/([A-Za-z][A-Za-z ]*?)[ :]+(-?\d[\d.]*)/g)];
  return found.map(([, name = "", value = ""]) => ({ name, value }));
}

/** For an invariant about priority: the terms `wanted` and `found`, lists of names separated by commas. */
function ordersOf({ terms = [] }: Failure, rule: string): FailureReport["orders"] {
  const read = (name: string) => terms.find((term) => term.name === name)?.value.split(/, ?/);
  const wanted = read("wanted order");
  const found = read("found order");
  return wanted === undefined || found === undefined ? undefined : { rule, wanted, found };
}

function outcomeOf(state: State, { transactions }: Block, index: number): string {
  const receipt = state.receipts.at(index);
  return describeWithNumbers({ receipt, rules: rulesOf(state, transactions[index]!, receipt.numbers) });
}

/** Runs blocks and records a row for every transaction and step. */
class Film {
  readonly rows: TimelineRow[] = [];
  changes: readonly Change[] = [];
  readonly #played: PlayedScript;
  readonly #writer: SentenceWriter;
  readonly #names: Names;
  readonly #failure: Failure;
  readonly #invariant: Invariant | undefined;
  readonly #apply: Apply;
  readonly #state: State;
  /** What last changed each value. */
  readonly #last = new Map<string, string>();
  #cells: Cells;

  constructor(
    played: PlayedScript,
    writer: SentenceWriter,
    names: Names,
    failure: Failure,
    invariant: Invariant | undefined,
    apply: Apply,
  ) {
    this.#played = played;
    this.#writer = writer;
    this.#names = names;
    this.#failure = failure;
    this.#invariant = invariant;
    this.#apply = apply;
    this.#state = createVenue(played.chronicle.genesis);
    this.#cells = readCells(this.#state, names, undefined);
  }

  get markets(): readonly string[] {
    return this.#state.marketNames;
  }

  /** Replaces account numbers in a message by names. */
  nameAccounts(text: string): string {
    return text.replace(/\baccount (\d+)\b/g, (found, row: string) =>
      Number(row) < this.#state.accounts.rows.high
        ? accountName(this.#state, this.#names, Number(row) as AccountRow)
        : found,
    );
  }

  run(): void {
    for (const [place, block] of this.#played.chronicle.blocks.entries()) {
      const isLast = block.height === this.#failure.height;
      const before = forkState(this.#state);
      const start = this.#cells;
      const known = new Map(this.#last);
      const result = this.#runBlock(block, place);
      if (!isLast) continue;
      const reads = result === undefined ? undefined : this.#findReads(before, block, result);
      this.#findChanges(start, known, reads);
      return;
    }
  }

  /** @returns undefined if the venue throws */
  #runBlock(block: Block, place: number): BlockResult | undefined {
    const state = this.#state;
    const lines = this.#played.lines[place]!;
    let seen = 0;
    const note = (index: number | undefined, what: string) => {
      const fills: string[] = [];
      const { data, length, texts } = state.events;
      const scope = { state, names: this.#names, texts, marketOf: () => undefined };
      const from = Math.min(seen, length);
      for (const event of readEvents(data, Math.max(from, this.#from), length)) {
        if (event.kind === "fill") fills.push(fillWords(readEventText(scope, event)));
      }
      seen = length;
      const isNews = this.#noteCells(`block ${block.height}: ${what}`);
      if (index === undefined && !isNews && fills.length === 0) return;
      const outcome = index === undefined ? "" : outcomeOf(state, block, index);
      this.rows.push(this.#row(block, index, what, outcome, fills));
    };
    try {
      const result = this.#apply(state, block, {
        beforeBlock: (_venue, _block, from) => {
          this.#from = from;
          seen = from;
        },
        afterTransaction: (_venue, index) => note(index, this.#writer.words(lines[index]!)),
        afterStep: (_venue, step) => note(undefined, STEPS[step]),
      });
      if (this.#noteCells(`block ${block.height}: after the block`)) {
        this.rows.push(this.#row(block, undefined, "after the block", "", []));
      }
      this.#mark(block);
      return result;
    } catch (error) {
      const what = `${(error as Error).name}: ${(error as Error).message}`;
      this.rows.push({ ...this.#row(block, undefined, what, "thrown", []), isFailing: true });
      return undefined;
    }
  }
  #from = 0;

  /** Marks the row in which the failure first shows. */
  #mark({ height }: Block): void {
    if (height !== this.#failure.height) return;
    const { index } = this.#failure;
    const at = this.rows.findLastIndex((row) => row.height === height && (index === undefined || row.index === index));
    const row = this.rows[at];
    if (row === undefined) return;
    // If the failure names no account, it concerns the accounts that this row alone changed.
    const isNamed = row.accounts.some((cells) => cells?.isMeant);
    const accounts = row.accounts.map((cells, place) => {
      const before = this.rows[at - 1]?.accounts[place];
      const isMeant = row.index === undefined && before !== undefined && before.collateral !== cells?.collateral;
      return isNamed || cells === undefined ? cells : { ...cells, isMeant };
    });
    this.rows[at] = { ...row, accounts, isFailing: true };
  }

  /** Records which values changed and what changed them. Returns true if a value of an account or a market changed. */
  #noteCells(by: string): boolean {
    const cells = readCells(this.#state, this.#names, undefined);
    let isNews = false;
    for (const [what, value] of cells) {
      if (this.#cells.get(what) === value) continue;
      this.#last.set(what, by);
      if (/ (collateral|size|cost|isolated|mark)$/.test(what)) isNews = true;
    }
    this.#cells = cells;
    return isNews;
  }

  #row(
    { height, timeMs }: Block,
    index: number | undefined,
    what: string,
    outcome: string,
    fills: readonly string[],
  ): TimelineRow {
    const state = this.#state;
    return {
      height,
      timeMs,
      index,
      what,
      outcome,
      fills,
      marks: state.marketNames.map((_, market) => priceText(state.markets.mark[market as MarketRow]!)),
      accounts: this.#names.all.map((name) => {
        const row = findAccount(state, this.#names.key(name));
        return row === NONE ? undefined : this.#account(row);
      }),
      isFailing: false,
    };
  }

  #account(row: AccountRow): AccountCells {
    const state = this.#state;
    const { accounts, positions } = state;
    const open: string[] = [];
    for (let at = accounts.position[row]!; at !== NONE; at = positions.next[at]!) {
      const market = positions.market[at]!;
      if (positions.signedLots[at] !== 0)
        open.push(`${lotsText(state, market, positions.signedLots[at]!)} ${state.marketNames[market]}`);
    }
    const health = measure(state, row);
    return {
      collateral: usd(accounts.collateral[row]!),
      positions: open.join(", "),
      equity: usd(health.overflow ? health.bigEquity : health.equity),
      maintenance: usd(health.overflow ? health.bigMaintenance : health.maintenance),
      isMeant: this.#failure.entity === `account ${row}`,
    };
  }

  /** Returns the columns that the invariant reads; undefined if they cannot be traced. */
  #findReads(before: State, block: Block, result: BlockResult): Set<string> | undefined {
    const { sweep, start } = this.#invariant ?? {};
    if (sweep === undefined) return undefined;
    const reads = new Set<string>();
    try {
      const memory = start?.(before) as never;
      sweep.call(this.#invariant, traced(this.#state, reads), createStep(before, block, result), memory);
    } catch {
      return undefined;
    }
    return reads;
  }

  #findChanges(start: Cells, known: ReadonlyMap<string, string>, reads: ReadonlySet<string> | undefined): void {
    const now = readCells(this.#state, this.#names, reads);
    const all = reads === undefined || ![...now.keys()].some((what) => start.get(what) !== now.get(what));
    const cells = all ? this.#cells : now;
    const changes: Change[] = [];
    for (const what of new Set([...cells.keys(), ...(all ? start.keys() : [])])) {
      const [before = "", after = ""] = [start.get(what), cells.get(what)];
      if (before === after || (before === "" && after === "0")) continue;
      changes.push({
        what,
        before,
        after,
        by: moveOf(before === "" ? "0" : before, after),
        last: known.get(what) ?? "",
      });
    }
    this.changes = changes;
  }
}
