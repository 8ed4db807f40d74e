import { applyBlock } from "../../engine/applyBlock.ts";
import { writeCanonical } from "../../engine/commitment/canonical.ts";
import { readImage, writeImage } from "../../engine/commitment/image.ts";
import { computeRoot, getHead } from "../../engine/commitment/root.ts";
import { readSnapshot, writeSnapshot } from "../../engine/commitment/snapshot.ts";
import { type ForkChange, type ForkVenue, forkVenue } from "../../engine/forkRecord.ts";
import type { MarketRow } from "../../engine/state/schema.ts";
import type { State } from "../../engine/state/state.ts";
import { isEngineError } from "../../protocol/engineError.ts";
import { readDefinition } from "../../protocol/parameters.ts";
import type { Block } from "../../protocol/transaction.ts";
import { defineInvariant, type Step } from "../defineInvariant.ts";
import { findMisplaced } from "../indexes.ts";
import { findMislisted } from "../intentTriggers.ts";
import { isTooGreat, listLimits } from "./forkLimits.ts";
import { createStrayBlock } from "./strayBlock.ts";

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
    "A fork without changes is the venue; each with changes has them and a head of its own, and goes on; what a fork does leaves the venue as it was; a position limit that would let prices grow too great is refused.",
  rules: ["DET-3", "NUM-3"],
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
  step.met++;
  const form = writeForms(before);
  const fault =
    checkSame(fork, before, state, block) ??
    checkStray(fork, state, block, step.result.receipts.codes) ??
    (names.length === 0 ? undefined : checkMarkets(fork, before, block));
  if (fault !== undefined) return fault;
  return isForm(before, form) ? undefined : "the venue is not what it was before it was forked";
}

function checkMarkets(fork: Fork, before: State, block: Block): string | undefined {
  const names = before.marketNames;
  const { height } = block;
  const parameters = CHANGES[height % CHANGES.length]!;
  const place = height % names.length;
  const market = names[place]!;
  // A market with a position that outgrew its limit takes no change at all.
  const stuck = before.parameters.findIndex((rules, row) => isTooGreat(before, row as MarketRow, rules));
  if (stuck >= 0) return checkRefused(fork, before, [{ market: names[stuck]!, parameters }]);
  return (
    checkChanged(fork, before, block, [{ market, parameters }], {}, [market]) ??
    checkChanged(fork, before, block, [{ parameters }], { validityMax: 777 }, names) ??
    checkChanged(fork, before, block, [], { liquidationsMax: 77 }, []) ??
    checkHeads(fork, before) ??
    checkLimits(fork, before, place as MarketRow, height) ??
    checkRefused(fork, before, [{ market, parameters: { tickSize: "0.777" } }]) ??
    checkRefused(fork, before, [{ market: "NONE-PERP", parameters }])
  );
}

function checkSame(make: Fork, before: State, state: State, block: Block): string | undefined {
  const fork = make(before);
  applyBlock(fork, block);
  const isSame = computeRoot(fork) === computeRoot(state) && getHead(fork) === getHead(state);
  return isSame ? undefined : "a fork without changes goes another way";
}

/** A fork takes a block that the venue never gets, and so does one of the venue as its image restores it. */
function checkStray(make: Fork, state: State, last: Block, codes: ArrayLike<number>): string | undefined {
  const twin = readImage(writeImage(state));
  const forms = [state, twin].map(writeForms);
  const block = createStrayBlock(state, last, codes);
  const [fork, other] = [make(state), make(twin)];
  applyBlock(fork, block);
  applyBlock(other, block);
  if (getHead(fork) !== getHead(other) || computeRoot(fork) !== computeRoot(other))
    return "a fork of the venue and one of its image go two ways";
  for (const [place, venue] of [state, twin].entries()) {
    const name = place === 0 ? "the venue" : "the venue of an image";
    const fault = findMisplaced(venue) ?? findMislisted(venue);
    if (fault !== undefined) return `${name} behind what its fork did: ${fault}`;
    if (!isForm(venue, forms[place]!)) return `${name} is not what it was before its fork took a block`;
  }
  const fault = findMisplaced(fork) ?? findMislisted(fork);
  return fault === undefined ? undefined : `a fork with a block of its own: ${fault}`;
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
  const twin = readSnapshot(writeSnapshot(fork));
  applyBlock(fork, block);
  applyBlock(twin, block);
  const isSame = computeRoot(fork) === computeRoot(twin) && getHead(fork) === getHead(twin);
  return isSame ? undefined : `${name}: written and read, the fork goes another way`;
}

/** Forks that differ in little, the venue among them, have heads that all differ. */
function checkHeads(make: Fork, before: State): string | undefined {
  const [one, other] = before.marketNames;
  const [low, high] = [{ takerFee: "0.000777" }, { takerFee: "0.000778" }];
  const ways: (readonly [readonly ForkChange[], ForkVenue])[] = [
    [[{ market: one!, parameters: low }], {}],
    [[{ market: one!, parameters: high }], {}],
    [[], { validityMax: 777 }],
    [[], { validityMax: 778 }],
    [[], { liquidationsMax: 777 }],
  ];
  for (const [first, second] of [
    [low, high],
    [high, low],
  ] as const) {
    const changes = [
      { market: one!, parameters: first },
      { market: other!, parameters: second },
    ];
    if (other !== undefined) ways.push([changes, {}]);
  }
  const heads = new Map([[getHead(before), "the venue"]]);
  for (const [changes, venue] of ways) {
    const head = getHead(make(before, changes, venue));
    const name = JSON.stringify([changes, venue]);
    if (heads.has(head)) return `${name} has the head of ${heads.get(head)}`;
    heads.set(head, name);
  }
  return undefined;
}

/** Position limits about those that what is open allows. */
function checkLimits(make: Fork, before: State, market: MarketRow, turn: number): string | undefined {
  const limits = listLimits(before, market);
  for (const { text, isRefused } of [limits[turn % limits.length]!, limits[0]!]) {
    const changes = [{ market: before.marketNames[market]!, parameters: { positionLimit: text } }];
    const fault = isRefused ? checkRefused(make, before, changes) : checkTaken(make, before, changes);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function checkTaken(make: Fork, before: State, changes: readonly ForkChange[]): string | undefined {
  try {
    make(before, changes);
  } catch (error) {
    return `${JSON.stringify(changes)} was refused: ${String(error)}`;
  }
  return undefined;
}

function checkRefused(make: Fork, before: State, changes: readonly ForkChange[]): string | undefined {
  try {
    make(before, changes);
  } catch (error) {
    return isEngineError(error, "INVALID_FORK") ? undefined : String(error);
  }
  return `${JSON.stringify(changes)} was taken`;
}

/** Both forms of its bytes. */
function writeForms(state: State): readonly Uint8Array[] {
  return [writeCanonical(state).slice(), writeImage(state).slice()];
}

function isForm(state: State, forms: readonly Uint8Array[]): boolean {
  return writeForms(state).every((form, place) => Buffer.compare(form, forms[place]!) === 0);
}
