import type { LIQUIDATION_POLICIES } from "../../../protocol/words.ts";
import { abs, divCeil, max, min } from "../arithmetic.ts";
import type { Position } from "../state.ts";
import { PPM } from "../words.ts";
import { takeOver } from "./backstop.ts";
import { computeFillableTicks, computeLimitTicks, computeSlippedTicks } from "./bankruptcyValue.ts";
import { startChunk } from "./chunk.ts";
import { closeOut, deleverage, deleverageAtPreviousMark } from "./deleverage.ts";
import type { LiquidationStep, Part } from "./liquidationStep.ts";
import { emitStage } from "./record.ts";
import { sendOrder } from "./sendOrder.ts";
import { isDistressed, measureWithoutReserve } from "./withoutReserve.ts";

type PolicyName = (typeof LIQUIDATION_POLICIES)[number];
type Close = (step: LiquidationStep, part: Part) => void;

/** dYdX: greatest fee; a tenth of a position, at least 1,000 USD of it, at most 100,000 USD of an account. */
const DYDX = {
  fee: 15_000n,
  share: 100_000n,
  least: 1_000_000_000n,
  most: 100_000_000_000n,
};

/**
 * How each policy closes one position of a margin account, as far as one liquidation step goes (LIQ-2 to LIQ-6,
 * decision 0011).
 */
const CLOSE: Readonly<Record<PolicyName, Close>> = {
  /**
   * Book down to the bankruptcy price and the fillable price, then the backstop; without equity the fund, deleveraging,
   * the mark.
   */
  perplab: (step, part) => {
    const { position } = part;
    const { parameters } = position.market;
    const distressed = isDistressed(measureWithoutReserve(step.marginAccount));
    if (!distressed && isCooling(step, position)) return;
    const lots = startChunk(step.state, position, distressed || part.notional <= parameters.liquidationWhole);
    enter(step, part, "bookClosing");
    const limit = better(position, bankruptcyTicks(part), fillableTicks(step, part));
    sendOrder(step.state, part, { lots, limit, fee: parameters.liquidationFee, insured: false });
    if (position.signedLots !== 0n && isTakeable(step)) takeOver(step.state, part);
    if (position.signedLots !== 0n && isGone(step, parameters.closeOut)) closeWithoutEquity(step, part);
  },

  /**
   * No fee, down to the bankruptcy price; in distress the backstop instead; without equity, the mark of the block
   * before.
   */
  hyperliquid: (step, part) => {
    const { position } = part;
    const { liquidationWhole } = position.market.parameters;
    if (isGone(step, 0n)) {
      enter(step, part, "deleveraging");
      deleverageAtPreviousMark(step.state, step.pass, part);
      closeOut(step.state, part);
      return;
    }
    if (isTakeable(step) && takeOver(step.state, part)) return;
    const lots = startChunk(step.state, position, isCooling(step, position) || part.notional <= liquidationWhole);
    enter(step, part, "bookClosing");
    sendOrder(step.state, part, { lots, limit: bankruptcyTicks(part), fee: 0n, insured: false });
  },

  /**
   * A share of the position down to the fillable price, insured; no backstop; the rest stays open without a
   * counterparty.
   */
  dydx: (step, part) => {
    const gone = isGone(step, 0n);
    const lots = dydxLots(step, part);
    if (lots > 0n) {
      enter(step, part, "bookClosing");
      sendOrder(step.state, part, { lots, limit: fillableTicks(step, part), fee: DYDX.fee, insured: true });
    }
    if (part.position.signedLots === 0n || !gone) return;
    enter(step, part, "deleveraging");
    deleverage(step.state, step.pass, part);
  },

  /** All of it down to the bankruptcy price; then the backstop, at any equity; without equity as perplab. */
  binance: (step, part) => {
    const { position } = part;
    const { liquidationFee } = position.market.parameters;
    enter(step, part, "bookClosing");
    sendOrder(step.state, part, {
      lots: abs(position.signedLots),
      limit: bankruptcyTicks(part),
      fee: liquidationFee,
      insured: false,
    });
    if (position.signedLots !== 0n) takeOver(step.state, part);
    if (position.signedLots !== 0n && isGone(step, 0n)) closeWithoutEquity(step, part);
  },
};

