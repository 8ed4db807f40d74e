/** Builds genes deliberately: choices by name instead of by position. */
import { GENE_WIDTH } from "../genes/choices.ts";
import { LOT_WAYS } from "../genes/lots.ts";
import { OPERATION, type Operation } from "../genes/operations.ts";
import { PRICE_WAYS } from "../genes/prices.ts";
import { BY_NAME, NAMES } from "../genes/references.ts";
import { STEP_TO_EDGE } from "../genes/resolve.ts";
import { OWNER_BELOW } from "../genes/sign.ts";
import { TICK_WAYS } from "../genes/ticks.ts";

/** Fields that are left out are 0, the plainest choice. */
export interface GeneInit {
  readonly actor?: number;
  readonly market?: number;
  readonly header?: number;
  readonly detail?: number;
  readonly nonce?: number;
  /** Choices that the operation reads, in its order. */
  readonly payload?: readonly number[];
}

export type Gene = readonly number[];

export function writeGene(operation: Operation, init: GeneInit = {}): Gene {
  const { actor = 0, market = 0, header = 0, detail = 0, nonce = 0, payload = [] } = init;
  const choices = [OPERATION[operation], actor, market, header, detail, nonce, ...payload];
  return Array.from({ length: GENE_WIDTH }, (_, place) => choices[place] ?? 0);
}

export interface OrderInit {
  readonly actor: number;
  readonly market: number;
  readonly side: 0 | 1;
  /** Price reference, as in `TICK_WAYS`, and the distance from it or a detail. */
  readonly at: keyof typeof TICK_PLACES;
  readonly away?: number;
  /** Size reference, as in `LOT_WAYS`. */
  readonly size: keyof typeof LOT_PLACES;
  readonly more?: number;
  /** 0 on an edge, 1 above, 2 below. */
  readonly near?: number;
  /** Choice of the time in force: good till cancelled, GTT 5, IOC 6, FOK 7. */
  readonly life?: number;
  readonly selfTrade?: number;
  readonly reduceOnly?: boolean;
  /** Choice of the client order id: none, or the first, second or third. */
  readonly name?: number;
  readonly header?: number;
  /** Choices of a last height or time, if the time in force needs one. */
  readonly expiry?: readonly number[];
}

/** Gene of an order. */
export function order(init: OrderInit): Gene {
  const { actor, market, side, at, away = 0, size, more = 0, near = 0, life = 0, selfTrade = 0, name = 0 } = init;
  const turn = 256 * side + (init.reduceOnly === true ? 3 : 0);
  const aims = [TICK_PLACES[at], away, 0, LOT_PLACES[size], more, near];
  const named = name === 0 ? 0 : FIRST_NAME + name - 1;
  return writeGene("placeOrder", {
    actor,
    market,
    header: init.header ?? 0,
    payload: [turn, 0, life, 0, 0, (selfTrade << 4) + (named << 7), ...aims, ...(init.expiry ?? [])],
  });
}

/** Changes of a size, by the index of the choice. */
const RESIZES = { less: 0, kept: 1, same: 2, more: 3, half: 4, double: 5, edge: 6 } as const;

interface AmendInit {
  readonly actor: number;
  readonly header?: number;
  /** The n-th newest order of the account by id, or another order, or an order by name. */
  readonly place?: number;
  readonly isNamed?: boolean;
  readonly size?: keyof typeof RESIZES;
  /** Reference of the new price, as for an order. */
  readonly at?: keyof typeof TICK_PLACES;
  readonly away?: number;
  readonly near?: number;
  /** Choices of a last height or time. */
  readonly expiry?: readonly number[];
}

/** Gene that changes the size, price or expiry of an order. */
export function amend(init: AmendInit): Gene {
  const { actor, header = 0, place = 0, isNamed = false, size = "kept", at, away = 0, near = 0, expiry } = init;
  const what = (at === undefined ? 0 : 1) + (expiry === undefined ? 0 : 14);
  const aim = [at === undefined ? 0 : TICK_PLACES[at], away, at === undefined ? 0 : near];
  const edge = size === "edge" ? [near] : [];
  const payload = [isNamed ? BY_NAME : 0, place, what, ...aim, RESIZES[size], ...edge, ...(expiry ?? [])];
  return writeGene("amendOrder", { actor, header, payload });
}

/** Gene that moves the world price and reports it. */
export function price(market: number, way: keyof typeof PRICE_PLACES, ...details: readonly number[]): Gene {
  return writeGene("price", { market, payload: [PRICE_PLACES[way], ...details] });
}

/** Gene that ends the block: after a second, or at an edge of time. */
export function block(edge?: number, market = 0): Gene {
  return edge === undefined ? writeGene("block") : writeGene("block", { market, payload: [STEP_TO_EDGE, edge] });
}

/**
 * Header signed by an agent, if the account has one; and header signed only by an agent whose grant is still usable.
 */
export const BY_AGENT = OWNER_BELOW;
export const BY_LIVE_AGENT = OWNER_BELOW + 1;

const FIRST_NAME = NAMES.findIndex((text) => text !== "");
const TICK_PLACES = placesOf(TICK_WAYS);
const LOT_PLACES = placesOf(LOT_WAYS);
const PRICE_PLACES = placesOf(PRICE_WAYS);

/** Index of the first occurrence of each word. */
function placesOf<W extends string>(words: readonly W[]): Readonly<Record<W, number>> {
  return Object.fromEntries(words.map((word) => [word, words.indexOf(word)])) as Record<W, number>;
}
