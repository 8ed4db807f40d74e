/** Amounts and limits to the unit, found by asking the venue's own checks. */
import { NONE } from "../../../ground/collections/table.ts";
import { LIMIT } from "../../../ground/math/fixed.ts";
import { ACTION_CODES, type ActionName } from "../../../protocol/actions/index.ts";
import type { RejectionCode } from "../../../protocol/rejections.ts";
import { type ActionContext, ORDERS_PER_TRANSACTION } from "../../../venue/engine/actions/defineHandler.ts";
import { HANDLERS } from "../../../venue/engine/actions/index.ts";
import { measure } from "../../../venue/engine/margin/health.ts";
import type { AccountRow, AuthorizationRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { Choices } from "./choices.ts";
import type { Scene } from "./scene.ts";

/** Beside an edge, choice 0 on it. */
const SIDES = [0, 1, -1] as const;

/** Greatest value of [low, high] that is accepted, where what is above a refused one is refused; `low` where none is. */
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

/**
 * How a number is aimed. All three are read whichever are used, so that the choices behind them keep their places.
 */
export interface Aim {
  readonly way: number;
  readonly detail: number;
  /** 0, or to one side of an edge. */
  readonly side: number;
}

export function readAim(choices: Choices): Aim {
  return { way: choices.next(), detail: choices.next(), side: SIDES[choices.next() % SIDES.length]! };
}

/** A number on an edge or a unit beside it, not below zero and storable. */
export function near(choices: Choices, edge: number): number {
  return keepStorable(edge + choices.pick(SIDES));
}

/** The same of an aim. */
export function hit({ side }: Aim, edge: number): number {
  return keepStorable(edge + side);
}

export function keepStorable(value: number): number {
  return Math.min(Math.max(value, 0), LIMIT);
}

/** Whether a venue would take an action of an account now. Writes nothing. */
export function accepts(state: State, account: AccountRow, action: ActionName, payload: unknown): boolean {
  return refusalOf(state, account, action, payload) === undefined;
}

/** Why a venue would refuse an action of an account now; undefined where it would not. Writes nothing. */
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

/** How an amount is chosen; the plainest first. */
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
 * An amount of quote units: a share of what is free, all of it, the most that the venue takes, what stands between equity
 * and maintenance, or a number at an edge of its own.
 *
 * @param free    what is free to move
 * @param isTaken whether an amount would be accepted
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
  // A part of what would be taken instead.
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
