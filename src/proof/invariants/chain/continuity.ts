import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import { readImage, writeImage } from "../../../venue/engine/commitment/image.ts";
import { computeRoot, getHead } from "../../../venue/engine/commitment/root.ts";
import { readSnapshot, writeSnapshot } from "../../../venue/engine/commitment/snapshot.ts";
import { forkState } from "../../../venue/engine/state/forkState.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { findMislisted } from "../intents/intentTriggers.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { findMisplaced } from "./indexes.ts";

/** Ways to copy a venue, one each turn. */
const COPIES: readonly (readonly [string, (state: State) => State])[] = [
  ["snapshot", (state) => readSnapshot(writeSnapshot(state))],
  ["image", (state) => readImage(writeImage(state))],
  ["fork", forkState],
];

export const continuity = defineInvariant({
  id: "continuity",
  sentence:
    "A venue that is restored from a snapshot or an image, or forked, has correct indexes and applies the next block as the original does.",
  rules: ["DET-1", "DET-3"],
  catalogue: ["D01", "D03"],
  when: "block",
  heavy: true,
  news: 3,
  sweep(state, step) {
    const { before, block } = step;
    step.met++;
    const [name, copy] = COPIES[step.turn % COPIES.length]!;
    const twin = copy(before);
    const fault = findMisplaced(twin) ?? findMislisted(twin);
    if (fault !== undefined) return `restored from its ${name}: ${fault}`;
    applyBlock(twin, block);
    const root = computeRoot(state);
    if (!/^0x[0-9a-f]{64}$/.test(root)) return `${root} is not a root`;
    if (computeRoot(twin) !== root) return `restored from its ${name}, the venue has another root`;
    if (getHead(twin) !== getHead(state)) return `restored from its ${name}, the venue has another head`;
    return undefined;
  },
});
