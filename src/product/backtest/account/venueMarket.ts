import type { Level, MarginMode } from "../../../client/strategy/context.ts";
import type { Side } from "../../../client/strategy/facts.ts";
import { StrategyMarket } from "../../../client/strategy/strategyMarket.ts";
import { fromE8, fromPpb, fromPpm, fromSteps } from "../../../client/strategy/units.ts";
import { NONE } from "../../../ground/collections/table.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { MARGIN_MODES } from "../../../protocol/words.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../../venue/engine/state/state.ts";
import type { Reads } from "./venueReads.ts";

/** One market of the venue as a strategy sees it. Every value is read from the state when it is asked for. */
export class VenueMarket extends StrategyMarket {
  readonly name: string;
  readonly row: MarketRow;
  readonly #state: State;
  readonly #account: AccountRow;
  readonly #reads: Reads;

  constructor(reads: Reads, row: MarketRow, account: AccountRow) {
    super();
    const { state } = reads;
    this.#reads = reads;
    this.#state = state;
    this.#account = account;
    this.row = row;
    this.name = state.marketNames[row]!;
  }

  get rules(): MarketParameters {
    return this.#state.parameters[this.row]!;
  }

  get mark(): number | undefined {
    return known(fromE8(this.#reads.readMark(this.row)));
  }

  get index(): number | undefined {
    return known(fromE8(this.#reads.readIndex(this.row)));
  }

  get last(): number | undefined {
    return known(this.#priceOf(this.#reads.readLast(this.row)));
  }

  get bestBid(): number | undefined {
    return known(this.#priceOf(this.#reads.readBest("buy", this.row)));
  }

  get bestAsk(): number | undefined {
    return known(this.#priceOf(this.#reads.readBest("sell", this.row)));
  }

  get fundingRate(): number {
    return fromPpb(this.#state.markets.fundingRate[this.row]!);
  }

  get fundingTimeMs(): number | undefined {
    return known(this.#state.markets.settledTime[this.row]!);
  }

  get leverage(): number {
    const position = getPosition(this.#state, this.#account, this.row);
    const chosen = position === NONE ? 0 : this.#state.positions.leverage[position]!;
    return chosen === 0 ? this.rules.leverageMax : chosen;
  }

  get marginMode(): MarginMode {
    const position = getPosition(this.#state, this.#account, this.row);
    return position === NONE ? "cross" : MARGIN_MODES[this.#state.positions.mode[position]!]!;
  }

  /** Greatest leverage of the market. */
  get leverageMax(): number {
    return this.rules.leverageMax;
  }

  get takerFee(): number {
    return fromPpm(this.rules.takerFee);
  }

  get makerFee(): number {
    return fromPpm(this.rules.makerFee);
  }

  depth(side: Side, most = 10): Level[] {
    const { lotSize } = this.rules;
    return this.#reads
      .listLevels(side, this.row, most)
      .map(({ ticks, lots }) => ({ price: this.#priceOf(ticks), size: fromSteps(lots, lotSize) }));
  }

  #priceOf(ticks: number): number {
    return fromSteps(ticks, this.rules.tickSize);
  }
}

/** Zero means nothing yet. */
function known(value: number): number | undefined {
  return value === 0 ? undefined : value;
}
