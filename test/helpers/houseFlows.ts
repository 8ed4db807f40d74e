/**
 * Drawn house flows between orders of traders, for a venue and a model in lock step: few prices, few lots, many
 * collisions.
 */
import { Random } from "../../src/ground/math/random.ts";
import { formatHouseSteps } from "../../src/product/scenario/sugar/houseSteps.ts";
import { type Difference, LockStep } from "../../src/proof/fuzz/differential/lockStep.ts";
import type { Order } from "../../src/proof/model/state.ts";
import type { Payloads } from "../../src/protocol/actions/index.ts";
import { CANCEL_CAUSES } from "../../src/protocol/events.ts";
import { HOUSE_STEP } from "../../src/protocol/houseSteps.ts";
import { applyBlock } from "../../src/venue/engine/applyBlock.ts";
import { readEvents } from "../../src/venue/engine/events/readEvents.ts";
import type { Step } from "./venue/traderSteps.ts";
import { addressOf } from "./venue/values.ts";
import { TestVenue } from "./venue.ts";

const TRADERS = ["alice", "bob", "carol"] as const;
const HOUSES = ["house", "house", "house", "other"] as const;
const { quote, rest, clear, print, last, level, ahead } = HOUSE_STEP;
/** Kinds as often as they are drawn. */
const KINDS = [level, level, level, level, level, ahead, ahead, ahead, rest, rest, quote, print, print, last, clear];
const MIDDLE = 100;

/** Seeds and blocks of each that the tests take: about 3,000 flows. */
export const SEEDS = 80;
export const BLOCKS = 25;

/** What a drawn flow did, and a difference if there was one. */
export interface DrawnBlock {
  readonly flows: readonly string[];
  /** Kinds of events: `fill`, `orderAmended in place`, `orderCancelled replaced`. */
  readonly kinds: readonly string[];
  readonly difference: Difference | undefined;
}

/** A venue with two houses and three traders, and the model of it. */
export class HouseFlows {
  readonly #random: Random;
  readonly #venue: TestVenue;
  readonly #both: LockStep;

