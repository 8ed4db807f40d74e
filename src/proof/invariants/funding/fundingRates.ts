import type { EventOf, VenueEvent } from "../../../protocol/events.ts";
import { isParameterFault } from "../../../protocol/parameterFault.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { readDefinition, readMarketParameters } from "../../../protocol/readParameters.ts";
import { FUNDING_METHOD, MARKET_STATUS } from "../../../protocol/words.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { listMarkets } from "../../../venue/engine/state/walk.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { type Accrual, exactPremium, exactRate, exactShare } from "../machinery/exact/funding.ts";
import { asIndex, joined } from "../machinery/exact/health.ts";

const LIMB = 4_503_599_627_370_496n; // 2^52
const MINUTE = 60_000;
const FUNDING_STATUSES: ReadonlySet<number> = new Set([
  MARKET_STATUS.postOnly,
  MARKET_STATUS.active,
  MARKET_STATUS.cancelOnly,
  MARKET_STATUS.reduceOnly,
]);
const KINDS = [
  "marketCreated",
  "marketChanged",
  "restartChanged",
  "fundingSampled",
  "premiumsCleared",
  "fundingAccrued",
] as const;

/** Funding state of a market. */
interface Held {
  sum: bigint;
  samples: number;
  minuteSum: bigint;
  minuteSamples: number;
  sampled: number;
  settled: number;
  accrual: Accrual;
  index: bigint;
  rules: MarketParameters | undefined;
  /** Set when a change just ended the interval under the old rules: the market's next event must clear its samples. */
  ended: Ended | undefined;
  /** Time of the block in which the market was last checked. */
  seenMs: number;
}

/** Why samples are dropped before the end of an interval (FND-2, FND-4), and the parameters of that interval. */
interface Ended {
  readonly why: "changed" | "stopped" | "started" | "restarting";
  readonly rules: MarketParameters;
}

/** Funding state by market, and rules by their emitted text, which are costly to read. */
interface Memory {
  readonly held: Map<number, Held>;
  readonly rules: Map<string, MarketParameters>;
}

/** Texts that are remembered at most. */
const TEXTS_MOST = 256;

export const fundingRates = defineInvariant<Memory>({
  id: "fundingRates",
  sentence:
    "Every premium sample counts. Each interval pays all that is due: its rate for the exact time since the last one, without pauses and halts, by the market's method.",
  rules: ["FND-1", "FND-2", "FND-3", "FND-4"],
  catalogue: ["F04"],
  when: "transaction",
  kinds: KINDS,
  sweepKinds: KINDS,
  start: (state, spare) => ({ held: readAll(state), rules: spare?.rules ?? new Map() }),
  touched: (moment, { held }) =>
    check(moment.state, moment, moment.lastMs, held, (market) => moment.state.parameters[market]!),
  sweep(state, step, { rules }) {
    const { texts } = step.result;
    const rulesOf = (_market: number, definition: number) => findRules(rules, texts[definition]!);
    return check(state, step, step.before.timeMs, readAll(step.before), rulesOf);
  },
});

function readAll(state: State): Map<number, Held> {
  return new Map(listMarkets(state).map((market) => [market as number, readHeld(state, market)]));
}

function findRules(known: Map<string, MarketParameters>, definition: string): MarketParameters {
  let rules = known.get(definition);
  if (rules === undefined) {
    if (known.size >= TEXTS_MOST) known.clear();
    rules = readRules(definition);
    known.set(definition, rules);
  }
  return rules;
}

/** Rules from their whole emitted text, independent of the rules at the end of the block. */
function readRules(definition: string): MarketParameters {
  // Only tiers can be in the preset and missing in the text.
  const read = readMarketParameters("linear", { tier2: "", ...readDefinition(definition) });
  if (isParameterFault(read)) throw new Error(`emitted rules are not valid: ${read.parameter} ${read.reason}`);
  return read;
}

