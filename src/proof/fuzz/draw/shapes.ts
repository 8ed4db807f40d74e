/**
 * Recipes that have hurt venues, as genes: attacks and misfortunes. Drawn genes are mixed in, so that no two instances
 * are alike.
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

/** Draws the genes of a recipe. */
export function drawShape(random: Draw, shape: Shape): readonly Gene[] {
  return (RECIPES[shape] as Recipe)(random);
}
