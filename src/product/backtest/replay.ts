import type { Bar } from "../../client/strategy/facts.ts";
import { formatDecimal } from "../../ground/math/decimal.ts";
import { AMOUNT_DECIMALS } from "../../ground/math/fixed.ts";
import type { Payloads } from "../../protocol/actions/index.ts";
import { createGenesis, type Genesis } from "../../protocol/genesis.ts";
import type { Receipts } from "../../protocol/receipt.ts";
import { createVenue } from "../../venue/engine/genesis.ts";
import type { State } from "../../venue/engine/state/state.ts";
import type { Observer, SealedBlock } from "../../venue/simulation/observer.ts";
import type { Signatures } from "../../venue/simulation/signatures.ts";
import { Simulation } from "../../venue/simulation/simulation.ts";
import type { BookReach } from "../replay/book/bookFlow.ts";
import type { History } from "../replay/history.ts";
import { HOUSE_ACCOUNT } from "../replay/house.ts";
import type { MarketDefinition } from "../replay/marketDefinition.ts";
import type { Segment } from "../replay/timeline.ts";
import type { RecordListener } from "../report/input.ts";
import { type PassedInstant, VenueReads } from "./account/venueReads.ts";
import { BarPass } from "./barPass.ts";
import { BlockBuilder } from "./blockBuilder.ts";
import { findReaches } from "./bookReach.ts";
import { BacktestError } from "./errors.ts";
import type { Remotes } from "./link/openRemote.ts";
import type { Refused } from "./link/remote.ts";
import { NeededBlocks } from "./neededBlocks.ts";
import type { Settings } from "./options.ts";
import type { SentTransaction } from "./outbox.ts";
import { AUTHORITIES, listKeys, STRATEGIES } from "./participants.ts";
import { Recorders } from "./recorders.ts";
import type { SeriesFeed } from "./series/seriesFeed.ts";
import { type DueTransactions, takeDue } from "./takeDue.ts";
import { Trader } from "./trader.ts";

/** Instants of one call. */
const INSTANTS_AT_ONCE = 64;

/** Parts of a replay, known before its first block. */
export interface ReplayParts {
  readonly settings: Settings;
  readonly definitions: readonly MarketDefinition[];
  readonly history: History;
  /** By market: whether its bars are made of its trades. */
  readonly isTradeBarred: readonly boolean[];
  /** By strategy: bars from before the start that it sees first. */
  readonly warmUps: readonly (readonly Bar[] | undefined)[];
  /** Recorded series of the data; undefined without any. */
  readonly series: SeriesFeed | undefined;
  /** In addition to the replay's own; they see every block. */
  readonly observers: readonly Observer[];
  /** Each block is recorded by itself. */
  readonly recordsEach?: boolean;
  /** Receives each transaction when a strategy sends it, with the name of the strategy. */
  readonly onSend?: ((sent: SentTransaction, name: string) => void) | undefined;
  /** Receives each transaction that the venue refuses where it arrives, with the name of the strategy. */
  readonly onRefuse?: ((refused: Refused, name: string) => void) | undefined;
  /** Receives what the recorder of a strategy's report is given. */
  readonly listen?: ((name: string) => RecordListener | undefined) | undefined;
}

/** A venue that history drives and strategies trade in, block by block. */
export class Replay {
  readonly genesis: Genesis;
  readonly simulation: Simulation;
  /** By name. */
  readonly traders: readonly Trader[];
  readonly recorders: Recorders;
  readonly #history: History;
  readonly #builder: BlockBuilder;
  readonly #needed: NeededBlocks;
  readonly #nothingDue: DueTransactions;
  readonly #definitions: readonly MarketDefinition[];
  /** Strategies whose messages take time. */
  readonly #remote: readonly Trader[];
  /** Of a run with one strategy, over bars. */
  readonly #barPass: BarPass | undefined;

  private constructor(parts: ReplayParts, genesis: Genesis, builder: BlockBuilder, remotes?: typeof Remotes) {
    const { settings, definitions, history, observers, isTradeBarred, warmUps, onSend, onRefuse, listen } = parts;
    const { firstMs } = history;
    this.genesis = genesis;
    this.#history = history;
    this.#builder = builder;
    this.#definitions = definitions;
    const state = createVenue(genesis);
    const reads = new VenueReads(state, this.#openInstant());
    const markets = definitions.map(({ name }) => name);
    const isAlone = settings.strategies.length === 1;
    this.recorders = new Recorders({ strategies: settings.strategies, markets, startMs: firstMs, state, listen });
    const connections = remotes && new remotes(reads, () => history.instantMs);
    this.traders = settings.strategies.map(
      (strategy, place) =>
        new Trader({
          settings: strategy,
          key: STRATEGIES[place]!,
          reads,
          definitions,
          recorder: this.recorders.of(place),
          isTradeBarred,
          barMs: settings.barMs,
          warmUp: warmUps[place],
          series: parts.series?.open(strategy.link.isDirect),
          history,
          isQuiet: () =>
            isAlone && this.#remote.length === 0 && !this.#needed.needsAll && !isTradeBarred.includes(true),
          isOfSeveral: !isAlone,
          recordsEach: parts.recordsEach === true,
          firstMs,
          onSend: onSend === undefined ? undefined : (sent) => onSend(sent, strategy.name),
          onRefuse: onRefuse === undefined ? undefined : (refused) => onRefuse(refused, strategy.name),
          genesis,
          remotes: strategy.link.isDirect ? undefined : connections,
          catchUp: () => this.#catchUp(),
        }),
    );
    this.#nothingDue = { transactions: [], places: this.traders.map(() => []) };
    this.#needed = new NeededBlocks(settings.blocks, history, reads, this.traders);
    this.#remote = this.traders.filter(({ isRemote }) => isRemote);
    if (isAlone && this.#remote.length === 0 && history.hasPath) {
      this.#barPass = new BarPass(history, this.#needed, this.traders[0]!);
    }
    this.simulation = new Simulation(state, observers);
  }

  /** What strategies see of instants without a block. */
  #openInstant(): PassedInstant {
    const history = this.#history;
    const rests = () => this.#needed.rests;
    return {
      get passedMs() {
        return history.passedMs;
      },
      houses: history.flows,
      get rests() {
        return rests();
      },
      makeBlock: () => this.#catchUp(),
    };
  }

