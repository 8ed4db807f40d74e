import type { State } from "../../../../venue/engine/state/state.ts";
import type { Names } from "../../../../venue/simulation/accountNames.ts";
import { listAccountSteps } from "./accountSteps.ts";
import { listMarketSteps, listPriceSteps, listVenueSteps } from "./authoritySteps.ts";
import { Scene } from "./scene.ts";
import type { Step } from "./step.ts";
import { listPositionSteps, listTradingSteps } from "./tradingSteps.ts";

const MINUTE = 60_000;

/** Times that pass without an action: a minute, an hour, a funding interval of eight hours, a day, 31 days. */
const TIMES: readonly (readonly [words: string, ms: number])[] = [
  ["a minute", MINUTE],
  ["an hour", 60 * MINUTE],
  ["eight hours", 480 * MINUTE],
  ["a day", 1_440 * MINUTE],
  ["31 days", 31 * 1_440 * MINUTE],
];

/** Accounts of a role that act in steps at most: the oldest. A scenario rarely has more. */
export const ACTORS_MOST = 8;

/** Every generic step on a venue between two blocks, in a fixed order. */
export function listSteps(state: State, names: Names): Step[] {
  const scene = new Scene(state, names);
  const markets = scene.listMarkets();
  const accounts = scene.listAccounts("normal").slice(0, ACTORS_MOST);
  return [
    ...TIMES.map(([words, afterMs]): Step => ({ words: `${words} passes`, kind: "time", afterMs, drafts: [] })),
    ...markets.flatMap((market) => listPriceSteps(scene, market)),
    ...listVenueSteps(scene),
    ...markets.flatMap((market) => listMarketSteps(scene, market)),
    ...accounts.flatMap((account) => [
      ...markets.flatMap((market) => [
        ...listTradingSteps(scene, account, market),
        ...listPositionSteps(scene, account, market),
      ]),
      ...listAccountSteps(scene, account),
    ]),
  ];
}
