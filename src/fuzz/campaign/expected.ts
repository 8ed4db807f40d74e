/**
 * What a search has to get to before its silence means anything: every action applied, every event, every code. Rare
 * things are asked for only of long searches.
 */
import { ACTION_NAMES } from "../../protocol/actions/index.ts";
import { EVENT_KINDS } from "../../protocol/events.ts";

/** Transactions after which a search must have reached what is usual, and what is rare. */
const USUAL = 100_000;
const RARE = 5_000_000;

/** Shared losses, and grants whose daily limit counts, take long to come by. */
const RARE_NAMES: ReadonlySet<string> = new Set([
  "event authorizationUsed",
  "event settlementHaircut",
  "event badDebtChanged",
  "event lossSocialized",
  "event dustChanged",
  "event liquidationQueued",
]);

/** Something that has to be reached `within` so many transactions. */
export interface Expected {
  readonly name: string;
  readonly within: number;
}

export const EXPECTED: readonly Expected[] = [
  ...ACTION_NAMES.map((action) => `${action} applied`),
  ...EVENT_KINDS.map((kind) => `event ${kind}`),
].map((name) => ({ name, within: RARE_NAMES.has(name) ? RARE : USUAL }));

/**
 * What a search of so many transactions should have reached and did not.
 *
 * @param reached names as in `NAMED_PLACES`; an event with its cause counts for its kind
 */
export function findMissing(reached: ReadonlyMap<string, number>, transactions: number): string[] {
  const names = new Set<string>();
  for (const name of reached.keys()) {
    names.add(name);
    if (name.startsWith("event ")) names.add(name.split(" ", 2).join(" "));
  }
  return EXPECTED.filter(({ name, within }) => transactions >= within && !names.has(name)).map(({ name }) => name);
}
