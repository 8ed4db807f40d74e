import type { Level, MarginMode } from "../../../client/strategy/context.ts";
import type { Side } from "../../../client/strategy/facts.ts";
import { StrategyMarket } from "../../../client/strategy/strategyMarket.ts";
import { fromE8, fromPpb, fromPpm, fromSteps } from "../../../client/strategy/units.ts";
import { NONE } from "../../../ground/collections/table.ts";
import type { Ticks } from "../../../ground/math/fixed.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { MARGIN_MODES } from "../../../protocol/words.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../../venue/engine/state/state.ts";

/** One market of the venue as a strategy sees it. Every value is read from the state when it is asked for. */
export class VenueMarket extends StrategyMarket {
  readonly name: string;
  readonly row: MarketRow;
  readonly #state: State;
  readonly #account: AccountRow;
  readonly #refresh: () => void;

  /** @param refresh brings the venue up to date */
  constructor(state: State, row: MarketRow, account: AccountRow, refresh: () => void) {
    super();
    this.#refresh = refresh;
    this.#state = state;
    this.#account = account;
    this.row = row;
    this.name = state.marketNames[row]!;
  }

  get rules(): MarketParameters {
    return this.#state.parameters[this.row]!;
  }

  get mark(): number | undefined {
    this.#refresh();
    return known(fromE8(this.#state.markets.mark[this.row]!));
  }

  get index(): number | undefined {
    this.#refresh();
    return known(fromE8(this.#state.markets.index[this.row]!));
  }

  get last(): number | undefined {
    this.#refresh();
    return known(this.#priceOf(this.#state.markets.last[this.row]!));
  }

  get bestBid(): number | undefined {
    this.#refresh();
    return known(this.#priceOf(this.#state.books[this.row]!.bestBid));
  }

  get bestAsk(): number | undefined {
    this.#refresh();
    return known(this.#priceOf(this.#state.books[this.row]!.bestAsk));
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

  depth(side: Side, levels = 10): Level[] {
    this.#refresh();
    const { orders } = this.#state;
    const book = this.#state.books[this.row]!;
    const found: Level[] = [];
    let price: Ticks = side === "buy" ? book.bestBid : book.bestAsk;
    while (price !== 0 && found.length < levels) {
      let lots = 0;
      for (let order = book.head(price); order !== NONE; order = orders.levelNext[order]!) {
        lots += orders.remaining[order]!;
      }
      found.push({ price: this.#priceOf(price), size: fromSteps(lots, this.rules.lotSize) });
      price = side === "buy" ? book.below(price) : book.above(price);
    }
    return found;
  }

  #priceOf(ticks: number): number {
    return fromSteps(ticks, this.rules.tickSize);
  }
}

/** Zero means nothing yet. */
function known(value: number): number | undefined {
  return value === 0 ? undefined : value;
}
