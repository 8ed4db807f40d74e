import type { LIQUIDATION_POLICIES } from "../../protocol/words.ts";
import { abs, divFloor, max, min } from "../arithmetic.ts";
import { maintenanceOf, notionalOf, valueAt } from "../margin/requirement.ts";
import type { Position } from "../state.ts";
import { PPM } from "../words.ts";
import { isDistressed, measureAbove } from "./above.ts";
import { takeOver } from "./backstop.ts";
import { closeOut, deleverage } from "./deleverage.ts";
import type { Part, Turn } from "./part.ts";
import { sendOrder } from "./sendOrder.ts";
import { computeChunk, computeFillableTicks, computeLimitTicks, computeSlippedTicks, Slices } from "./zeroValue.ts";

type Health = ReturnType<typeof measureAbove>;

/** What a policy says of one position (LIQ, decision 0011). */
interface Policy {
  /** Lots that go to the book now; 0 for none. */
  readonly lots: (position: Position, health: Health, timeMs: number) => bigint;
  /** The limit is no worse than the fillable price, too. */
  readonly fillable: boolean;
  /** ppm; undefined for the market's. */
  readonly fee: bigint | undefined;
  /** When backstops take over what the book left. */
  readonly backstop: (health: Health) => boolean;
  /** With equity gone the fund pays for the book, and deleveraging is at the zero price; else at the mark of before. */
  readonly insured: boolean;
}

const DYDX_FEE = 15_000n;
const DYDX_PORTION = 1_000_000_000n;

const POLICIES: Readonly<Record<(typeof LIQUIDATION_POLICIES)[number], Policy>> = {
  perplab: {
    lots: (position, health, timeMs) => {
      const { size, market, cooldownMs } = position;
      if (isDistressed(health) || isSmall(position)) return abs(size);
      return cooldownMs > timeMs ? 0n : computeChunk(size, market.parameters.liquidationChunk);
    },
    fillable: true,
    fee: undefined,
    backstop: (health) => isDistressed(health),
    insured: true,
  },
  hyperliquid: {
    lots: (position, health, timeMs) => {
      const { size, market, cooldownMs } = position;
      if (isDistressed(health)) return 0n;
      if (isSmall(position) || cooldownMs > timeMs) return abs(size);
      return computeChunk(size, market.parameters.liquidationChunk);
    },
    fillable: false,
    fee: 0n,
    backstop: (health) => isDistressed(health),
    insured: false,
  },
  dydx: {
    lots: ({ size, market }) => {
      const notional = notionalOf(market, size);
      return notional <= DYDX_PORTION ? abs(size) : max(1n, divFloor(abs(size) * DYDX_PORTION, notional));
    },
    fillable: true,
    fee: DYDX_FEE,
    backstop: () => false,
    insured: true,
  },
  binance: {
    lots: ({ size }) => abs(size),
    fillable: false,
    fee: undefined,
    backstop: () => true,
    insured: true,
  },
};

function isSmall({ market, size }: Position): boolean {
  return notionalOf(market, size) <= market.parameters.liquidationWhole;
}

/** Whether a position's turn would do anything now: between chunks it waits (LIQ-2). */
export function isWaiting(position: Position, health: Health, timeMs: number): boolean {
  const { liquidationPolicy } = position.market.parameters;
  return liquidationPolicy === "perplab" && POLICIES.perplab.lots(position, health, timeMs) === 0n;
}

/** Closes one position of a bucket, as far as its policy goes now (LIQ-2 to LIQ-6). */
export function closePart({ state, bucket, pass }: Turn, part: Part): void {
  const { position } = part;
  const { market } = position;
  const policy = POLICIES[market.parameters.liquidationPolicy];
  const before = measureAbove(bucket);
  const gone = isGone(position, before);
  if (!gone || policy.insured) sendToBook(state, part, policy, before, gone);
  if (position.size === 0n) return;
  const health = measureAbove(bucket);
  if (health.equity >= health.maintenance) return;
  if (health.equity > 0n && policy.backstop(health)) takeOver(state, part);
  if (position.size === 0n) return;
  if (!isGone(position, measureAbove(bucket))) return;
  const slices = policy.insured
    ? part.zero
    : new Slices(valueAt(market, position.size, market.previousMark), abs(position.size));
  deleverage(state, pass, part, slices);
  closeOut(state, part);
}

/** Equity over maintenance is at or below `closeOut` (LIQ-4). */
function isGone({ market }: Position, { equity, maintenance }: Health): boolean {
  return equity * PPM <= market.parameters.closeOut * maintenance;
}

function sendToBook(state: Turn["state"], part: Part, policy: Policy, health: Health, gone: boolean): void {
  const { position, zero } = part;
  const { market, size } = position;
  const { tickSize, tickLotValue, insuranceSlippage, liquidationFee, liquidationCooldown } = market.parameters;
  const sells = size > 0n;
  const lots = gone ? abs(size) : policy.lots(position, health, state.timeMs);
  if (lots === 0n) return;
  const better = (a: bigint, b: bigint) => (sells ? max(a, b) : min(a, b));
  const worse = (a: bigint, b: bigint) => (sells ? min(a, b) : max(a, b));
  const zeroTicks = computeLimitTicks(zero.value, zero.lots, tickLotValue, sells);
  const fillable = computeFillableTicks({
    mark: market.mark,
    tickSize,
    sells,
    equity: health.equity,
    maintenance: health.maintenance,
    m: { maintenance: maintenanceOf(market, size), notional: notionalOf(market, size) },
  });
  const plain = policy.fillable ? better(zeroTicks, fillable) : zeroTicks;
  const insured = gone && policy.insured;
  const limit = insured
    ? worse(zeroTicks, computeSlippedTicks(market.mark, tickSize, sells, insuranceSlippage))
    : plain;
  sendOrder(state, part, { lots, limit, fee: policy.fee ?? liquidationFee, insured });
  if (lots < abs(size)) position.cooldownMs = state.timeMs + liquidationCooldown;
}
