/** House flows of genes: usual ones, levels of a recorded book, and occasionally a book with extreme prices. */

import { LIMIT } from "../../../ground/math/fixed.ts";
import { HOUSE_STEP } from "../../../protocol/houseSteps.ts";
import { SIDE } from "../../../protocol/words.ts";
import { TICKS_MOST } from "../../../venue/engine/handler/grid.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import type { BlockBuilder } from "./blockBuilder.ts";
import { drawLevels } from "./houseLevels.ts";
import { type Drawn, draw, drawHouseFlow } from "./systemPayloads.ts";

/** Ways to fill the book of a house flow; the plainest first. From `beyond` on they are rare. */
export const HOUSE_WAYS = ["flow", "levels", "faulty", "beyond", "cross", "far", "many", "none"] as const;
/** Choices below the first are a usual flow, and below the second levels of a recorded book. */
const FLOW_BELOW = 0x7000;
const LEVELS_BELOW = 0xe800;

/** Levels in a page of the book, and the page from which its directory must grow. */
const PAGE = 4_096;
const PAGES = 64;
/** Distances of far asks from the price, in ticks. */
const FAR = [PAGE - 1, PAGE, PAGE + 1, 3 * PAGE, PAGE * PAGES - 1, PAGE * PAGES, PAGE * PAGES + 1] as const;
/** Limit of quotes and depth in one flow; `many` uses one more. */
const QUOTES_MOST = 64;

export type Step = readonly [kind: number, ticks: number, lots: number, side: number];

export function drawHouse(builder: BlockBuilder, market: MarketRow): Drawn {
  const { choices, profile, scene } = builder;
  const roll = choices.next();
  const way = roll < FLOW_BELOW ? "flow" : roll < LEVELS_BELOW ? "levels" : HOUSE_WAYS[roll % HOUSE_WAYS.length]!;
  switch (way) {
    case "flow":
    case "faulty":
      return drawHouseFlow(choices, profile, scene, market, way === "faulty");
    default:
      return flow(builder, market, drawBook(builder, market, way));
  }
}

/** Choice that selects a way. */
export function houseChoice(way: (typeof HOUSE_WAYS)[number]): number {
  if (way === "flow") return 0;
  if (way === "levels") return FLOW_BELOW;
  const { length } = HOUSE_WAYS;
  return LEVELS_BELOW + ((HOUSE_WAYS.indexOf(way) - (LEVELS_BELOW % length) + length) % length);
}

function drawBook(
  builder: BlockBuilder,
  market: MarketRow,
  way: "levels" | "beyond" | "cross" | "far" | "many" | "none",
): readonly Step[] {
  const { choices, state } = builder;
  const { tickSize, minLots, maxLots, priceMost } = state.parameters[market]!;
  const price = state.markets.mark[market]! || state.markets.oracle[market]! || 100 * tickSize;
  const middle = Math.min(Math.max(3, Math.round(price / tickSize)), TICKS_MOST - PAGE);
  if (way === "levels") return drawLevels(builder, market, middle);
  const lots = choices.pick([minLots, Math.ceil(maxLots / 20), 1]);
  const bid: Step = [HOUSE_STEP.quote, middle - 1, lots, SIDE.buy];
  const ask = (ticks: number, kind: number = HOUSE_STEP.rest): Step => [
    kind,
    Math.min(Math.max(1, ticks), TICKS_MOST),
    lots,
    SIDE.sell,
  ];
  switch (way) {
    case "beyond": {
      // There is no such price, so a mid or a last trade at it must be handled.
      const most = Math.floor(LIMIT / tickSize);
      const ticks = choices.pick([most, most + 1, Math.floor(priceMost / tickSize) + 1, TICKS_MOST]);
      const last: Step = [HOUSE_STEP.last, Math.min(ticks, TICKS_MOST), 0, SIDE.buy];
      return [bid, ask(ticks, HOUSE_STEP.quote), ...(choices.below(2) === 0 ? [] : [last])];
    }
    case "cross":
      return [[HOUSE_STEP.quote, TICKS_MOST - choices.below(2), lots, SIDE.buy], ask(TICKS_MOST, HOUSE_STEP.quote)];
    case "far": {
      // The near ask is taken; the next asks are pages away.
      const steps = [bid, ask(middle + 1, HOUSE_STEP.quote)];
      for (let count = 1 + choices.below(3); count > 0; count--) steps.push(ask(middle + choices.pick(FAR)));
      steps.push([HOUSE_STEP.rest, Math.max(1, middle - choices.pick(FAR)), lots, SIDE.buy]);
      steps.push([HOUSE_STEP.print, middle + 1, lots, SIDE.buy]);
      return steps;
    }
    case "many": {
      const count = QUOTES_MOST - 1 + choices.below(3);
      const side = choices.below(2);
      const away = side === SIDE.buy ? -1 : 1;
      const step = 1 + choices.below(3);
      const book = choices.pick(["ladder", "levels", "levels and an empty one"] as const);
      return Array.from({ length: count }, (_, place): Step => {
        const ticks = Math.max(1, middle + away * (1 + step * place));
        const kind = book !== "ladder" ? HOUSE_STEP.level : place === 0 ? HOUSE_STEP.quote : HOUSE_STEP.rest;
        // A level of size 0 opens no order, so one more is accepted (ACC-1).
        return [kind, ticks, place === 0 && book === "levels and an empty one" ? 0 : lots, side];
      });
    }
    case "none":
      return [
        [HOUSE_STEP.clear, middle, 0, SIDE.buy],
        [HOUSE_STEP.clear, middle, 0, SIDE.sell],
      ];
  }
}

function flow({ profile, state }: BlockBuilder, market: MarketRow, steps: readonly Step[]): Drawn {
  const { address, subaccount } = profile.house;
  const bytes = new Uint8Array(new Float64Array(steps.flat()).buffer);
  return draw("houseFlow", { market: state.marketNames[market]!, account: address, subaccount, steps: bytes });
}
