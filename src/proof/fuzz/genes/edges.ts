/** Amounts and limits exact to the unit, found by asking the venue's own checks. */
import { NONE } from "../../../ground/collections/table.ts";
import { LIMIT } from "../../../ground/math/fixed.ts";
import { ACTION_CODES, type ActionName } from "../../../protocol/actions/index.ts";
import type { RejectionCode } from "../../../protocol/rejections.ts";
import { HANDLERS } from "../../../venue/engine/actions/index.ts";
import { type ActionContext, ORDERS_PER_TRANSACTION } from "../../../venue/engine/handler/defineHandler.ts";
import { measure } from "../../../venue/engine/margin/health.ts";
import type { AccountRow, AuthorizationRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { Choices } from "./choices.ts";
import type { Scene } from "./scene.ts";

/** Offsets from an edge; choice 0 is the edge itself. */
const SIDES = [0, 1, -1] as const;

/**
 * Greatest accepted value of [low, high]; `low` if none is. Every value above a refused one must be refused as well.
 */
export function findEdge(low: number, high: number, accepts: (value: number) => boolean): number {
  if (accepts(high)) return high;
  let good = low;
  let bad = high;
  while (bad - good > 1) {
    const middle = good + Math.floor((bad - good) / 2);
    if (accepts(middle)) good = middle;
    else bad = middle;
  }
  return good;
}

/** Choices that select a number. All three are always read, so that later choices keep their positions. */
export interface Aim {
  readonly way: number;
  readonly detail: number;
  /** 0, or the offset to one side of an edge. */
  readonly side: number;
}

export function readAim(choices: Choices): Aim {
  return { way: choices.next(), detail: choices.next(), side: SIDES[choices.next() % SIDES.length]! };
}

/** A number on an edge or one unit next to it, storable and not negative. */
export function near(choices: Choices, edge: number): number {
  return keepStorable(edge + choices.pick(SIDES));
}

/** The same with the offset of an aim. */
export function hit({ side }: Aim, edge: number): number {
  return keepStorable(edge + side);
}

export function keepStorable(value: number): number {
  return Math.min(Math.max(value, 0), LIMIT);
}

/** True if a venue would accept an action of an account now. Writes nothing. */
export function accepts(state: State, account: AccountRow, action: ActionName, payload: unknown): boolean {
  return refusalOf(state, account, action, payload) === undefined;
}

/** Code with which a venue would reject an action of an account now; undefined if it would accept. Writes nothing. */
export function refusalOf(
  state: State,
  account: AccountRow,
  action: ActionName,
  payload: unknown,
): RejectionCode | undefined {
  const context: ActionContext = {
    account,
    grant: NONE as AuthorizationRow,
    transaction: undefined,
    firstOrderId: state.consumed * ORDERS_PER_TRANSACTION,
    outcome: NONE,
    orderId: 0,
    stopped: NONE,
    cut: undefined,
    results: undefined,
    refused: undefined,
    carried: undefined,
  };
  const plan = HANDLERS[ACTION_CODES[action]]!.check(state, context, payload);
  return plan.rejected ? plan.code : undefined;
}

/** Ways to choose an amount; the plainest first. */
const AMOUNT_WAYS = [
  "part",
  "part",
  "part",
  "free",
  "edge",
  "edge",
  "maintenance",
  "collateral",
  "power",
  "one",
  "most",
] as const;

/**
 * An amount in quote units. It is a share of free collateral, all of it, the largest accepted amount, the difference
 * between equity and maintenance margin, or a number at an edge of the number range.
 *
 * @param free    collateral that is free
 * @param isTaken true if the venue accepts an amount
 */
export function drawAmount(
  choices: Choices,
  scene: Scene,
  account: AccountRow,
  free: number,
  isTaken: (amount: number) => boolean,
): number {
  const aim = readAim(choices);
  const { detail } = aim;
  const most = Math.max(free, 0);
  const amount = drawAsIs(aim, scene, account, most, isTaken);
  if ((detail >> 8) % 4 === 0 || aim.side !== 0 || isTaken(amount)) return amount;
  // A part of the largest accepted amount instead.
  const edge = findEdge(0, Math.min(LIMIT, 2 * most + 1), isTaken);
  return detail % 4 === 0 ? edge : Math.max(1, Math.floor((edge * (1 + (detail % 97))) / 100));
}

function drawAsIs(
  aim: Aim,
  scene: Scene,
  account: AccountRow,
  most: number,
  isTaken: (amount: number) => boolean,
): number {
  const { detail } = aim;
  switch (AMOUNT_WAYS[aim.way % AMOUNT_WAYS.length]!) {
    case "part":
      return Math.max(1, Math.floor((most * (10 + (detail % 40))) / 100));
    case "free":
      return hit(aim, most);
    case "edge":
      return hit(aim, findEdge(0, Math.min(LIMIT, 2 * most + 1), isTaken));
    case "maintenance": {
      const { overflow, equity, maintenance } = measure(scene.state, account, 0);
      return overflow ? 0 : hit(aim, Math.abs(equity - maintenance));
    }
    case "collateral":
      return hit(aim, Math.max(0, scene.state.accounts.collateral[account]!));
    case "power":
      return hit(aim, 2 ** (detail % 53));
    case "one":
      return detail & 1;
    case "most":
      return LIMIT - (detail % 3);
  }
}