  /** Founds the venue just before the first block, whose time the history knows by now. */
  static async open(parts: ReplayParts): Promise<Replay> {
    const { settings, definitions, history } = parts;
    const { firstMs } = history;
    const genesis = createReplayGenesis(settings, definitions, firstMs);
    const count = settings.strategies.length;
    const signatures = settings.signatures === "verify" ? await openSignaturesOf(genesis, count) : undefined;
    const isDirect = settings.strategies.every(({ link }) => link.isDirect);
    const remotes = isDirect ? undefined : (await import("./link/openRemote.ts")).Remotes;
    return new Replay(parts, genesis, new BlockBuilder(signatures), remotes);
  }

  get state(): State {
    return this.simulation.state;
  }

  /** No strategy trades any more, so the run ends before its data does. */
  get isStopped(): boolean {
    for (const { stop } of this.traders) if (stop === undefined) return false;
    return true;
  }

  /** Makes every block that is fully known, unless the run has stopped. */
  advance(): void {
    let hasMore = true;
    while (hasMore) hasMore = this.#advanceSome();
  }

  /**
   * Passes some instants, and returns whether more may be known. V8 forgets the code that it has compiled for one loop
   * with every full collection, and keeps that of a function: so the function is called many times.
   */
  #advanceSome(): boolean {
    for (let instant = 0; instant < INSTANTS_AT_ONCE; instant++) {
      if (this.isStopped) return false;
      // Transactions sent at the end of the data are in no block.
      const dueMs = this.#dueMs;
      if (this.#barPass?.pass(dueMs)) continue;
      if (!this.#moveOn(dueMs)) return false;
    }
    return true;
  }

  /**
   * Moves instant by instant, to one that calls a strategy or has a block, or over so many.
   *
   * @returns false where the next instant is not known, or none comes
   */
  #moveOn(dueMs: number): boolean {
    const history = this.#history;
    for (let instant = 0; instant < INSTANTS_AT_ONCE; instant++) {
      const timeMs = history.nextBlockMs(dueMs);
      if (this.#remote.length > 0 && this.#wakeBefore(timeMs)) return true;
      if (timeMs === undefined) return false;
      const segments = history.moveTo(timeMs);
      const need = this.#needed.decide(timeMs);
      if (need === "none") {
        // Without a call of a strategy nothing changes when it is needed next. Further bars may be passed in one step.
        if (this.#pass(timeMs, segments) || this.#barPass !== undefined) return true;
        continue;
      }
      if (need === "two") this.#catchUp();
      this.#makeBlock(timeMs, segments);
      return true;
    }
    return true;
  }

  /**
   * Calls the strategies whose clocks come to a message or a timer next, if that is before an instant.
   *
   * @param nextMs of the instant; undefined where it is not known, or none comes
   * @returns whether one was called: it may have sent something that makes an earlier instant
   */
  #wakeBefore(nextMs: number | undefined): boolean {
    const untilMs = nextMs ?? this.#history.knownMs + 1;
    let wakeMs = Number.POSITIVE_INFINITY;
    for (const trader of this.#remote) wakeMs = Math.min(wakeMs, trader.wakeMs);
    if (!(wakeMs < untilMs)) return false;
    for (const trader of this.#remote) if (trader.wakeMs <= wakeMs) trader.wake(wakeMs);
    return true;
  }

  /** Makes the last blocks and ends the run. A run that has stopped ends at its last block. */
  finish(): void {
    if (!this.isStopped) this.#history.finish();
    this.advance();
    this.#catchUp();
    for (const trader of this.traders) trader.end();
    this.simulation.end();
    this.#history.release();
  }

  /** Latest time of the next instant that a strategy needs. */
  get #dueMs(): number {
    let dueMs = Number.POSITIVE_INFINITY;
    for (const trader of this.traders) dueMs = Math.min(dueMs, trader.dueMs, trader.hookMs);
    return dueMs;
  }

  /**
   * An instant without a block: the report and the strategies see it.
   *
   * @returns whether one of them was called
   */
  #pass(timeMs: number, segments: readonly Segment[]): boolean {
    const { flows } = this.#history;
    this.#history.pass();
    for (const trader of this.traders) trader.pass(timeMs, flows);
    let isCalled = false;
    for (const trader of this.traders) if (trader.callHooksBetween(segments, timeMs)) isCalled = true;
    return isCalled;
  }

  /** Makes a block of the last instant if it was passed, so that the venue has its prices and its depth. */
  #catchUp(): void {
    const timeMs = this.#history.passedMs;
    if (timeMs === undefined) return;
    const block = this.#builder.build(timeMs, this.#history.takePassedActions(), []);
    const result = this.simulation.apply(block);
    this.#checkHistory(block, result.receipts, block.transactions.length);
    for (const trader of this.traders) {
      if (trader.readPassed(block, result)) continue;
      throw fault(block, "an account changed at an instant where the schedule needed no block");
    }
  }

