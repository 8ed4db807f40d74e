import type { EventOf } from "../../../protocol/events.ts";
import type { PositionRow } from "../../../venue/engine/state/schema.ts";
import { MARKETS_MAX, type State } from "../../../venue/engine/state/state.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { asIndex, joined } from "../machinery/exact/health.ts";

const INDEX_SCALE = 1_000_000_000n;

/** The state of a position at its last settlement. */
interface Entry {
  signedLots: number;
  funding: bigint;
  remainder: number;
}

export const fundingArithmetic = defineInvariant<Map<number, Entry>>({
  id: "fundingArithmetic",
  sentence:
    "A settlement charges the funding owed since the last one, rounded up, and carries the remainder over exactly.",
  rules: ["FND-3", "NUM-2"],
  catalogue: ["F01"],
  when: "block",
  sweepKinds: ["fundingSettled", "positionChanged"],
  start: readEntries,
  sweep(_state, step, entries) {
    for (const event of step.events) {
      if (event.kind === "fundingSettled") {
        step.met++;
        const fault = settle(entries.get(keyOf(event.account, event.market)), event);
        if (fault !== undefined) return fault;
      }
      if (event.kind !== "fundingSettled" && event.kind !== "positionChanged") continue;
      const key = keyOf(event.account, event.market);
      const signedLots = event.kind === "positionChanged" ? event.size : entries.get(key)!.signedLots;
      const funding = joined(event.fundingHigh, event.fundingLow);
      entries.set(key, { signedLots, funding, remainder: event.fundingRemainder });
    }
    return undefined;
  },
});

function settle(entry: Entry | undefined, event: EventOf<"fundingSettled">): string | undefined {
  const name = `account ${event.account} in market ${event.market}`;
  if (entry === undefined || entry.signedLots === 0) return `${name} settles without a position`;
  const move = asIndex(joined(event.fundingHigh, event.fundingLow) - entry.funding);
  const owed = BigInt(entry.signedLots) * move - BigInt(entry.remainder);
  const rest = BigInt(event.payment) * INDEX_SCALE - owed;
  if (rest !== BigInt(event.fundingRemainder)) return `${name}: ${event.fundingRemainder} is carried over, not ${rest}`;
  if (rest >= 0n && rest < INDEX_SCALE) return undefined;
  return `${name}: ${event.payment} was charged for ${owed} of ${INDEX_SCALE}`;
}

function keyOf(account: number, market: number): number {
  return account * MARKETS_MAX + market;
}

function readEntries({ positions }: State, entries = new Map<number, Entry>()): Map<number, Entry> {
  entries.clear();
  for (let at = 0 as PositionRow; at < positions.rows.high; at++) {
    if (!positions.rows.isLive(at)) continue;
    entries.set(keyOf(positions.account[at], positions.market[at]), {
      signedLots: positions.signedLots[at],
      funding: joined(positions.fundingHigh[at], positions.fundingLow[at]),
      remainder: positions.fundingRemainder[at],
    });
  }
  return entries;
}
