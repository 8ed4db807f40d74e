import type { VenueEvent } from "../../../../protocol/events.ts";
import { fail } from "./foldError.ts";
import type { FoldedVenue } from "./folded.ts";

type GrantEvent = Extract<
  VenueEvent,
  {
    kind:
      | "authorizationGranted"
      | "authorizationChanged"
      | "authorizationUsed"
      | "authorizationOrder"
      | "laneOpened"
      | "laneAdvanced";
  }
>;

/** Folds the events of grants and agents' lanes. */
export function applyGrantEvent(venue: FoldedVenue, event: GrantEvent, texts: readonly string[]): void {
  const { grants, lanes } = venue;
  switch (event.kind) {
    case "authorizationGranted": {
      if (event.authorization !== grants.length) fail(event, `grant ${grants.length} was expected`);
      const { a0, a1, a2, a3, a4, i0, i1, i2, i3, i4, i5, i6, i7 } = event;
      grants.push({
        account: event.account,
        words: [a0, a1, a2, a3, a4, i0, i1, i2, i3, i4, i5, i6, i7].map((word) => word >>> 0),
        status: event.status,
        terms: [
          event.scopes,
          event.maxOrderNotional,
          event.maxPositionNotional,
          event.maxDailyNotional,
          event.maxOpenOrders,
          event.validFrom,
          event.expiresAt,
        ],
        day: 0,
        used: 0,
        texts: [texts[event.label]!, texts[event.markets]!, texts[event.subaccounts]!],
      });
      return;
    }
    case "authorizationChanged":
      grants[event.authorization]!.status = event.status;
      return;
    case "authorizationUsed":
      grants[event.authorization]!.day = event.day;
      grants[event.authorization]!.used = event.used;
      return;
    case "authorizationOrder": {
      const order = venue.orders.get(event.order) ?? fail(event, "the order does not rest");
      order.grant = event.authorization;
      return;
    }
    case "laneOpened": {
      if (event.lane !== lanes.length) fail(event, `lane ${lanes.length} was expected`);
      const words = [event.a0, event.a1, event.a2, event.a3, event.a4].map((word) => word >>> 0);
      lanes.push({ account: event.account, words, nonces: [0, 0, 0, 0], used: new Set() });
      return;
    }
    case "laneAdvanced": {
      venue.consumed++;
      const { nonces } = lanes[event.lane]!;
      if (event.next !== nonces[event.domain]! + 1) fail(event, `nonce ${nonces[event.domain]} was next`);
      nonces[event.domain] = event.next;
    }
  }
}
