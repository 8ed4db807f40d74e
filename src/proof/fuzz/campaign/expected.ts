/**
 * Places that a search must reach before a run without failures means anything: every action applied and rejected,
 * every event, every code, rare states. A short search needs none of them, and only a long search needs the rare ones.
 * Each limit is at least ten times what a measured search took.
 */
import { ACTION_NAMES } from "../../../protocol/actions/index.ts";
import { EVENT_KINDS } from "../../../protocol/events.ts";
import { INVALID_NAMES, REJECTION_NAMES } from "../../../protocol/rejections.ts";
import { SOMETIMES, UNREACHABLE } from "../case/coverageGoals.ts";
import { CONTRIBUTOR_NAMES, nameOfContributor } from "../feedback/contributors.ts";
import { listRareStates } from "../feedback/stateBuckets.ts";

const REJECTIONS: ReadonlySet<string> = new Set(REJECTION_NAMES);

/** Transactions after which a search must have reached the common places. */
export const USUAL = 250_000;
/** Transactions after which a search must have reached rarer places: shared losses, pauses, grants with limits. */
const RARE = 5_000_000;
/** Transactions after which a grant must have been used up to the unit and expired on the same day. */
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

/** Causes of events. Each one alone takes a long search. */
const LONG = 50_000_000;
const CAUSES = SOMETIMES.filter((name) => !/^(event|code) | (applied|rejected)$/.test(name));

/** States of the venue after a block. Most arise by themselves, some by chance. */
const STATES = [...new Set(listRareStates().map(({ name }) => name))];

/** Sums that a second contributor decides: another market, subaccount, account or day. */
const SECOND = CONTRIBUTOR_NAMES.map(nameOfContributor);

/** A place that a search must reach within `within` transactions. */
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
  ...SECOND,
]
  .filter((name) => UNREACHABLE[name] === undefined)
  .map((name) => ({
    name,
    within: WITHIN.get(name) ?? (CAUSES.includes(name) || SECOND.includes(name) ? LONG : USUAL),
  }));

/**
 * Returns the places that a search of this length should have reached but did not.
 *
 * @param reached names as in `NAMED_PLACES`; an event with its cause counts for its kind, a code counts for any action
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
