import { parseDecimal } from "../../../ground/math/decimal.ts";
import { DECIMALS } from "../../../protocol/fields.ts";
import type { BookLevel } from "../../api/schemas/markets.ts";
import type { Level, MarketView } from "../../strategy/context.ts";
import type { Side } from "../../strategy/facts.ts";
import { computeSmallestSize, roundOrderSize, type SizeRules } from "../../strategy/orderSize.ts";
import type { OrderRules } from "../../strategy/requests.ts";
import { roundToStep } from "../../strategy/units.ts";
import type { MarketFacts, VenueView } from "./venueView.ts";

/** One market as of the last view. */
export class LiveMarket implements MarketView {
  readonly name: string;
  readonly #view: () => VenueView;
  /** Leverage that this client has chosen; the venue reports it only with a position. */
  chosenLeverage: number | undefined;

  constructor(name: string, view: () => VenueView) {
    this.name = name;
    this.#view = view;
  }

  get #facts(): MarketFacts {
    return this.#view().markets.get(this.name)!;
  }

  get orderRules(): OrderRules {
    const { tickSize, lotSize, slippageMost } = this.#facts.rules;
    return { name: this.name, tickSize: e8(tickSize), lotSize: e8(lotSize), slippageMost: Number(slippageMost) };
  }

  get tickSize(): number {
    return Number(this.#facts.rules.tickSize);
  }

  get lotSize(): number {
    return Number(this.#facts.rules.lotSize);
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
    return position?.leverage ?? this.chosenLeverage ?? this.#facts.rules.leverageMost;
  }

  /** Largest order, units of base. */
  get maxSize(): number {
    return Number(this.#facts.rules.maxSize);
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

  roundPrice(price: number, way: "down" | "up" | "nearest" = "nearest"): number {
    return roundToStep(price, this.orderRules.tickSize, way);
  }

  get smallestSize(): number {
    return computeSmallestSize(this.#sizeRules, this.mark ?? this.last ?? 0);
  }

  roundSize(size: number): number {
    return roundOrderSize(size, this.#sizeRules, this.mark ?? this.last ?? 0);
  }

  get #sizeRules(): SizeRules {
    const { lotSize, minSize, maxSize, minNotional } = this.#facts.rules;
    return {
      lotSize: e8(lotSize),
      minSize: Number(minSize),
      maxSize: Number(maxSize),
      minNotional: Number(minNotional),
    };
  }
}

const e8 = (text: string) => parseDecimal(text, DECIMALS.price);
const numberOf = (text: string | null) => (text === null ? undefined : Number(text));
const levelOf = ([price, size]: BookLevel): Level => ({ price: Number(price), size: Number(size) });
