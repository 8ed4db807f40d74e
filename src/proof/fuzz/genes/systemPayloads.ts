/** Payloads of the authorities: markets, what an operator sets, and history through the house. */

import type { Draw } from "../../../ground/math/draw.ts";
import { LIMIT } from "../../../ground/math/fixed.ts";
import type { ActionName, Payloads } from "../../../protocol/actions/index.ts";
import { HOUSE_STEP, HOUSE_STEP_WIDTH } from "../../../protocol/houseSteps.ts";
import { ZERO_ADDRESS } from "../../../protocol/transaction.ts";
import { DEVNET_TARGETS } from "../../../protocol/words.ts";
import { TICKS_MOST } from "../../../venue/engine/handler/grid.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import { drawMarket } from "./createdMarket.ts";
import type { WorldMarket } from "./marketProfile.ts";
import type { CaseProfile } from "./profile.ts";
import type { Scene } from "./scene.ts";

/** An action without its header. */
export interface Drawn<A extends ActionName = ActionName> {
  readonly action: A;
  readonly payload: Payloads[A];
}

export const draw = <A extends ActionName>(action: A, payload: object): Drawn => ({
  action,
  payload: payload as Payloads[A],
});

export const MARKETS_MOST = 5;
/** Replacements for any number of a house flow: beyond every bound, or exactly on it. */
const STEP_EDGES = [-1, 0.5, 9, 0, 2, 4, 7, 5, 6, TICKS_MOST, TICKS_MOST + 1, LIMIT, LIMIT + 1, Number.NaN] as const;
const FAULTY_PARAMETERS = [
  { name: "tickSize", value: "0" },
  { name: "unknown", value: "0" },
  { name: "tier3", value: "0" },
  { name: "status", value: "halted" },
] as const;
/** A market that the operator creates. */
export interface Creation {
  readonly drawn: Drawn<"createMarket">;
  /** The market with its world price; undefined if it will not be created. */
  readonly market: WorldMarket | undefined;
}

/** @param most markets of the venue; one beyond is named like an earlier one, so it is rejected */
export function drawCreation(random: Draw, scene: Scene, faulty: boolean, most: number): Creation {
  const { marketNames } = scene.state;
  const full = marketNames.length >= most;
  const market = drawMarket(random, full ? marketNames[0]! : `M${marketNames.length}-PERP`);
  const parameters = Object.entries(market.parameters).map(([name, value]) => ({ name, value }));
  if (random.chance(1, 4)) parameters.push({ name: "status", value: random.pick(["initializing", "postOnly"]) });
  if (faulty) parameters.push(random.pick(FAULTY_PARAMETERS));
  const payload = { market: market.name, preset: market.preset, parameters };
  return {
    drawn: draw("createMarket", payload) as Drawn<"createMarket">,
    market: faulty || full ? undefined : market,
  };
}

/** Collateral or a price set by the operator of a devnet: zero, doubled, a crash. */
export function drawOperatorTransaction(random: Draw, profile: CaseProfile, scene: Scene, faulty: boolean): Drawn {
  const { state } = scene;
  const account = random.pick(scene.accounts);
  const key = random.chance(4, 5) ? scene.keyOf(account) : random.pick(profile.strangers);
  const held = Math.max(0, state.accounts.collateral[account]!);
  const amount = faulty ? 9e15 : random.pick([0, Math.floor(held / 2), held, held + 1, 1_000_000_000]);
  const row = random.below(state.marketNames.length) as MarketRow;
  const mark = state.markets.mark[row]! || 1e8;
  const price = faulty
    ? random.pick([0, 9e15])
    : Math.max(1, Math.floor((mark / 1000) * random.pick([1000, 1003, 900, 1500])));
  const what = random.below(2);
  const market = faulty && random.chance(1, 3) ? "NONE-PERP" : state.marketNames[row]!;
  // A target takes no fields of the other (ACT-3).
  const isMixed = faulty && random.chance(1, 3);
  const takes = (target: (typeof DEVNET_TARGETS)[number]) => isMixed || DEVNET_TARGETS[what] === target;
  return draw("devnetSet", {
    what,
    ...(takes("collateral")
      ? { account: key.address, subaccount: key.subaccount, amount }
      : { account: ZERO_ADDRESS, subaccount: 0, amount: 0 }),
    ...(takes("price") ? { market, price } : { market: "", price: 0 }),
  });
}

/**
 * History of one market through the house: quotes around the price, depth, prints, and occasionally an empty ladder.
 */
export function drawHouseFlow(
  random: Draw,
  profile: CaseProfile,
  scene: Scene,
  market: MarketRow,
  faulty: boolean,
): Drawn {
  const { state } = scene;
  const rules = state.parameters[market]!;
  const around = state.markets.mark[market]! || state.markets.oracle[market]! || rules.tickSize * 100;
  const middle = Math.max(3, Math.floor(around / rules.tickSize));
  const size = () => random.pick([0, 1, rules.minLots, Math.ceil(rules.maxLots / 20), Math.ceil(rules.maxLots / 4)]);
  const steps: number[] = [];
  // The limit of orders, or one more; all of them rest.
  const most = faulty && random.chance(1, 8) ? random.between(64, 65) : 0;
  for (let count = most || random.between(1, 6); count > 0; count--) {
    const side = random.below(2);
    const away = side === 0 ? -1 : 1;
    const ticks = Math.max(1, middle + away * random.below(2 + Math.floor(middle / 200)));
    const through = Math.max(1, middle - away * random.below(2 + Math.floor(middle / 200)));
    const kind =
      most > 0
        ? HOUSE_STEP.rest
        : random.pick([
            HOUSE_STEP.quote,
            HOUSE_STEP.quote,
            HOUSE_STEP.rest,
            HOUSE_STEP.clear,
            HOUSE_STEP.print,
            HOUSE_STEP.last,
            HOUSE_STEP.level,
            HOUSE_STEP.level,
            HOUSE_STEP.ahead,
          ]);
    steps.push(kind, kind === HOUSE_STEP.print ? through : ticks, size(), side);
  }
  if (faulty && most === 0) steps[random.below(steps.length)] = random.pick(STEP_EDGES);
  const bytes = new Uint8Array(new Float64Array(steps).buffer);
  const wrong = faulty && random.chance(1, 3);
  const key = wrong ? random.pick(profile.strangers) : profile.house;
  return draw("houseFlow", {
    market: faulty && random.chance(1, 4) ? "NONE-PERP" : state.marketNames[market]!,
    account: key.address,
    subaccount: key.subaccount,
    steps: faulty && random.chance(1, 4) ? bytes.subarray(0, bytes.length - HOUSE_STEP_WIDTH) : bytes,
  });
}
