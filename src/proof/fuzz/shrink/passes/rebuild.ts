import { applyBlock } from "../../../../venue/engine/applyBlock.ts";
import { createVenue } from "../../../../venue/engine/genesis.ts";
import { ORDERS_PER_TRANSACTION } from "../../../../venue/engine/handler/defineHandler.ts";
import { forkState } from "../../../../venue/engine/state/forkState.ts";
import type { State } from "../../../../venue/engine/state/state.ts";
import { restoreVenue } from "../../../../venue/simulation/restoreVenue.ts";
import { type Cut, type Cuts, listCuts } from "../firstPass.ts";
import { Player } from "../player.ts";
import type { Apply } from "../readScript.ts";
import { rebuildVenue } from "../rebuild.ts";
import { highestNumber } from "../runner.ts";
import type { Line, Link, Script, TransactionLine } from "../script.ts";
import type { Search } from "../search.ts";

/**
 * Keeps only the last block, the last two, four and so on, on a rebuilt venue in nearly the same state but without
 * history. Most faults depend on the current state, not on how it arose.
 *
 * @param given cuts of the script, if they are known
 */
export function rebuild(search: Search, apply: Apply = applyBlock, given?: Cuts): void {
  search.pass = "rebuild the venue";
  const { cuts, bases } = given ?? findCuts(search.best, apply);
  for (const cut of cuts.toReversed()) {
    const script = startAt(search.best, cut, bases);
    if (script !== undefined && search.try(script)) return;
  }
}

/** Plays a script up to its last cut. */
export function findCuts({ genesis, lines }: Script, apply: Apply): Cuts {
  const ends = lines.flatMap(({ kind }, at) => (kind === "block" ? [at + 1] : []));
  const places = new Set(listCuts(ends.length).map((after) => ends[ends.length - 1 - after]!));
  const cuts: Cut[] = [];
  const player = new Player(highestNumber(lines));
  let state = createVenue(genesis);
  for (let at = 0; cuts.length < places.size; ) {
    const played = player.build(state, lines, at);
    at = played.next;
    try {
      player.note(state, played, apply(state, played.block));
    } catch {
      break;
    }
    if (played.crash !== undefined) state = restoreVenue(state, played.crash);
    if (places.has(at)) cuts.push({ at, state: forkState(state) });
  }
  return { cuts, bases: player.bases };
}

/** The lines after a cut on a rebuilt venue; undefined if that is not shorter. */
function startAt({ lines }: Script, { at, state }: Cut, bases: Cuts["bases"]): Script | undefined {
  const before = lines.slice(0, at).filter((line) => line.kind === "transaction");
  const later = lines.slice(at);
  const kept = before.filter(keptBy(state, bases, later));
  const taken = new Set(kept);
  const numbers = before.filter((line) => !taken.has(line)).map(({ number }) => number);
  const rebuilt = rebuildVenue(state, { numbers, kept });
  if (rebuilt === undefined) return undefined;
  const known = new Set(kept.map(({ number }) => number));
  for (const line of later) if (line.kind === "transaction") known.add(line.number);
  const follow = (link: Link): Link => {
    if (link.to !== "id" || known.has(link.line)) return link;
    const line = rebuilt.orders.get(bases[link.line]! * ORDERS_PER_TRANSACTION + link.part);
    return line === undefined ? { ...link, line: 0, part: 0 } : { ...link, line, part: 0 };
  };
  const tail = later.map((line): Line => {
    if (line.kind === "block" || line.links.length === 0) return line;
    return { ...line, links: line.links.map(follow) };
  });
  return { genesis: rebuilt.genesis, lines: [...rebuilt.lines, ...rebuilt.closing, ...tail] };
}

/** True for lines that must stay: grants that later lines use, and the placement of an intent that still exists. */
function keptBy(state: State, bases: Cuts["bases"], later: readonly Line[]): (line: TransactionLine) => boolean {
  const { intents } = state;
  const named = new Set<unknown>();
  for (const line of later) {
    if (line.kind === "block") continue;
    named.add(line.grant);
    for (const link of line.links) if (link.to === "grant") named.add(link.line);
  }
  const placed = new Set<number>();
  for (let row = 0; row < intents.rows.high; row++) {
    if (intents.rows.isLive(row)) placed.add(Math.floor(intents.id[row as never]! / ORDERS_PER_TRANSACTION));
  }
  return ({ action, number }) => {
    if (action === "grantAuthorization") return named.has(number);
    const base = bases[number]!;
    return (action === "placeIntent" || action === "devnetImpersonate") && (placed.has(base) || placed.has(base + 1));
  };
}
