import { isEngineError } from "../../../protocol/engineError.ts";
import { readDefinition } from "../../../protocol/readParameters.ts";
import type { Block } from "../../../protocol/transaction.ts";
import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import { writeCanonical } from "../../../venue/engine/commitment/canonical.ts";
import { readImage, writeImage } from "../../../venue/engine/commitment/image.ts";
import { computeRoot, getHead } from "../../../venue/engine/commitment/root.ts";
import { readSnapshot, writeSnapshot } from "../../../venue/engine/commitment/snapshot.ts";
import { type ForkChange, type ForkVenue, forkVenue } from "../../../venue/engine/forkRecord.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { findMislisted } from "../intents/intentTriggers.ts";
import { defineInvariant, type Step } from "../machinery/defineInvariant.ts";
import { listLimits } from "./forkLimits.ts";
import { findMisplaced } from "./indexes.ts";
import { createStrayBlock } from "./strayBlock.ts";

/** Parameters that any market accepts, another set for each round: a taker fee that no rebate exceeds. */
export const CHANGES: readonly ForkChange["parameters"][] = [
  { takerFee: "0.000777", makerFee: "0" },
  { openOrdersMax: "77" },
  { liquidationCooldown: "7777" },
  { priceBand: "0.777" },
];

export const forksAreIndependent = defineInvariant({
  id: "forksAreIndependent",
  sentence:
    "A fork without changes behaves as the venue. A changed fork has its changes and its own head, and continues. A fork never changes its venue. A position limit that lets prices grow too great is refused.",
  rules: ["DET-3", "NUM-3"],
  catalogue: ["D03"],
  when: "block",
  heavy: true,
  // Dozens of forks are too many for one block: each turn checks a part of them.
  sweep: (state, step) => findMixedUp(state, step, forkVenue, [PARTS[step.turn % PARTS.length]!]),
});

type Fork = typeof forkVenue;
type Part = (make: Fork, state: State, step: Step) => string | undefined;

/**
 * @param fork  the engine's way to fork a venue
 * @param parts the parts to check; all by default
 */
export function findMixedUp(
  state: State,
  step: Step,
  fork: Fork = forkVenue,
  parts: readonly Part[] = PARTS,
): string | undefined {
  step.met++;
  const form = writeForms(step.before);
  for (const part of parts) {
    const fault = part(fork, state, step);
    if (fault !== undefined) return fault;
  }
  return isForm(step.before, form) ? undefined : "the venue is not what it was before it was forked";
}

/** The checks on forks in which one market changes: another market and another change in each round of the parts. */
type Changing = (make: Fork, step: Step, place: MarketRow, change: ForkChange) => string | undefined;

const PARTS: readonly Part[] = [
  (make, state, { before, block }) => checkSame(make, before, state, block),
  (make, state, { block, result }) => checkStray(make, state, block, result.receipts.codes),
  withChange((make, { before, block }, _place, change) =>
    checkChanged(make, before, block, [change], {}, [change.market!]),
  ),
  withChange((make, { before, block }, _place, { parameters }) =>
    checkChanged(make, before, block, [{ parameters }], { validityMax: 777 }, before.marketNames),
  ),
  withChange((make, { before, block }) => checkChanged(make, before, block, [], { liquidationsMax: 77 }, [])),
  withChange(checkHeads),
  withChange(checkBounds),
];

function withChange(check: Changing): Part {
  return (make, _state, step) => {
    const { before, turn } = step;
    if (before.marketNames.length === 0) return undefined;
    const round = Math.floor(turn / PARTS.length);
    const parameters = CHANGES[round % CHANGES.length]!;
    const place = (round % before.marketNames.length) as MarketRow;
    return check(make, step, place, { market: before.marketNames[place]!, parameters });
  };
}

function checkBounds(make: Fork, { before, turn }: Step, place: MarketRow, change: ForkChange) {
  return (
    checkLimits(make, before, place, turn) ??
    checkRefused(make, before, [{ ...change, parameters: { tickSize: getOtherTick(before, place) } }]) ??
    checkRefused(make, before, [{ ...change, market: getAbsentMarket(before) }])
  );
}

/** A tick size other than the market's. */
function getOtherTick(before: State, market: MarketRow): string {
  const { tickSize } = readDefinition(before.parameters[market]!.definition);
  return tickSize === "0.777" ? "0.778" : "0.777";
}

/** A name that no market of the venue has. */
function getAbsentMarket({ marketNames }: State): string {
  let name = "NONE-PERP";
  while (marketNames.includes(name)) name = `NO${name}`;
  return name;
}

function checkSame(make: Fork, before: State, state: State, block: Block): string | undefined {
  const fork = make(before);
  applyBlock(fork, block);
  const isSame = computeRoot(fork) === computeRoot(state) && getHead(fork) === getHead(state);
  return isSame ? undefined : "a fork without changes takes another course";
}

/** A fork applies a block that the venue never gets; so does a fork of the venue that its image restores. */
function checkStray(make: Fork, state: State, last: Block, codes: ArrayLike<number>): string | undefined {
  const twin = readImage(writeImage(state));
  const forms = [state, twin].map(writeForms);
  const block = createStrayBlock(state, last, codes);
  const [fork, other] = [make(state), make(twin)];
  applyBlock(fork, block);
  applyBlock(other, block);
  if (getHead(fork) !== getHead(other) || computeRoot(fork) !== computeRoot(other))
    return "a fork of the venue and a fork of its image differ after the same block";
  for (const [place, venue] of [state, twin].entries()) {
    const name = place === 0 ? "the venue" : "the venue restored from an image";
    const fault = findMisplaced(venue) ?? findMislisted(venue);
    if (fault !== undefined) return `${name} after its fork took a block: ${fault}`;
    if (!isForm(venue, forms[place]!)) return `${name} is not what it was before its fork took a block`;
  }
  const fault = findMisplaced(fork) ?? findMislisted(fork);
  return fault === undefined ? undefined : `a fork that took its own block: ${fault}`;
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
  return isSame ? undefined : `${name}: written and read again, the fork takes another course`;
}

/** The venue and forks that differ only a little all have different heads. */
function checkHeads(make: Fork, { before }: Step): string | undefined {
  const [one, other] = before.marketNames;
  const [low, high] = [
    { takerFee: "0.000777", makerFee: "0" },
    { takerFee: "0.000778", makerFee: "0" },
  ];
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

/** Position limits around those that the open positions allow. */
function checkLimits(make: Fork, before: State, market: MarketRow, turn: number): string | undefined {
  const limits = listLimits(before, market);
  for (const { text, isRefused } of [limits[turn % limits.length]!, limits[0]!]) {
    const changes = [{ market: before.marketNames[market]!, parameters: { positionLimit: text } }];
    const fault = isRefused() ? checkRefused(make, before, changes) : checkTaken(make, before, changes);
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
  return `${JSON.stringify(changes)} was accepted`;
}

/** The venue in both of its binary forms. */
function writeForms(state: State): readonly Uint8Array[] {
  return [writeCanonical(state), writeImage(state)];
}

function isForm(state: State, forms: readonly Uint8Array[]): boolean {
  return writeForms(state).every((form, place) => Buffer.compare(form, forms[place]!) === 0);
}