  constructor(seed: number) {
    const random = Random.ofSeed([seed, 7, 11, 13]);
    const openInterestLimit = random.pick(["12", "100000"]);
    const reduceOnlyResting = random.pick(["capAtMatch", "trim"]);
    this.#random = random;
    this.#venue = new TestVenue({
      markets: { TEST: { openInterestLimit, reduceOnlyResting, positionLimit: "1000" } },
      accounts: Object.fromEntries(TRADERS.map((name) => [name, "1000000"])),
      house: { house: "1000000", other: "0" },
    });
    this.#both = new LockStep(this.#venue.genesis, "step", this.#venue.state);
    this.#apply([this.#venue.price(String(MIDDLE))]);
  }

  /** One block: a flow or two, then orders of traders and houses. */
  next(): DrawnBlock {
    const flows = Array.from({ length: this.#random.between(1, 2) }, () => this.#drawFlow());
    const orders = Array.from({ length: this.#random.below(4) }, () => this.#drawOrder());
    return this.#apply([...flows, ...orders]);
  }

  #apply(steps: readonly Step[]): DrawnBlock {
    const { state } = this.#venue;
    const transactions = this.#venue.toTransactions(steps);
    const block = { height: state.height + 1, timeMs: state.timeMs + 1_000, transactions };
    const { events, from, to } = applyBlock(state, block, this.#both.probe);
    const difference = this.#both.check(state, block);
    const kinds = readEvents(events, from, to).map((event) => {
      if (event.kind === "orderCancelled") return `orderCancelled ${CANCEL_CAUSES[event.cause]}`;
      if (event.kind === "orderAmended") return `orderAmended ${event.requeued === 0 ? "in place" : "and moved"}`;
      return event.kind;
    });
    const flows = steps.filter(({ action }) => action === "houseFlow");
    return { flows: flows.map(({ payload }) => wordsOf(payload as Payloads["houseFlow"])), kinds, difference };
  }

  #drawFlow(): Step {
    const random = this.#random;
    const steps: number[] = [];
    for (let count = random.between(1, 5); count > 0; count--) {
      const kind = random.pick(KINDS);
      const side = random.below(2);
      const lots = random.below(kind === level ? 9 : 5);
      steps.push(kind, this.#drawPrice(side), lots, side);
      // A ladder has some further steps.
      while (kind === quote && random.chance(1, 2)) steps.push(rest, this.#drawPrice(side), random.below(4), side);
    }
    const account = addressOf(random.pick(HOUSES));
    const bytes = new Uint8Array(new Float64Array(steps).buffer);
    return this.#venue.act("operator", "houseFlow", { market: "TEST", account, subaccount: 0, steps: bytes });
  }

  /** One of four prices on the own side of the middle; once in so many draws one that may cross. */
  #drawPrice(side: number, crossing = 5): number {
    const away = this.#random.below(4) - (this.#random.chance(1, crossing) ? 3 : 0);
    return side === 0 ? MIDDLE - away : MIDDLE + 1 + away;
  }

  #drawOrder(): Step {
    const random = this.#random;
    const who = random.chance(1, 5) ? random.pick(HOUSES) : random.pick(TRADERS);
    const side = random.below(2);
    if (random.chance(1, 5)) return this.#drawIntent(who, side);
    const resting = [...this.#both.model.state.orders.values()];
    if (resting.length > 0 && random.chance(1, 5)) return this.#drawAmendment(random.pick(resting));
    const lots = String(random.between(1, 3));
    const price = String(this.#drawPrice(side, 3));
    const height = random.chance(1, 4) ? this.#venue.state.height + 1 + random.below(3) : 0;
    const reduceOnly = random.chance(1, 3);
    const tif = height > 0 ? "GTT" : random.pick(["GTC", "GTC", "IOC"] as const);
    return this.#venue.order(who, side === 0 ? "buy" : "sell", lots, price, { height, reduceOnly, tif });
  }

  /** Another size or price of a resting order, or none: its owner then cancels it. */
  #drawAmendment({ id, account, side }: Order): Step {
    const random = this.#random;
    const name = [...TRADERS, "house", "other"].find((who) => addressOf(who) === account.owner)!;
    if (random.chance(1, 4)) return this.#venue.cancel(name, id);
    const price = random.chance(1, 2) ? {} : { price: String(this.#drawPrice(side === "buy" ? 0 : 1)) };
    return this.#venue.amend(name, id, { size: String(random.between(1, 4)), ...price });
  }

  /** A stop or take-profit by the last price, alone or after an entry: a flow that takes a quote back ends its legs. */
  #drawIntent(who: string, side: number): Step {
    const random = this.#random;
    const word = side === 0 ? ("buy" as const) : ("sell" as const);
    const [stopSide, stopAt, takeAt] = side === 0 ? (["sell", 96, 103] as const) : (["buy", 105, 98] as const);
    const leg = (kind: "stop" | "takeProfit", at: number) =>
      ({ kind, source: "last", trigger: String(at), orderType: "limit", price: String(at) }) as const;
    const legs = [leg("stop", stopAt), leg("takeProfit", takeAt)];
    const size = String(random.between(1, 3));
    if (random.chance(1, 2)) {
      const price = String(this.#drawPrice(side));
      return this.#venue.intent(who, "otoco", { side: word, size, orderType: "limit", price, legs });
    }
    const { kind, ...terms } = random.pick(legs);
    const reduceOnly = random.chance(1, 2);
    return this.#venue.intent(who, kind, { side: stopSide, size, timeInForce: "GTC", reduceOnly, ...terms });
  }
}

/** The steps of a flow as a scenario has them. */
function wordsOf({ account, steps }: Payloads["houseFlow"]): string {
  const name = account === addressOf("house") ? "house" : "other";
  return `${name}: ${formatHouseSteps(steps) ?? "none"}`;
}
