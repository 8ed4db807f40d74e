import { StrategyError } from "./errors.ts";

/** The markets of a run, by name. The first is the main one. */
export class MarketList<Market extends { readonly name: string }> {
  readonly all: readonly Market[];

  constructor(markets: readonly Market[]) {
    this.all = markets;
  }

  /**
   * The market of a name; the first without one.
   *
   * @throws {StrategyError} ORDER_INVALID if there is none
   */
  find(name: string | undefined): Market {
    if (name === undefined) return this.all[0]!;
    for (const market of this.all) if (market.name === name) return market;
    throw unknownMarket(
      name,
      this.all.map((known) => known.name),
    );
  }
}

/** The error of a market that is not among the known ones. */
export function unknownMarket(name: string, known: readonly string[]): StrategyError {
  return new StrategyError("ORDER_INVALID", `there is no market ${JSON.stringify(name)}`, {
    place: "market",
    hint: `markets are ${known.join(", ")}`,
  });
}
