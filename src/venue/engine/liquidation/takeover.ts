import { NONE } from "../../../ground/collections/table.ts";
import { type Lots, PPM } from "../../../ground/math/fixed.ts";
import { CLOSE_KIND, LIQUIDATION_STAGE } from "../../../protocol/events.ts";
import { DEPTH, getWorseInitial, measure } from "../margin/health.ts";
import type { Backstop } from "../state/backstops.ts";
import { marginAccountOf } from "../state/marginAccount.ts";
import { ensurePosition, releaseIfEmpty } from "../state/positions.ts";
import type { MarketRow, PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { computeMarkedValue, computeMarkedValueBig } from "../valuation/notional.ts";
import { closeAgainst } from "./closeAgainst.ts";
import type { MarginAccount, MarginAccountPosition } from "./liquidatedAccount.ts";
import { enterStage } from "./stages.ts";

/**
 * Backstops take over the rest of a position at its bankruptcy price, in order of account id. Each takes as many lots
 * as leave its own equity at or above its initial margin (LIQ-3). At the bankruptcy price the remaining margin of the
 * margin account goes with the position. No position is taken over whose bankruptcy price is further beyond the oracle
 * price than `takeoverDistance`.
 *
 * @returns whether anything was taken over
 */
export function takeOver(state: State, marginAccount: MarginAccount, part: MarginAccountPosition): boolean {
  if (state.backstops.length === 0 || isBeyondOracle(state, part)) return false;
  let entered = false;
  for (const backstop of state.backstops) {
    const open = state.positions.signedLots[part.position];
    if (open === 0) break;
    if (backstop.account === marginAccount.account) continue;
    const position = ensurePosition(state, backstop.account, part.market as MarketRow);
    // The venue's backstop does not take over the backstop's own isolated positions.
    if (marginAccountOf(state, position) !== NONE) continue;
    const lots = findTakeable(state, backstop, position, part, open);
    if (lots > 0) {
      if (!entered) enterStage(state, marginAccount, part, LIQUIDATION_STAGE.backstop);
      entered = true;
      closeAgainst(state, marginAccount, part, position, lots, part.bankruptcy.peek(lots), CLOSE_KIND.takeover);
    }
    releaseIfEmpty(state, position);
  }
  return entered;
}

/**
 * Whether the rest of a position costs more at its bankruptcy price than at the last raw oracle price, by more than
 * `takeoverDistance` of its value there. While the mark follows a jump, a block's clamp at a time, the bankruptcy price
 * is still near the old price. A trader who knows the new price would leave the difference to the backstop.
 */
function isBeyondOracle({ positions, markets, parameters }: State, part: MarginAccountPosition): boolean {
  const market = part.market as MarketRow;
  const oracle = markets.oracle[market];
  const rules = parameters[market]!;
  // A market with marks of its own needs no oracle price.
  if (oracle === 0) return false;
  const signedLots = positions.signedLots[part.position];
  const worth = computeMarkedValueBig(rules, signedLots, oracle);
  const most = worth * BigInt(PPM) + (worth < 0n ? -worth : worth) * BigInt(rules.takeoverDistance);
  return part.bankruptcy.peek(Math.abs(signedLots)) * BigInt(PPM) > most;
}

/** The most lots that a backstop can take: initial margin is convex in lots and equity linear, so halving finds it. */
function findTakeable(
  state: State,
  backstop: Backstop,
  position: PositionRow,
  part: MarginAccountPosition,
  open: number,
): number {
  const { positions, markets } = state;
  const market = positions.market[position];
  const rules = state.parameters[market]!;
  const health = measure(state, backstop.account, DEPTH.orders, market);
  if (health.overflow) return 0;
  const available = health.equity - backstop.reserve;
  const others = health.initial - health.marketInitial;
  const mark = markets.mark[market];
  const signedLots = positions.signedLots[position];
  const worth = computeMarkedValue(rules, signedLots, mark);
  const leverage = positions.leverage[position];
  const fits = (lots: number): boolean => {
    const next = (signedLots + (open > 0 ? lots : -lots)) as Lots;
    const gained = computeMarkedValue(rules, next, mark) - worth - Number(part.bankruptcy.peek(lots));
    return available + gained >= others + getWorseInitial(state, position, next, leverage);
  };
  const most = Math.abs(open);
  if (fits(most)) return most;
  let taken = 0;
  let refused = most;
  while (refused - taken > 1) {
    const middle = Math.floor((taken + refused) / 2);
    if (fits(middle)) taken = middle;
    else refused = middle;
  }
  return taken;
}
