import type { TransactionId } from "../../../client/strategy/facts.ts";
import { MarketList } from "../../../client/strategy/marketList.ts";
import type { SessionView } from "../../../client/strategy/sessionPort.ts";
import type { InFlight } from "../../../client/strategy/strategyAccount.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { VenueAccount } from "./venueAccount.ts";
import { VenueMarket } from "./venueMarket.ts";

/**
 * An account and all markets of a venue, as a strategy sees them.
 *
 * @param nameOf transaction of an order that has no client order id: one of an intent, or the entry of a bracket
 * @param refresh brings the venue up to date; called before every read of what prices move. Default: it always is
 */
export function viewVenue(
  state: State,
  account: AccountRow,
  sender: InFlight,
  nameOf: (order: number) => TransactionId = () => "",
  refresh: () => void = () => undefined,
): SessionView<VenueMarket, VenueAccount> {
  const markets = new MarketList(
    state.marketNames.map((_, row) => new VenueMarket(state, row as MarketRow, account, refresh)),
  );
  return { markets, account: new VenueAccount(state, account, markets, sender, nameOf, refresh) };
}