/**
 * @param lastMs time of the block before
 * @param held funding state by market, updated in place
 * @param rulesOf parameters of a market that an event changed, with the place of their text
 */
function check(
  state: State,
  seen: { readonly events: readonly VenueEvent[]; met: number },
  lastMs: number,
  held: Map<number, Held>,
  rulesOf: (market: number, definition: number) => MarketParameters,
): string | undefined {
  for (const event of seen.events) {
    if (!isOfFunding(event)) continue;
    seen.met++;
    if (!held.has(event.market)) held.set(event.market, readHeld(undefined, event.market));
    const now = held.get(event.market)!;
    now.rules ??= state.parameters[event.market]!;
    const fault = moment(state, lastMs, now, event, rulesOf);
    if (fault !== undefined) return `${state.marketNames[event.market]}: ${fault}`;
  }
  return undefined;
}

type OfFunding = EventOf<(typeof KINDS)[number]>;

function isOfFunding(event: VenueEvent): event is OfFunding {
  return (KINDS as readonly string[]).includes(event.kind);
}

function moment(
  state: State,
  lastMs: number,
  held: Held,
  event: OfFunding,
  rulesOf: (market: number, definition: number) => MarketParameters,
): string | undefined {
  const { timeMs } = state;
  const rules = held.rules!;
  if (held.seenMs !== timeMs) {
    held.seenMs = timeMs;
    // The first event of a block also opens the block: a block gap acts before everything else.
    const { blockGap } = rules;
    if (blockGap !== 0 && timeMs - lastMs > blockGap) openGap(rules, held, timeMs);
  }
  if (event.kind === "premiumsCleared") {
    return held.ended === undefined ? clear(rules, held, event, timeMs) : end(held, event, timeMs, lastMs);
  }
  if (held.ended !== undefined) return `funding ${held.ended.why}, and its interval continued`;
  if (event.kind === "fundingSampled")
    return held.settled === 0 ? "a sample before the funding clock runs" : sample(rules, held, event);
  if (event.kind === "fundingAccrued")
    return accrue(rules, held, event, state.markets.index[event.market as MarketRow]);
  if (event.kind === "restartChanged") {
    if (held.settled !== timeMs) openGap(rules, held, timeMs);
    return undefined;
  }
  held.rules = rulesOf(event.market, event.definition);
  // Before the clock runs, a change of parameters has no effect on funding.
  if (event.kind === "marketChanged" && held.settled !== 0) held.ended = findEnd(rules, held.rules);
  return undefined;
}

/** A block gap is not charged: it ends the interval of a market that funds and whose clock runs. */
function openGap(rules: MarketParameters, held: Held, timeMs: number): void {
  if (funds(rules) && held.settled !== 0 && held.settled !== timeMs) held.ended = { why: "restarting", rules };
}

/** Why a change of parameters ends the interval; undefined if it does not. */
function findEnd(rules: MarketParameters, after: MarketParameters): Ended | undefined {
  if (!funds(rules)) return funds(after) ? { why: "started", rules } : undefined;
  if (!funds(after)) return { why: "stopped", rules };
  const { fundingMethod: way, fundingInterval: interval } = after;
  const paysAtEnds = way !== FUNDING_METHOD.reported && way !== FUNDING_METHOD.continuous;
  const isChanged = way !== rules.fundingMethod || (paysAtEnds && interval !== rules.fundingInterval);
  return isChanged ? { why: "changed", rules } : undefined;
}

function funds({ status, pauseFund }: MarketParameters): boolean {
  return pauseFund === 0 && FUNDING_STATUSES.has(status);
}

