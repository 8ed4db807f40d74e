import { findPriceFault } from "../../engine/actions/changeParameters.ts";
import { applyBlock } from "../../engine/applyBlock.ts";
import { writeCanonical } from "../../engine/commitment/canonical.ts";
import { computeRoot, getHead } from "../../engine/commitment/root.ts";
import { readSnapshot, writeSnapshot } from "../../engine/commitment/snapshot.ts";
import { type ForkChange, type ForkVenue, forkVenue } from "../../engine/forkRecord.ts";
import type { MarketRow } from "../../engine/state/schema.ts";
import type { State } from "../../engine/state/state.ts";
import { isEngineError } from "../../protocol/engineError.ts";
import { readDefinition } from "../../protocol/parameters.ts";
import type { Block } from "../../protocol/transaction.ts";
import { defineInvariant, type Step } from "../defineInvariant.ts";

/** Parameters that any market takes, another for each turn. */
const CHANGES: readonly ForkChange["parameters"][] = [
  { takerFee: "0.000777" },
  { openOrdersMax: "77" },
  { liquidationCooldown: "7777" },
  { priceBand: "0.777" },
];

export const forksStandApart = defineInvariant({
  id: "forksStandApart",
  sentence:
    "A fork without changes is the venue; one with changes has them and a head of its own, goes on, and leaves the venue as it was.",
  rules: ["DET-3"],
  catalogue: ["D03"],
  when: "block",
  heavy: true,
  sweep: (state, step) => findMixedUp(state, step),
});

type Fork = typeof forkVenue;

/** @param fork the engine's way to fork a venue */
export function findMixedUp(state: State, step: Step, fork: Fork = forkVenue): string | undefined {
  const { before, block } = step;
  const names = before.marketNames;
  // A market with a position that outgrew its limit takes no change at all.
  const isStuck = before.parameters.some((rules, row) => findPriceFault(before, row as MarketRow, rules) !== undefined);
  if (names.length === 0 || isStuck) return undefined;
  step.met++;
  const form = writeCanonical(before).slice();
  const parameters = CHANGES[state.height % CHANGES.length]!;
  const market = names[state.height % names.length]!;
  const fault =
    checkSame(fork, before, state, block) ??
    checkChanged(fork, before, block, [{ market, parameters }], {}, [market]) ??
    checkChanged(fork, before, block, [{ parameters }], { validityMax: 777 }, names) ??
    checkChanged(fork, before, block, [], { liquidationsMax: 77 }, []) ??
    checkRefused(fork, before, [{ market, parameters: { tickSize: "0.777" } }]) ??
    checkRefused(fork, before, [{ market: "NONE-PERP", parameters }]);
  if (fault !== undefined) return fault;
  const after = writeCanonical(before);
  const stands = form.length === after.length && form.every((byte, at) => byte === after[at]);
  return stands ? undefined : "the venue is not what it was before it was forked";
}

function checkSame(make: Fork, before: State, state: State, block: Block): string | undefined {
  const fork = make(before);
  applyBlock(fork, block);
  const isSame = computeRoot(fork) === computeRoot(state) && getHead(fork) === getHead(state);
  return isSame ? undefined : "a fork without changes goes another way";
}

function checkChanged(
  make: Fork,
  before: State,
  block: Block,
  changes: readonly ForkChange[],
  venue: ForkVenue,
  changed: readonly string[],
): string | undefined {
  const fork = make(before, changes, venue);
  const name = JSON.stringify([changes, venue]);
  for (const [row, rules] of fork.parameters.entries()) {
    const isMeant = changed.includes(fork.marketNames[row]!);
    const texts = readDefinition(rules.definition);
    for (const { parameters } of changes) {
      const has = Object.entries(parameters).every(([key, text]) => texts[key] === text);
      if (isMeant && !has) return `${name} did not change ${fork.marketNames[row]}`;
    }
    if (!isMeant && rules !== before.parameters[row]) return `${name} changed ${fork.marketNames[row]}`;
  }
  for (const [key, value] of Object.entries(venue)) {
    if (fork.genesis[key as keyof ForkVenue] !== value) return `${name} did not change the venue`;
  }
  if (getHead(fork) === getHead(before)) return `${name} has the head of the venue`;
  const twin = readSnapshot(writeSnapshot(fork));
  applyBlock(fork, block);
  applyBlock(twin, block);
  const isSame = computeRoot(fork) === computeRoot(twin) && getHead(fork) === getHead(twin);
  return isSame ? undefined : `${name}: written and read, the fork goes another way`;
}

function checkRefused(make: Fork, before: State, changes: readonly ForkChange[]): string | undefined {
  try {
    make(before, changes);
  } catch (error) {
    return isEngineError(error, "INVALID_FORK") ? undefined : String(error);
  }
  return `${JSON.stringify(changes)} was taken`;
}
