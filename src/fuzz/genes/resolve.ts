/** What each operation of a gene does to the block that is being put together. */

import { drawAuthority, drawRevival } from "./authorities.ts";
import type { Desk } from "./desk.ts";
import { applyDriver } from "./driver.ts";
import { OPERATIONS } from "./operations.ts";
import { drawPrice, reportPrice, stepPrice } from "./prices.ts";
import { getActor, getMarket } from "./references.ts";
import { signSystem, signUser } from "./sign.ts";
import { drawStepToEdge } from "./times.ts";
import { drawUser } from "./users.ts";

/** Time from a block to the next, ms; 0 for the time to an edge. */
const STEPS = [1_000, 1_000, 200, 1, 5_000, 8_000, 10_000, 0, 0] as const;
const GAPS = [60_001, 60_000, 10_001, 3_600_000, 90_000_000, 3_000_000_000] as const;

/**
 * Does what a gene says.
 *
 * @returns time in ms to the block that it closes; 0 where it closes none
 */
export function resolveGene(desk: Desk, genes: Uint16Array, from: number): number {
  const operation = OPERATIONS[desk.readGene(genes, from) % OPERATIONS.length]!;
  const { choices } = desk;
  switch (operation) {
    case "block": {
      const step = choices.pick(STEPS) || drawStepToEdge(desk, choices, getActor(desk, operation));
      reportWorld(desk, choices.next());
      return step;
    }
    case "gap":
      return choices.pick(GAPS);
    case "price":
      desk.oracle.push(signSystem(desk, "oracleUpdate", drawPrice(desk, getActor(desk, operation))));
      return 0;
    case "deposit":
    case "faucetMint":
    case "fundInsurance":
    case "createMarket":
    case "updateMarket":
    case "settleMarket":
    case "houseFlow": {
      const account = getActor(desk, operation);
      const { action, payload } = drawAuthority(desk, operation, account, getMarket(desk, account));
      desk.system.push(signSystem(desk, action, payload));
      return 0;
    }
    case "duplicate":
    case "delay":
    case "reorder":
    case "truncate":
    case "crash":
      applyDriver(desk, operation);
      return 0;
    default: {
      const account = getActor(desk, operation);
      const payload = drawUser(desk, operation, account, getMarket(desk, account));
      desk.users.push(signUser(desk, account, operation, payload));
      return 0;
    }
  }
}

/** At the end of a block: no reports with choice 0, else of one market, or of all, after a step of their prices. */
function reportWorld(desk: Desk, how: number): void {
  const way = how % 8;
  if (way < 4) return;
  if (way === 7)
    for (const { action, payload } of drawRevival(desk)) desk.system.push(signSystem(desk, action, payload));
  desk.prices.forEach((path, place) => {
    const row = desk.state.marketRows.get(path.market.name);
    if (row === undefined || (way < 7 && place !== desk.market % desk.prices.length)) return;
    stepPrice(desk, path, row, desk.choices);
    desk.oracle.push(signSystem(desk, "oracleUpdate", reportPrice(desk, path)));
  });
}
