import type { TransactionId } from "../../../client/strategy/facts.ts";
import { MarketList } from "../../../client/strategy/marketList.ts";
import type { SessionView } from "../../../client/strategy/sessionPort.ts";
import type { InFlight } from "../../../client/strategy/strategyAccount.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import { VenueAccount } from "./venueAccount.ts";
import { VenueMarket } from "./venueMarket.ts";
import type { VenueReads } from "./venueReads.ts";

/**
 * An account and all markets of a venue, as a strategy sees them.
 *
 * @param nameOf transaction of an order that has no client order id: one of an intent, or the entry of a bracket
 */
export function viewVenue(
  reads: VenueReads,
  account: AccountRow,
  sender: InFlight,
  nameOf: (order: number) => TransactionId = () => "",
): SessionView<VenueMarket, VenueAccount> {
  const markets = new MarketList(
    reads.state.marketNames.map((_, row) => new VenueMarket(reads, row as MarketRow, account)),
  );
  return { markets, account: new VenueAccount(reads, account, markets, sender, nameOf) };
}