export function closePart(step: LiquidationStep, part: Part): void {
  CLOSE[part.position.market.parameters.liquidationPolicy](step, part);
}

/** Whether a position waits between chunks while its margin account is not distressed (LIQ-2). */
export function waits({ market, cooldownMs }: Position, timeMs: number): boolean {
  return market.parameters.liquidationPolicy === "perplab" && cooldownMs > timeMs;
}

/** Whether the fund pays for deficits of margin accounts of this policy (LIQ-6). */
export function insuresDeficit({ market }: Position): boolean {
  return market.parameters.liquidationPolicy !== "hyperliquid";
}

/**
 * The book beyond the bankruptcy price at the fund's cost, deleveraging at the bankruptcy price, and the mark (LIQ-4 to
 * LIQ-6).
 */
function closeWithoutEquity(step: LiquidationStep, part: Part): void {
  const { state, pass } = step;
  const { position } = part;
  enter(step, part, "insuranceCover");
  const { mark, parameters } = position.market;
  const { tickSize, insuranceSlippage, liquidationFee } = parameters;
  const limit = computeSlippedTicks(mark, tickSize, position.signedLots > 0n, insuranceSlippage);
  sendOrder(state, part, { lots: abs(position.signedLots), limit, fee: liquidationFee, insured: true });
  if (position.signedLots === 0n) return;
  enter(step, part, "deleveraging");
  deleverage(state, pass, part);
  closeOut(state, part);
}

function enter(
  { state, marginAccount }: LiquidationStep,
  { position }: Part,
  stage: "bookClosing" | "insuranceCover" | "deleveraging",
): void {
  emitStage(state, marginAccount, stage, position.market.ordinal, position.cooldownMs);
}

function isCooling({ state }: LiquidationStep, { cooldownMs }: Position): boolean {
  return cooldownMs > state.timeMs;
}

/** Whether equity over maintenance is at or below a share in ppm; at 0, equity is zero or negative (LIQ-4). */
function isGone({ marginAccount }: LiquidationStep, share: bigint): boolean {
  const { equity, maintenance } = measureWithoutReserve(marginAccount);
  return equity * PPM <= share * maintenance;
}

/** A backstop acts if equity is positive, but too low, and was positive when bankruptcy prices were fixed (LIQ-3). */
function isTakeable(step: LiquidationStep): boolean {
  return step.equity > 0n && isDistressed(measureWithoutReserve(step.marginAccount)) && !isGone(step, 0n);
}

/** Rounded down to the account's remaining limit; at least one lot of the first order. */
function dydxLots(step: LiquidationStep, { position, notional }: Part): bigint {
  const open = abs(position.signedLots);
  const own = max((notional * DYDX.share) / PPM, DYDX.least);
  const target = min(own, DYDX.most - step.sent);
  if (target <= 0n) return 0n;
  const lots = notional <= target ? open : (open * target) / notional;
  const taken = lots === 0n && step.sent === 0n ? 1n : lots;
  step.sent += divCeil(notional * taken, open);
  return taken;
}

function better({ signedLots }: Position, a: bigint, b: bigint): bigint {
  return signedLots > 0n ? max(a, b) : min(a, b);
}

function bankruptcyTicks({ position, bankruptcy }: Part): bigint {
  const { tickLotValue } = position.market.parameters;
  return computeLimitTicks(bankruptcy.total, bankruptcy.totalLots, tickLotValue, position.signedLots > 0n);
}

function fillableTicks(
  { marginAccount }: LiquidationStep,
  { position, maintenance, notional, bankruptcy }: Part,
): bigint {
  const health = measureWithoutReserve(marginAccount);
  return computeFillableTicks({
    sells: position.signedLots > 0n,
    perTick: bankruptcy.totalLots * position.market.parameters.tickLotValue,
    part: { maintenance, notional },
    health,
  });
}
