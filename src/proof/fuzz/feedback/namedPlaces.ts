import { ACTION_NAMES } from "../../../protocol/actions/index.ts";
import { ORDER_OUTCOMES } from "../../../protocol/receipt.ts";
import { INVALID_NAMES, REJECTION_NAMES } from "../../../protocol/rejections.ts";
import { CONTRIBUTOR_NAMES, nameOfContributor, placeOfContributor } from "./contributors.ts";
import { LABEL_NAMES } from "./labels.ts";
import { placeOfLabel, placeOfOutcome } from "./layout.ts";
import { listRareStates } from "./stateBuckets.ts";

/** A place with a name: an outcome of an action, an event, a state of the venue, or a sum with a second contributor. */
export interface NamedPlace {
  readonly place: number;
  readonly name: string;
}

/**
 * Every outcome of every action, such as `placeOrder applied` and `placeOrder INSUFFICIENT_MARGIN`, every event with
 * its cause, and rare states. Several places may share a name. Many outcomes are impossible: a noop is never off tick.
 */
export const NAMED_PLACES: readonly NamedPlace[] = [
  ...ACTION_NAMES.flatMap((action, at) => [
    { place: placeOfOutcome(at, 0, 0), name: `${action} applied` },
    ...ORDER_OUTCOMES.map((_, outcome) => ({ place: placeOfOutcome(at, 0, 1 + outcome), name: `${action} applied` })),
    ...REJECTION_NAMES.map((code, place) => ({ place: placeOfOutcome(at, 1 + place, 0), name: `${action} ${code}` })),
    ...INVALID_NAMES.map((code, place) => ({ place: placeOfOutcome(at, -1 - place, 0), name: `${action} ${code}` })),
  ]),
  ...LABEL_NAMES.map((name, label) => ({ place: placeOfLabel(label), name })),
  ...listRareStates(),
  ...CONTRIBUTOR_NAMES.map((name) => ({ place: placeOfContributor(name), name: nameOfContributor(name) })),
];
