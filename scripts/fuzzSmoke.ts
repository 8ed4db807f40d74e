/**
 * A short search for broken invariants: generated flows, looked at after every block and every
 * transaction. First, planted faults have to be found, so that the search is known to see.
 *
 *     npm run fuzz:smoke                                     new seeds for 40 seconds
 *     npm run fuzz:smoke -- --seconds 600 --from 1           longer, from a seed on
 *     npm run fuzz:smoke -- --seed 1234 --blocks 200         one seed again
 *     npm run fuzz:smoke -- --canary freeUnit                with a planted fault, which it reports
 *
 * Exits 0 when all held, 1 with seed and height of a violation, 2 for wrong arguments, 3 when the search saw too little
 * to mean anything.
 */
import { parseArgs } from "node:util";
import { applyBlock, type BlockResult } from "../src/engine/applyBlock.ts";
import { readEvents } from "../src/engine/events/readEvents.ts";
import { createVenue } from "../src/engine/genesis.ts";
import type { State } from "../src/engine/state/state.ts";
import { Flow } from "../src/generators/flow.ts";
import { Reached } from "../src/generators/flowReached.ts";
import { type Violation, Watch } from "../src/invariants/watch.ts";
import { ACTION_NAMES } from "../src/protocol/actions/index.ts";
import { EVENT_KINDS } from "../src/protocol/events.ts";
import { INVALID_NAMES, REJECTION_NAMES } from "../src/protocol/rejections.ts";

/** Faults to plant behind a block, as a bug in the venue would leave them. */
const CANARIES: Readonly<Record<string, (state: State, result: BlockResult) => void>> = {
  /** A fill that pays its taker a unit out of nothing. */
  freeUnit(state, result) {
    for (const event of readEvents(result.events, result.from, result.to)) {
      if (event.kind === "fill") state.accounts.collateral[event.takerAccount as never]!++;
    }
  },
  /** A trigger that looks at a position too late. */
  lateTrigger({ positions }) {
    for (let row = 0; row < positions.rows.high; row++) {
      const at = row as never;
      const size: number = positions.size[at]!;
      if (positions.rows.isLive(row) && size !== 0) (positions.trigger[at] as number) = size > 0 ? -1 : 8e15;
    }
  },
  /** An order that is cancelled and keeps its reserve. */
  keptReserve({ positions }, result) {
    const cancelled = readEvents(result.events, result.from, result.to).find(({ kind }) => kind === "orderCancelled");
    if (cancelled?.kind !== "orderCancelled") return;
    for (let row = 0; row < positions.rows.high; row++) {
      const at = row as never;
      if (positions.rows.isLive(row) && positions.account[at] === cancelled.account) positions.buyCharge[at]!++;
    }
  },
};

/**
 * What a search has to get to before its silence means anything. Shared losses, and grants whose daily limit counts, are
 * too rare to ask for in a short one; tests and scenarios reach them.
 */
const RARE = new Set([
  "event authorizationUsed",
  "event settlementHaircut",
  "event badDebtChanged",
  "event lossSocialized",
  "event dustChanged",
  "event liquidationQueued",
]);
const WANTED = [...ACTION_NAMES.map((name) => `${name} applied`), ...EVENT_KINDS.map((kind) => `event ${kind}`)].filter(
  (name) => !RARE.has(name),
);

interface Campaign {
  readonly blocks: number;
  readonly canary?: string | undefined;
}

interface Found extends Violation {
  readonly seed: number;
}

/** Runs one seed up to its first violation. */
function runSeed(seed: number, { blocks, canary }: Campaign, reached: Reached): Found | undefined {
  const flow = new Flow(seed);
  const state = createVenue(flow.genesis);
  const watch = new Watch(state);
  for (let count = 0; count < blocks; count++) {
    const block = flow.next(state);
    let result: BlockResult;
    try {
      result = applyBlock(state, block, watch.probe);
    } catch (error) {
      return { seed, invariant: "nothing throws", height: block.height, observed: String((error as Error).stack) };
    }
    reached.add(block, result);
    if (canary !== undefined) CANARIES[canary]!(state, result);
    const [violation] = watch.check(state, block, result);
    if (violation !== undefined) return { seed, ...violation };
  }
  return undefined;
}

/** Faults that the search does not find when they are there. */
function findBlindSpots(blocks: number): string[] {
  return Object.keys(CANARIES).filter((canary) => {
    for (let seed = 1; seed <= 4; seed++) {
      if (runSeed(seed, { blocks, canary }, new Reached()) !== undefined) return false;
    }
    return true;
  });
}

function printTable(reached: Reached): void {
  const sum = (action: string, codes: readonly string[]) =>
    codes.reduce((count, code) => count + (reached.counts.get(`${action} ${code}`) ?? 0), 0);
  console.log(`${"action".padEnd(15)}${["applied", "rejected", "invalid"].map((name) => name.padStart(10)).join("")}`);
  for (const action of ACTION_NAMES) {
    const counts = [sum(action, ["applied"]), sum(action, REJECTION_NAMES), sum(action, INVALID_NAMES)];
    console.log(`${action.padEnd(15)}${counts.map((count) => String(count).padStart(10)).join("")}`);
  }
}

function readNumber(text: string, name: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  console.error(`--${name} must be a whole number, not ${text}`);
  process.exit(2);
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        seconds: { type: "string", default: "40" },
        blocks: { type: "string", default: "150" },
        from: { type: "string", default: String(Math.floor(Date.now() / 1000)) },
        seed: { type: "string" },
        canary: { type: "string" },
      },
    }).values;
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
}

const values = readArguments();
const { canary } = values;
if (canary !== undefined && !Object.hasOwn(CANARIES, canary)) {
  console.error(`--canary must be one of ${Object.keys(CANARIES).join(", ")}`);
  process.exit(2);
}
const blocks = readNumber(values.blocks, "blocks");
const one = values.seed === undefined ? undefined : readNumber(values.seed, "seed");
const first = one ?? readNumber(values.from, "from");
const deadline = Date.now() + readNumber(values.seconds, "seconds") * 1000;

const blind = one === undefined && canary === undefined ? findBlindSpots(60) : [];
const reached = new Reached();
const start = Date.now();
let seed = first;
let found: Found | undefined;
do {
  found = runSeed(seed++, { blocks, canary }, reached);
} while (found === undefined && one === undefined && Date.now() < deadline);

const seconds = (Date.now() - start) / 1000;
printTable(reached);
console.log(
  `${reached.transactions} transactions of seeds ${first} to ${seed - 1}, ${blocks} blocks each, in ${seconds.toFixed(1)} s: ` +
    `${Math.round(reached.transactions / seconds)} a second with every invariant after every block`,
);
const missed = WANTED.filter((name) => !reached.counts.has(name));
if (found !== undefined) {
  const { invariant, height, index, observed } = found;
  const place = index === undefined ? "" : `, transaction ${index}`;
  console.error(`VIOLATED ${invariant} at seed ${found.seed}, block ${height}${place}:\n  ${observed}`);
  console.error(`again: npm run fuzz:smoke -- --seed ${found.seed} --blocks ${height}`);
  process.exitCode = 1;
} else if (blind.length > 0) {
  console.error(`VACUOUS: planted and not found: ${blind.join(", ")}`);
  process.exitCode = 3;
} else if (one === undefined && missed.length > 0) {
  console.error(`VACUOUS: never reached: ${missed.join(", ")}`);
  process.exitCode = 3;
} else {
  console.log("every invariant held");
}
