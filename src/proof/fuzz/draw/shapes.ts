/**
 * Shapes of use that hurt venues, as recipes of genes: what an attacker would try, or bad luck does. Between their genes
 * others are drawn, so that no two are alike.
 */
import type { Draw } from "../../../ground/math/draw.ts";
import { agentShapes } from "./agentShapes.ts";
import type { Gene } from "./gene.ts";
import { intentShapes } from "./intentShapes.ts";
import { turnShapes } from "./isolatedShapes.ts";
import { crowdShapes } from "./manyAccountShapes.ts";
import { marginShapes } from "./marginShapes.ts";
import type { Recipe } from "./recipe.ts";
import { tradingShapes } from "./tradingShapes.ts";
import { venueShapes } from "./venueShapes.ts";
import { worldShapes } from "./worldShapes.ts";

const RECIPES = {
  ...tradingShapes,
  ...marginShapes,
  ...venueShapes,
  ...intentShapes,
  ...agentShapes,
  ...turnShapes,
  ...crowdShapes,
  ...worldShapes,
} as const;

export type Shape = keyof typeof RECIPES;
export const SHAPES = Object.keys(RECIPES) as Shape[];

/** Genes of a shape, drawn. */
export function drawShape(random: Draw, shape: Shape): readonly Gene[] {
  return (RECIPES[shape] as Recipe)(random);
}
