import type { PlantedBug } from "../plantedBug.ts";
import { authority } from "./authority.ts";
import { funding } from "./funding.ts";
import { funds } from "./funds.ts";
import { liquidation } from "./liquidation.ts";
import { margin } from "./margin.ts";
import { orders } from "./orders.ts";

/** Every planted bug, by number. */
export const bugs: readonly PlantedBug[] = [
  ...funds,
  ...orders,
  ...margin,
  ...funding,
  ...liquidation,
  ...authority,
].sort((a, b) => a.number - b.number);
