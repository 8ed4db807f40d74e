import { NONE } from "../../../../ground/collections/table.ts";
import type { BlockStep } from "../../../../venue/engine/probe.ts";
import type { Finding, Invariant, Term } from "../defineInvariant.ts";
import type { Moment } from "../moment.ts";

/** An invariant that does not hold. */
export interface Violation {
  readonly invariant: string;
  readonly height: number;
  /** Index of the transaction after which it does not hold. */
  readonly index?: number;
  /** The step of the block after which it does not hold. */
  readonly step?: BlockStep;
  readonly observed: string;
  /** The turn of the check that found it, if that is not the height (`Step.turn`). */
  readonly turn?: number;
  /** The object of the violation: `account 3`, `order 64`. */
  readonly entity?: string;
  /** The compared values, if the invariant reports them: sums and their expected values. */
  readonly terms?: readonly Term[];
  /** For a user's invariant: the check itself is broken, not the venue. */
  readonly broken?: "threw" | "changedVenue";
}

/** A finding, possibly about the check itself. */
export interface Broken extends Finding {
  readonly broken?: "threw" | "changedVenue";
}

export const CHANGED: Broken = {
  observed: "the check changed the venue: invariants only read",
  broken: "changedVenue",
};

/** A check that throws because its data is broken has found a violation; a user's check may be broken itself. */
export function describeThrown(error: unknown, isFromUser: boolean): Broken {
  const observed = `the check failed: ${(error as Error | undefined)?.stack ?? String(error)}`;
  return isFromUser ? { observed, broken: "threw" } : { observed };
}

/** Words at the start of a finding that name an object. */
const ENTITY = /^(account|order|position|market|intent|grant|lane|liquidation|transaction|maker) \d+/;

/** Collects the violations of a block. */
export class Violations {
  readonly #found: Violation[] = [];

  /**
   * @param moment the moment of the violation, if it was found at one
   * @param turn   of the sweep, if it is not the height
   */
  add({ id }: Invariant, height: number, answer: string | Broken, moment?: Moment, turn?: number): void {
    const finding: Broken = typeof answer === "string" ? { observed: answer } : answer;
    const entity = finding.entity ?? ENTITY.exec(finding.observed)?.[0];
    this.#found.push({
      invariant: id,
      height,
      ...(moment === undefined || moment.index === NONE ? {} : { index: moment.index }),
      ...(moment?.step === undefined ? {} : { step: moment.step }),
      observed: finding.observed,
      ...(turn === undefined ? {} : { turn }),
      ...(entity === undefined ? {} : { entity }),
      ...(finding.terms === undefined ? {} : { terms: finding.terms }),
      ...(finding.broken === undefined ? {} : { broken: finding.broken }),
    });
  }

  /** Returns the violations so far and clears them. */
  take(): Violation[] {
    return this.#found.splice(0);
  }
}