/** Funding state of a market; empty for a new one. */
function readHeld(state: State | undefined, row: number): Held {
  if (state === undefined) {
    const nothing = { sum: 0n, samples: 0, minuteSum: 0n, minuteSamples: 0, sampled: 0, settled: 0, index: 0n };
    return { ...nothing, accrual: { due: 0n, carry: 0n }, rules: undefined, ended: undefined, seenMs: 0 };
  }
  const { markets } = state;
  const market = row as MarketRow;
  const read = (column: { readonly [at in MarketRow]: number }) => column[market];
  return {
    sum: BigInt(read(markets.premiumHigh)) * LIMB + BigInt(read(markets.premiumSum)),
    samples: read(markets.premiumSamples),
    minuteSum: BigInt(read(markets.minuteSum)),
    minuteSamples: read(markets.minuteSamples),
    sampled: read(markets.sampledTime),
    settled: read(markets.settledTime),
    accrual: { due: BigInt(read(markets.fundingDue)), carry: BigInt(read(markets.fundingCarry)) },
    index: joined(read(markets.fundingHigh), read(markets.fundingLow)),
    rules: state.parameters[market]!,
    ended: undefined,
    seenMs: 0,
  };
}

function sample(rules: MarketParameters, held: Held, event: EventOf<"fundingSampled">): string | undefined {
  const { premium, timeMs } = event;
  if (rules.fundingMethod === FUNDING_METHOD.dydx) {
    if (Math.floor(timeMs / MINUTE) > Math.floor(held.sampled / MINUTE)) closeMinute(held);
    held.minuteSum += BigInt(premium);
    held.minuteSamples++;
  } else if (rules.fundingMethod === FUNDING_METHOD.continuous) {
    const target = BigInt(premium) * 100_000n;
    const dt = BigInt(timeMs - held.sampled);
    const step = ((target - held.sum) * dt) / (BigInt(rules.fundingTau) + dt);
    held.sum = held.samples === 0 ? target : held.sum + step;
    held.samples++;
  } else {
    held.samples++;
    held.sum += BigInt(premium) * (rules.fundingMethod === FUNDING_METHOD.binance8h ? BigInt(held.samples) : 1n);
  }
  held.sampled = timeMs;
  const reported = [
    BigInt(event.sumHigh) * LIMB + BigInt(event.sum),
    event.samples,
    BigInt(event.minuteSum),
    event.minuteSamples,
  ];
  const made = [held.sum, held.samples, held.minuteSum, held.minuteSamples];
  if (reported.every((value, place) => value === made[place])) return undefined;
  return `the sample ${premium} makes ${made.join(", ")}, not ${reported.join(", ")}`;
}

function closeMinute(held: Held): void {
  if (held.minuteSamples === 0) return;
  held.sum += held.minuteSum / BigInt(held.minuteSamples);
  held.samples++;
  held.minuteSum = 0n;
  held.minuteSamples = 0;
}

/** The end of an interval: skipped intervals end too, and one is paid. The first interval starts at this block. */
function clear(
  rules: MarketParameters,
  held: Held,
  event: EventOf<"premiumsCleared">,
  timeMs: number,
): string | undefined {
  const { settledMs } = event;
  const interval = rules.fundingInterval;
  if (held.settled === 0) {
    if (!funds(rules) || rules.fundingMethod === FUNDING_METHOD.reported)
      return "the funding clock of a market starts without permission";
    return empty(rules, held, event, timeMs, 0);
  }
  if (settledMs <= held.settled || settledMs % interval !== 0 || timeMs - settledMs >= interval)
    return `an interval ends at ${settledMs}`;
  return empty(rules, held, event, settledMs, held.sampled);
}

/**
 * The interval ends early. With samples it pays up to its end on the clock if that passed since the last payment.
 * Otherwise it pays up to this block, or after a block gap up to the block before. The next one begins at this block.
 */
