/** What each operation of a gene does to the block that is being put together. */
import type { MarketRow } from "../../engine/state/schema.ts";
import type { UserAction } from "../../generators/flowProfile.ts";
import {
  type Drawn,
  drawCreation,
  drawCredit,
  drawHouseFlow,
  drawSettlement,
  drawUpdates,
} from "../../generators/flowSystem.ts";
import { drawUserPayload } from "../../generators/flowUser.ts";
import type { Desk } from "./desk.ts";
import { applyDriver } from "./driver.ts";
import { OPERATIONS } from "./operations.ts";
import { drawPrice } from "./prices.ts";
import { signSystem, signUser } from "./sign.ts";

/** Time from a block to the next. Choice 0 is a second. */
const STEPS = [1_000, 200, 1, 5_000, 8_000, 10_000, 29_999, 30_000, 60_000] as const;
const GAPS = [60_001, 60_000, 3_600_000, 90_000_000, 3_000_000_000] as const;

/**
 * Does what a gene says.
 *
 * @returns time in ms to the block that it closes; 0 where it closes none
 */
export function resolveGene(desk: Desk, genes: Uint16Array, from: number): number {
  const operation = OPERATIONS[desk.readGene(genes, from) % OPERATIONS.length]!;
  const { choices } = desk;
  switch (operation) {
    case "block":
      return choices.pick(STEPS);
    case "gap":
      return choices.pick(GAPS);
    case "price":
      desk.oracle.push(signSystem(desk, "oracleUpdate", drawPrice(desk)));
      return 0;
    case "deposit":
    case "faucetMint":
    case "fundInsurance":
    case "createMarket":
    case "updateMarket":
    case "settleMarket":
    case "houseFlow":
      for (const { action, payload } of drawAuthority(desk, operation)) {
        desk.system.push(signSystem(desk, action, payload));
      }
      return 0;
    case "duplicate":
    case "delay":
    case "reorder":
    case "truncate":
    case "crash":
      applyDriver(desk, operation);
      return 0;
    default:
      return resolveUser(desk, operation);
  }
}

function resolveUser(desk: Desk, action: UserAction): 0 {
  const { account } = desk;
  const payload = drawUserPayload(desk.choices, desk.profile, desk.scene, account, action);
  desk.users.push(signUser(desk, account, action, payload));
  return 0;
}

function drawAuthority(desk: Desk, operation: string): Drawn[] {
  const { choices, profile, scene, prices } = desk;
  const market = (desk.market % desk.state.marketNames.length) as MarketRow;
  const spoilt = choices.chance(profile.faults, 100);
  switch (operation) {
    case "deposit":
    case "faucetMint":
      return [drawCredit(choices, profile, scene, spoilt)];
    case "createMarket":
      return [drawCreation(choices, scene, prices, spoilt)];
    case "updateMarket":
      return drawUpdates(choices, scene, spoilt);
    case "settleMarket":
      return [drawSettlement(choices, scene, desk.state.marketNames[market]!, prices, spoilt)];
    case "houseFlow":
      return [drawHouseFlow(choices, profile, scene, market, spoilt)];
    default:
      return [{ action: "fundInsurance", payload: { amount: spoilt ? 0 : choices.between(1, 100_000_000) } } as Drawn];
  }
}
