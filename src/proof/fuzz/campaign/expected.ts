/**
 * What a search has to get to before its silence means anything: every action applied and rejected, every event, every code, states that are rare. Nothing is
 * asked of a short search, and rare things only of long ones; the numbers leave at least ten times what it took.
 */
import { ACTION_NAMES } from "../../../protocol/actions/index.ts";
import { EVENT_KINDS } from "../../../protocol/events.ts";
import { INVALID_NAMES, REJECTION_NAMES } from "../../../protocol/rejections.ts";
import { SOMETIMES, UNREACHABLE } from "../case/coverageGoals.ts";
import { listRareStates } from "../feedback/stateBuckets.ts";

const REJECTIONS: ReadonlySet<string> = new Set(REJECTION_NAMES);

/** Transactions after which a search must have reached what is usual. */
export const USUAL = 250_000;
/** What takes longer to come by: shared losses, pauses, grants with limits that count. */
const RARE = 5_000_000;
/** A grant that is used up to the unit and ends on that day. */
const SCARCE = 200_000_000;

const WITHIN: ReadonlyMap<string, number> = new Map([
  ...[
    "event authorizationUsed",
    "event authorizationOrder",
    "event settlementHaircut",
    "event badDebtChanged",
    "event lossSocialized",
    "event dustChanged",
    "event liquidationQueued",
    "event withdrawalsPaused",
    "WITHDRAWALS_PAUSED",
    "AUTHORIZATION_DAILY_LIMIT",
    "AUTHORIZATION_POSITION_LIMIT",
    "AUTHORIZATION_OPEN_ORDERS",
    "AUTHORIZATION_ORDER_LIMIT",
    "cancelAll rejected",
    "settleMarket rejected",
    "state askBeyondPrice",
    "state bookFar",
    "state cascade",
    "state denseTiers",
    "state manyPositions",
    "state market reduceOnly",
    "state marketsFrozen",
    "state oddLots",
    "state price tooUncertain",
    "state waitingInPause",
    "state wholeLots",
  ].map((name) => [name, RARE] as const),
  ["AUTHORIZATION_EXHAUSTED", SCARCE] as const,
]);

/** Causes of events: each by itself takes a long search. */
const LONG = 50_000_000;
const CAUSES = SOMETIMES.filter((name) => !/^(event|code) | (applied|rejected)$/.test(name));

/** States of the venue after a block; most come about on their own, some by chance. */
const STATES = [...new Set(listRareStates().map(({ name }) => name))];

/** Something that has to be reached `within` so many transactions. */
export interface Expected {
  readonly name: string;
  readonly within: number;
}

export const EXPECTED: readonly Expected[] = [
  ...ACTION_NAMES.flatMap((action) => [`${action} applied`, `${action} rejected`]),
  ...EVENT_KINDS.map((kind) => `event ${kind}`),
  ...INVALID_NAMES,
  ...REJECTION_NAMES,
  ...CAUSES,
  ...STATES,
]
  .filter((name) => UNREACHABLE[name] === undefined)
  .map((name) => ({ name, within: WITHIN.get(name) ?? (CAUSES.includes(name) ? LONG : USUAL) }));

/**
 * What a search of so many transactions should have reached and did not.
 *
 * @param reached names as in `NAMED_PLACES`; an event with its cause counts for its kind, a code for any action
 */
export function findMissing(reached: ReadonlyMap<string, number>, transactions: number): string[] {
  const names = new Set<string>();
  for (const name of reached.keys()) {
    const [first = "", second = ""] = name.split(" ");
    names.add(name).add(`${first} ${second}`).add(second);
    if (REJECTIONS.has(second)) names.add(`${first} rejected`);
    if (first === "event") names.add(name.slice("event ".length));
  }
  return EXPECTED.filter(({ name, within }) => transactions >= within && !names.has(name)).map(({ name }) => name);
}
