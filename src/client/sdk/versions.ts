/**
 * Versions that this client supports. `docs/compatibility.md` is generated from it, and `/status` is checked against
 * it.
 */
import { ENVELOPE_VERSION, PROTOCOL_VERSION } from "../../protocol/transaction.ts";

/** Version of this client; that of the package. */
export const SDK_VERSION = "0.1.0";

/** Versions that this client supports of each part of a venue. */
export const SUPPORTED = {
  /** Versions of the interface, as in its path prefix. */
  api: ["v1"],
  /** Versions of the rules. */
  protocol: [PROTOCOL_VERSION],
  /** Versions of the signed envelope. */
  envelope: [ENVELOPE_VERSION],
} as const satisfies Readonly<Record<string, readonly (string | number)[]>>;

/** Compares two versions of three numbers: negative if the first is older. */
export function compareVersions(one: string, other: string): number {
  const others = numbersOf(other);
  for (const [place, number] of numbersOf(one).entries()) {
    const difference = number - (others[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbersOf(version: string): number[] {
  return version.split("-")[0]!.split(".").map(Number);
}
