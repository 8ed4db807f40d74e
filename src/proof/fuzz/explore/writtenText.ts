import { countOf } from "../../../ground/math/counts.ts";
import type { Written } from "./writeFinding.ts";

/** A line that says where the scenario of a violation is, or why there is none. */
export function describeWritten({ scenario, unsaid, transactions }: Written): string {
  return scenario === undefined
    ? `  no scenario was written: ${unsaid}`
    : `  shrunk to ${countOf(transactions!, "transaction")}: ${scenario}`;
}
