import { NONE } from "../../../ground/collections/table.ts";
import type { BlockStep } from "../../../venue/engine/probe.ts";
import type { Finding, Invariant, Term } from "../defineInvariant.ts";
import type { Moment } from "../moment.ts";

/** An invariant that did not hold. */
export interface Violation {
  readonly invariant: string;
  readonly height: number;
  /** Place of the transaction after which it did not hold. */
  readonly index?: number;
  /** The step of the block after which it did not hold. */
  readonly step?: BlockStep;
  readonly observed: string;
  /** What it happened to: `account 3`, `order 64`. */
  readonly entity?: string;
  /** What was compared, where the invariant says so: sums and what they should have been. */
  readonly terms?: readonly Term[];
  /** For an invariant of a user's: it is the check that is broken, not the venue. */
  readonly broken?: "threw" | "changedVenue";
}

/** A finding, perhaps about a check itself. */
export interface Broken extends Finding {
  readonly broken?: "threw" | "changedVenue";
}

export const CHANGED: Broken = {
  observed: "the check changed the venue: invariants only read",
  broken: "changedVenue",
};

/** A check that cannot even look, because what it reads is broken, has seen a violation; one of a user's may be broken itself. */
export function describeThrown(error: unknown, guest: boolean): Broken {
  const observed = `the check failed: ${(error as Error | undefined)?.stack ?? String(error)}`;
  return guest ? { observed, broken: "threw" } : { observed };
}

/** How words of a finding begin that name a thing. */
const ENTITY = /^(account|order|position|market|intent|grant|lane|liquidation|transaction|maker) \d+/;

/** Violations of a block, as they are found. */
export class Violations {
  readonly #found: Violation[] = [];

  /** @param moment the moment, where it was found at one */
  add({ id }: Invariant, height: number, answer: string | Broken, moment?: Moment): void {
    const finding: Broken = typeof answer === "string" ? { observed: answer } : answer;
    const entity = finding.entity ?? ENTITY.exec(finding.observed)?.[0];
    this.#found.push({
      invariant: id,
      height,
      ...(moment === undefined || moment.index === NONE ? {} : { index: moment.index }),
      ...(moment?.step === undefined ? {} : { step: moment.step }),
      observed: finding.observed,
      ...(entity === undefined ? {} : { entity }),
      ...(finding.terms === undefined ? {} : { terms: finding.terms }),
      ...(finding.broken === undefined ? {} : { broken: finding.broken }),
    });
  }

  /** Those so far, and forgets them. */
  take(): Violation[] {
    return this.#found.splice(0);
  }
}
