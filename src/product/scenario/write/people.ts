/** Usual first names of accounts, in the order in which they are given. */
const PEOPLE = ["alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi", "ivan", "judy"] as const;

/** Name of the account at a place, counting from 0. */
export function nameOfPerson(place: number): string {
  return PEOPLE[place] ?? `person${place + 1}`;
}
