/**
 * Recipes that have hurt venues, as genes: attacks and misfortunes. Drawn genes are mixed in, so that no two instances
 * are alike.
 */
import type { Draw } from "../../../ground/math/draw.ts";
import { agentShapes } from "./agentShapes.ts";
import { contributorShapes } from "./contributorShapes.ts";
import type { Gene } from "./gene.ts";
import { intentShapes } from "./intentShapes.ts";
import { turnShapes } from "./isolatedShapes.ts";
import { liquidationShapes } from "./liquidationShapes.ts";
import { crowdShapes } from "./manyAccountShapes.ts";
import { marginShapes } from "./marginShapes.ts";
import type { Recipe } from "./recipe.ts";
import { tradingShapes } from "./tradingShapes.ts";
import { venueShapes } from "./venueShapes.ts";
import { worldShapes } from "./worldShapes.ts";

const SHORT = {
  ...tradingShapes,
  ...marginShapes,
  ...venueShapes,
  ...intentShapes,
  ...agentShapes,
  ...turnShapes,
  ...crowdShapes,
  ...worldShapes,
} as const;
const RECIPES = { ...SHORT, ...contributorShapes, ...liquidationShapes } as const;

export type Shape = keyof typeof RECIPES;
export const SHAPES = Object.keys(RECIPES) as Shape[];
const SHORT_SHAPES = Object.keys(SHORT) as Shape[];
/** Recipes of several contributors need a hundred genes or more: only cases with at least this many genes draw them. */
const ROOMY = 1_200;

/** Such a case draws each of them as often as this many others: no other case draws them at all. */
const ROOMY_TIMES = 3;
const ROOMY_SHAPES = [
  ...SHORT_SHAPES,
  ...SHAPES.flatMap((shape) => (Object.hasOwn(SHORT, shape) ? [] : Array.from({ length: ROOMY_TIMES }, () => shape))),
];

/** Recipes that a case of so many genes has room for, each as often as it is drawn. */
export function listShapes(genes: number): readonly Shape[] {
  return genes < ROOMY ? SHORT_SHAPES : ROOMY_SHAPES;
}

/** Draws the genes of a recipe. */
export function drawShape(random: Draw, shape: Shape): readonly Gene[] {
  return (RECIPES[shape] as Recipe)(random);
}
