import { parseDecimal } from "../../../ground/math/decimal.ts";
import { DECIMALS } from "../../../protocol/fields.ts";
import type { BookLevel } from "../../api/schemas/markets.ts";
import type { Level, MarginMode } from "../../strategy/context.ts";
import type { Side } from "../../strategy/facts.ts";
import { type MarketRules, StrategyMarket } from "../../strategy/strategyMarket.ts";
import type { Market } from "../resources.ts";
import type { MarketFacts, VenueView } from "./venueView.ts";

/** One market as of the last view. */
export class LiveMarket extends StrategyMarket {
  readonly name: string;
  readonly #view: () => VenueView;
  #read: { readonly of: Market; readonly rules: MarketRules } | undefined;
  readonly #chosen: ReadonlyMap<string, number>;
  readonly #modes: ReadonlyMap<string, MarginMode>;

  /**
   * The leverages and margin modes are by market, as blocks applied them; the venue reports them only with a position.
   */
  constructor(
    name: string,
    view: () => VenueView,
    { leverages, modes }: { leverages: ReadonlyMap<string, number>; modes: ReadonlyMap<string, MarginMode> },
  ) {
    super();
    this.name = name;
    this.#view = view;
    this.#chosen = leverages;
    this.#modes = modes;
  }

  get #facts(): MarketFacts {
    return this.#view().markets.get(this.name)!;
  }

  get rules(): MarketRules {
    const of = this.#facts.rules;
    if (this.#read?.of !== of) this.#read = { of, rules: rulesOf(of) };
    return this.#read.rules;
  }

  get mark(): number | undefined {
    return numberOf(this.#facts.prices.mark.value);
  }

  get index(): number | undefined {
    return numberOf(this.#facts.prices.index.value);
  }

  get last(): number | undefined {
    return numberOf(this.#facts.prices.last);
  }

  get bestBid(): number | undefined {
    return numberOf(this.#facts.prices.bestBid);
  }

  get bestAsk(): number | undefined {
    return numberOf(this.#facts.prices.bestAsk);
  }

  get fundingRate(): number {
    return Number(this.#facts.prices.fundingRate);
  }

  get fundingTimeMs(): number | undefined {
    return this.#facts.fundingTimeMs;
  }

  get leverage(): number {
    const position = this.#view().positions.get(this.name);
    return position?.leverage ?? this.#chosen.get(this.name) ?? this.#facts.rules.leverageMost;
  }

  get marginMode(): MarginMode {
    return this.#view().positions.get(this.name)?.marginMode ?? this.#modes.get(this.name) ?? "cross";
  }

  get takerFee(): number {
    return Number(this.#facts.rules.fees.taker);
  }

  get makerFee(): number {
    return Number(this.#facts.rules.fees.maker);
  }

  depth(side: Side, levels = 10): Level[] {
    const { bids, asks } = this.#facts.book;
    return (side === "buy" ? bids : asks).slice(0, levels).map(levelOf);
  }
}

function rulesOf({ tickSize, lotSize, minSize, maxSize, minNotional, slippageMost }: Market): MarketRules {
  return {
    tickSize: parseDecimal(tickSize, DECIMALS.price),
    lotSize: parseDecimal(lotSize, DECIMALS.size),
    minSize: parseDecimal(minSize, DECIMALS.size),
    maxSize: parseDecimal(maxSize, DECIMALS.size),
    minNotional: parseDecimal(minNotional, DECIMALS.amount),
    slippageMax: parseDecimal(slippageMost, DECIMALS.rate) / 1e3,
  };
}

const numberOf = (text: string | null) => (text === null ? undefined : Number(text));
const levelOf = ([price, size]: BookLevel): Level => ({ price: Number(price), size: Number(size) });
