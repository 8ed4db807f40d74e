/** Parts of recipes. */
import type { Draw } from "../../../ground/math/draw.ts";
import { NEWCOMER } from "../genes/authorities.ts";
import { SHARES } from "../genes/lots.ts";
import { block, type Gene, order, price, writeGene } from "./gene.ts";

/** Draws the genes of a recipe. */
export type Recipe = (random: Draw) => readonly Gene[];

export const UP = 1;
export const DOWN = 0;

/** The price moves as far as the index follows in a block, several times, one block each. */
export function march(random: Draw, market: number, way: number, blocks: number): Gene[] {
  return repeat(blocks, () => [price(market, "clamp", way, random.below(3)), block()]);
}

export function repeat(count: number, make: (place: number) => readonly Gene[]): Gene[] {
  return Array.from({ length: count }, (_, place) => make(place)).flat();
}

/** Detail of a size that is a percentage of what an account can carry, up to the market's largest size. */
export const shareOf = (percent: number) => SHARES.indexOf(percent as (typeof SHARES)[number]);

export const anyone = (random: Draw) => random.below(16);

/**
 * New accounts with the same collateral, `newest` counts from the last one. @param amount its index among the usual
 * amounts
 */
export function newcomers(count: number, amount: number): Gene[] {
  return repeat(count, (place) => [writeGene("deposit", { payload: [NEWCOMER + 16 * place, amount] })]);
}

/** Occasionally another market with its price: most venues have only one. */
export function secondMarket(random: Draw): Gene[] {
  return random.chance(1, 3) ? [writeGene("createMarket"), block(), writeGene("block", { payload: [0, 7] })] : [];
}

/** Orders of several accounts on both sides of a market. */
export function ladder(random: Draw, market: number, count: number): Gene[] {
  return Array.from({ length: count }, () =>
    order({
      actor: anyone(random),
      market,
      side: random.below(2) as 0 | 1,
      at: "near",
      away: random.below(1000),
      size: "few",
      more: random.below(20),
    }),
  );
}

/** A position of an account, sized by what it can carry, against any quote. */
export function enter(random: Draw, actor: number, market: number, side: 0 | 1): Gene[] {
  const counter = actor + 1 + random.below(3);
  const more = random.below(8);
  return [
    order({ actor: counter, market, side: (1 - side) as 0 | 1, at: "mark", size: "share", more }),
    block(), // an order meets what the previous block left
    order({ actor, market, side, at: "touch", size: random.pick(["share", "touch", "margin"] as const), more }),
  ];
}