  #makeBlock(timeMs: number, segments: readonly Segment[]): void {
    const { hasHouse, isReached } = this.#needed;
    const actions = hasHouse
      ? this.#history.takeActions(isReached, this.#findReaches(timeMs))
      : this.#history.takePrices();
    const { transactions, places } = this.#takeDue(timeMs, actions.length);
    const block = this.#builder.build(timeMs, actions, transactions);
    const result = this.simulation.apply(block);
    this.#checkHistory(block, result.receipts, actions.length);
    for (let place = 0; place < places.length; place++) this.traders[place]!.read(block, result, places[place]!);
    this.#needed.read(this.state, transactions.length > 0);
    if (!hasHouse && (this.#needed.needsAll || this.#needed.rests)) {
      throw fault(block, "an account changed in a block without quotes");
    }
    for (const trader of this.traders) trader.callHooks(segments, timeMs);
  }

  /** What strategies send in a block. @param first place of the first of it */
  #takeDue(timeMs: number, first: number): DueTransactions {
    for (const { dueMs } of this.traders) {
      if (dueMs <= timeMs) return takeDue(this.traders, this.#builder.nextHeight, timeMs, first);
    }
    return this.#nothingDue;
  }

  /** What the block's transactions can reach of recorded books; undefined where every level is needed. */
  #findReaches(timeMs: number): BookReach[] | undefined {
    if (this.#needed.needsBook) return undefined;
    return findReaches(
      this.traders.flatMap((trader) => trader.listDue(timeMs)),
      this.#definitions,
    );
  }

  #checkHistory({ height, timeMs, transactions }: SealedBlock, receipts: Receipts, count: number): void {
    for (let index = 0; index < count; index++) {
      if (receipts.codes[index] === 0) continue;
      const { action, payload } = transactions[index]!;
      const at = new Date(timeMs).toISOString();
      if (action === "houseFlow" && receipts.code(index) === "NUMERIC_LIMIT") {
        throw tooLarge((payload as Payloads["houseFlow"]).market, at);
      }
      throw new BacktestError("REPLAY_REFUSED", `the venue refused ${action} at ${at}: ${receipts.code(index)}`, {
        place: `block ${height}`,
        hint: "if the market's parameters were changed with --set, undo that; else this is a fault in perplab",
      });
    }
  }
}

/** Recorded sizes decide how much the house rests. */
function tooLarge(market: string, at: string): BacktestError {
  return new BacktestError(
    "DATA_UNUSABLE",
    `market ${market}: at ${at} one side of its recorded book holds more lots than a venue can store (4.5e15)`,
    {
      place: market,
      hint: "check the sizes of the data at that time (perplab tape head --kind depth), or set a larger lot with --lot",
    },
  );
}

function fault({ height, timeMs }: SealedBlock, reason: string): BacktestError {
  return new BacktestError("REPLAY_REFUSED", `${reason}, at ${new Date(timeMs).toISOString()}`, {
    place: `block ${height}`,
    hint: "this is a fault in perplab; --blocks all makes every block",
  });
}

function createReplayGenesis(settings: Settings, definitions: readonly MarketDefinition[], firstMs: number): Genesis {
  return createGenesis({
    timeMs: firstMs - 1,
    authorities: AUTHORITIES,
    markets: definitions.map(({ name, preset, parameters }) => ({ name, preset, parameters })),
    accounts: [
      HOUSE_ACCOUNT,
      ...settings.strategies.map(({ deposit }, place) => ({
        address: STRATEGIES[place]!.address,
        subaccount: STRATEGIES[place]!.subaccount,
        role: "normal" as const,
        balance: formatDecimal(deposit, AMOUNT_DECIMALS),
      })),
    ],
    insurance: settings.insurance,
    features: { faucet: false },
  });
}

/** Imported only where signatures are made, since the modules for curves and hashes are large. */
async function openSignaturesOf(genesis: Genesis, strategies: number): Promise<Signatures> {
  const { openSignatures } = await import("../../venue/simulation/signatures.ts");
  return openSignatures(genesis, listKeys(strategies));
}
