import type { MarketRow } from "../engine/state/schema.ts";
import type { State } from "../engine/state/state.ts";
import type { EventOf, VenueEvent } from "../protocol/events.ts";
import type { MarketParameters } from "../protocol/parameters.ts";
import { FUNDING_METHOD } from "../protocol/words.ts";
import { defineInvariant } from "./defineInvariant.ts";
import { type Accrual, exactPremium, exactRate, exactShare } from "./exact/funding.ts";
import { asIndex, joined } from "./exact/health.ts";
import { listMarkets } from "./exact/walk.ts";

const LIMB = 4_503_599_627_370_496n; // 2^52
const MINUTE = 60_000;

/** What a market remembers of funding. */
interface Held {
  sum: bigint;
  samples: number;
  minuteSum: bigint;
  minuteSamples: number;
  sampled: number;
  settled: number;
  accrual: Accrual;
  index: bigint;
}

export const fundingRates = defineInvariant<Map<number, Held>>({
  id: "fundingRates",
  sentence:
    "Every premium sample is added, every interval is paid its rate and all of what is due, as the market's way of funding says.",
  rules: ["FND-1", "FND-2", "FND-3"],
  catalogue: ["F04"],
  when: "transaction",
  kinds: ["fundingSampled", "premiumsCleared", "fundingAccrued"],
  start: (state) => new Map(listMarkets(state).map((market) => [market as number, readHeld(state, market)])),
  touched: (look, held) => check(look.state, look, held),
  sweep(state, step) {
    const held = new Map(listMarkets(step.before).map((market) => [market as number, readHeld(step.before, market)]));
    return check(state, step, held);
  },
});

/** @param held what markets remember, carried on */
function check(
  state: State,
  seen: { readonly events: readonly VenueEvent[]; met: number },
  held: Map<number, Held>,
): string | undefined {
  for (const event of seen.events) {
    if (event.kind !== "fundingSampled" && event.kind !== "premiumsCleared" && event.kind !== "fundingAccrued")
      continue;
    seen.met++;
    if (!held.has(event.market)) held.set(event.market, readHeld(undefined, event.market));
    const now = held.get(event.market)!;
    const rules = state.parameters[event.market]!;
    const fault =
      event.kind === "fundingSampled"
        ? sample(rules, now, event)
        : event.kind === "premiumsCleared"
          ? clear(rules, now, event)
          : accrue(rules, now, event, state.markets.index[event.market as MarketRow]);
    if (fault !== undefined) return `${state.marketNames[event.market]}: ${fault}`;
  }
  return undefined;
}

/** What a market remembers; one that is new, nothing. */
function readHeld(state: State | undefined, row: number): Held {
  if (state === undefined) {
    const nothing = { sum: 0n, samples: 0, minuteSum: 0n, minuteSamples: 0, sampled: 0, settled: 0, index: 0n };
    return { ...nothing, accrual: { due: 0n, carry: 0n } };
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
  const told = [
    BigInt(event.sumHigh) * LIMB + BigInt(event.sum),
    event.samples,
    BigInt(event.minuteSum),
    event.minuteSamples,
  ];
  const made = [held.sum, held.samples, held.minuteSum, held.minuteSamples];
  if (told.every((value, place) => value === made[place])) return undefined;
  return `the sample ${premium} makes ${made.join(", ")}, not ${told.join(", ")}`;
}

function closeMinute(held: Held): void {
  if (held.minuteSamples === 0) return;
  held.sum += held.minuteSum / BigInt(held.minuteSamples);
  held.samples++;
  held.minuteSum = 0n;
  held.minuteSamples = 0;
}

function clear(rules: MarketParameters, held: Held, { settledMs }: EventOf<"premiumsCleared">): string | undefined {
  if (settledMs === 0) {
    held.sampled = 0;
  } else {
    closeMinute(held);
    if (settledMs <= held.settled || settledMs % rules.fundingInterval !== 0) return `an interval ends at ${settledMs}`;
    if (held.settled > 0 && held.samples > 0) owe(rules, held, rules.fundingInterval);
  }
  held.settled = settledMs;
  held.sum = 0n;
  held.samples = 0;
  held.minuteSum = 0n;
  held.minuteSamples = 0;
  return undefined;
}

function owe(rules: MarketParameters, held: Held, elapsed: number): void {
  const rate = exactRate(rules, exactPremium(rules, held.sum, held.samples, held.settled));
  held.accrual = exactShare(rules, rate, elapsed, held.accrual);
}

function accrue(
  rules: MarketParameters,
  held: Held,
  event: EventOf<"fundingAccrued">,
  price: number,
): string | undefined {
  const { settledMs, rate, due, carry } = event;
  // A lot's share of the rate at the index price: 1e-9 of the rate, 1e-8 of price and lot, in 1e-15 USD.
  const move = (BigInt(rate) * BigInt(price) * BigInt(rules.lotSize)) / 10_000_000_000n;
  const index = joined(event.indexHigh, event.indexLow);
  if (index !== asIndex(held.index + move)) return `the index moved from ${held.index} to ${index}, not by ${move}`;
  held.index = index;
  if (rules.fundingMethod === FUNDING_METHOD.external) {
    held.accrual = { due: BigInt(due), carry: BigInt(carry) };
    return due === 0 && carry === 0 ? undefined : `a recorded rate left ${due} and ${carry}`;
  }
  if (rules.fundingMethod === FUNDING_METHOD.continuous && settledMs > held.settled) {
    const elapsed = Math.min(settledMs - held.settled, rules.fundingInterval);
    if (held.settled > 0 && held.samples > 0) owe(rules, held, elapsed);
  }
  held.settled = settledMs;
  const { accrual } = held;
  if (BigInt(carry) !== accrual.carry) return `${carry} is carried, not ${accrual.carry}`;
  if (BigInt(rate) + BigInt(due) !== accrual.due) return `${rate} is paid and ${due} is due of ${accrual.due}`;
  const most = rules.fundingPaymentMax;
  if (Math.abs(rate) > most || (due !== 0 && rate !== Math.sign(due) * most)) {
    return `${rate} is paid at once where ${due} stays due and ${most} may be paid`;
  }
  held.accrual = { due: BigInt(due), carry: BigInt(carry) };
  return undefined;
}