function end(held: Held, event: EventOf<"premiumsCleared">, timeMs: number, lastMs: number): string | undefined {
  const { why, rules } = held.ended!;
  held.ended = undefined;
  if (why === "started") {
    if (held.samples + held.minuteSamples > 0) return "a market that does not fund has samples";
    return empty(rules, held, event, timeMs, 0);
  }
  const paid = held.samples + held.minuteSamples > 0;
  const now = why === "restarting" ? lastMs : timeMs;
  const interval = BigInt(rules.fundingInterval);
  const ended = Number((BigInt(now) / interval) * interval);
  const byTime = rules.fundingMethod === FUNDING_METHOD.continuous;
  const until = !byTime && ended > held.settled ? ended : now;
  const settled = paid ? until : held.settled;
  return empty(rules, held, event, settled, 0, why === "restarting" ? timeMs : settled);
}

/**
 * Uses up the samples: their payment since the last settlement becomes due.
 *
 * @param until   end of the time that they pay for
 * @param settled time up to which funding counts as settled: later than `until` after a block gap
 */
function empty(
  rules: MarketParameters,
  held: Held,
  event: EventOf<"premiumsCleared">,
  until: number,
  sampled: number,
  settled = until,
): string | undefined {
  closeMinute(held);
  if (held.samples > 0) owe(rules, held, until);
  const { due, carry } = held.accrual;
  held.settled = settled;
  held.sampled = sampled;
  held.sum = 0n;
  held.samples = 0;
  held.minuteSum = 0n;
  held.minuteSamples = 0;
  if (event.settledMs !== settled) return `funding is settled up to ${event.settledMs}, not ${settled}`;
  if (event.sampledMs !== sampled) return `the last sample counts as of ${event.sampledMs}, not ${sampled}`;
  if (BigInt(event.due) === due && BigInt(event.carry) === carry) return undefined;
  return `${event.due} is due with ${event.carry} carried, not ${due} with ${carry}`;
}

/** The time since the last settlement, at most one interval, at the premium of its samples. */
function owe(rules: MarketParameters, held: Held, until: number): void {
  const from = held.settled;
  const end = until - from > rules.fundingInterval ? from + rules.fundingInterval : until;
  const rate = exactRate(rules, exactPremium(rules, held.sum, held.samples, from, end));
  held.accrual = exactShare(rules, rate, end - from, held.accrual);
}

function accrue(
  rules: MarketParameters,
  held: Held,
  event: EventOf<"fundingAccrued">,
  price: number,
): string | undefined {
  const { settledMs, rate, due, carry } = event;
  // One lot's share of the rate at the index price: 1e-9 of the rate, 1e-8 of price and lot, in 1e-15 USD.
  const move = (BigInt(rate) * BigInt(price) * BigInt(rules.lotSize)) / 10_000_000_000n;
  const index = joined(event.indexHigh, event.indexLow);
  if (index !== asIndex(held.index + move)) return `the index moved from ${held.index} to ${index}, not by ${move}`;
  held.index = index;
  if (rules.fundingMethod === FUNDING_METHOD.reported && BigInt(due) === held.accrual.due) {
    // A recorded rate. An amount due from another method waits for a block that reports no rate.
    held.settled = settledMs;
    return BigInt(carry) === held.accrual.carry ? undefined : `a recorded rate left ${carry} to carry`;
  }
  if (rules.fundingMethod === FUNDING_METHOD.continuous && settledMs > held.settled) {
    if (held.samples > 0) owe(rules, held, settledMs);
  } else if (settledMs !== held.settled) return `funding is settled up to ${settledMs}, not ${held.settled}`;
  held.settled = settledMs;
  const { accrual } = held;
  if (BigInt(carry) !== accrual.carry) return `${carry} is carried, not ${accrual.carry}`;
  if (BigInt(rate) + BigInt(due) !== accrual.due) return `${rate} is paid and ${due} is due of ${accrual.due}`;
  const most = rules.fundingPaymentMax;
  if (Math.abs(rate) > most || (due !== 0 && rate !== Math.sign(due) * most)) {
    return `${rate} is paid at once while ${due} stays due and ${most} may be paid`;
  }
  held.accrual = { due: BigInt(due), carry: BigInt(carry) };
  return undefined;
}
