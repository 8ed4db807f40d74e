/**
 * Shrinking: long chronicles that fail at their end, made as small as they go.
 *
 *     npm run bench -- shrink             node bench/shrink.ts [--small] [--json] [--record]
 *
 * Flows of about 50,000 transactions over markets that stay open. Each has a fault planted that shows first at the end:
 * a unit out of nothing at an event of a kind with a number that it did not have before. So the least that fails needs
 * exactly that number, which most faults do not ask for. It checks that what is left fails in the same way.
 */

import type { Chronicle } from "../src/proof/fuzz/case/resolveCase.ts";
import { Flow } from "../src/proof/fuzz/flow/flow.ts";
import type { Apply } from "../src/proof/fuzz/shrink/readScript.ts";
import { type Shrunk, shrinkChronicle } from "../src/proof/fuzz/shrink/shrinkScript.ts";
import type { Failure } from "../src/proof/fuzz/shrink/signature.ts";
import type { VenueEvent } from "../src/protocol/events.ts";
import { applyBlock } from "../src/venue/engine/applyBlock.ts";
import { readEvents } from "../src/venue/engine/events/readEvents.ts";
import { createVenue } from "../src/venue/engine/genesis.ts";
import { getPosition, type State } from "../src/venue/engine/state/state.ts";
import { cpuSeconds, median, report } from "./lib/measure.ts";

const small = process.argv.includes("--small");
const LENGTH = small ? 1_000 : 50_000;
const SEEDS = small ? [8] : [3, 5, 8];

/** What an event must be to count, as a text that distinguishes it from others. */
type Kind = (event: VenueEvent, state: State) => string | undefined;

const KINDS: Readonly<Record<string, Kind>> = {
  "a fill of an isolated position": (event, state) => {
    if (event.kind !== "fill") return undefined;
    const position = getPosition(state, event.takerAccount as never, event.market as never);
    return position >= 0 && state.positions.mode[position] !== 0 ? `${event.size}` : undefined;
  },
  "a fill of two shorts": (event, state) => {
    if (event.kind !== "fill") return undefined;
    const sizes = [event.takerAccount, event.makerAccount].map((account) => {
      const position = getPosition(state, account as never, event.market as never);
      return position < 0 ? 0 : state.positions.signedLots[position]!;
    });
    return sizes.every((size) => size < 0) ? `${event.size}` : undefined;
  },
  "an intent that fires": (event) => (event.kind === "intentTriggered" ? `${event.size}` : undefined),
};

/** Actions that close markets or empty accounts: after long enough nothing would happen any more. */
const ENDS: ReadonlySet<string> = new Set(["updateMarket", "settleMarket", "withdraw"]);
const GAP_MOST = 8_000;

/** A chronicle whose last block is the first with an event of the kind and a number that it did not have before. */
function findLate(seed: number, kind: Kind): { chronicle: Chronicle; wanted: string } | undefined {
  const flow = new Flow(seed);
  const state = createVenue(flow.genesis);
  const blocks: Chronicle["blocks"][number][] = [];
  const seen = new Set<string>();
  for (let count = 0; count < 2 * LENGTH; ) {
    const drawn = flow.next(state);
    const transactions = drawn.transactions.filter(({ action }) => !ENDS.has(action));
    const block = { ...drawn, timeMs: Math.min(drawn.timeMs, state.timeMs + GAP_MOST), transactions };
    blocks.push(block);
    count += transactions.length;
    const { events, from, to } = applyBlock(state, block);
    for (const event of readEvents(events, from, to)) {
      const text = kind(event, state);
      if (text === undefined) continue;
      if (count >= LENGTH && !seen.has(text)) return { chronicle: { genesis: flow.genesis, blocks }, wanted: text };
      seen.add(text);
    }
  }
  return undefined;
}

function plant(kind: Kind, wanted: string): Apply {
  return (state, block, probe) => {
    const result = applyBlock(state, block, probe);
    for (const event of readEvents(result.events, result.from, result.to)) {
      if (kind(event, state) === wanted) state.accounts.collateral[0 as never]!++;
    }
    return result;
  };
}

const seconds: number[] = [];
const lengths: number[] = [];
let applied = 0;
for (const seed of SEEDS) {
  for (const [name, kind] of Object.entries(KINDS)) {
    const late = findLate(seed, kind);
    if (late === undefined) continue; // the flow does not get there
    const apply = plant(kind, late.wanted);
    const height = late.chronicle.blocks.length;
    const failure: Failure = {
      invariant: "conservation",
      height,
      observed: "1 quote units do not come from any inflow",
    };
    let shrunk: Shrunk | undefined;
    seconds.push(cpuSeconds(() => (shrunk = shrinkChronicle(late.chronicle, failure, { apply }))));
    if (shrunk === undefined) throw new Error(`seed ${seed}, ${name}: the chronicle does not fail`);
    lengths.push(shrunk.transactions);
    applied += shrunk.applied;
    if (process.argv.includes("--verbose")) {
      const { transactionsBefore, transactions, candidates } = shrunk;
      console.error(
        `seed ${seed}, ${name}: ${transactionsBefore} to ${transactions}, ${candidates} tries, ${seconds.at(-1)} s`,
      );
    }
  }
}
const total = seconds.reduce((sum, time) => sum + time, 0);
report("shrink", [
  { name: "failures", value: seconds.length, unit: "" },
  { name: "time for one, median", value: median(seconds), unit: "s", ...(small ? {} : { target: "<= 10" }) },
  { name: "time for one, longest", value: Math.max(...seconds), unit: "s" },
  { name: "transactions left, median", value: median(lengths), unit: "", target: "<= 10" },
  { name: "transactions left, most", value: Math.max(...lengths), unit: "" },
  { name: "transactions applied a second", value: applied / total / 1000, unit: "k tx/s" },
]);
