/** Where tests of intents start. */
import { type Reached, TestVenue, type VenueOptions } from "./venue.ts";

/** Alice is long 10 at 100 against bob; carol bids 50 at 90 and offers 50 at 110. */
export const scene = (options: VenueOptions = {}, reached?: Reached) => {
  const v = new TestVenue(
    {
      accounts: { alice: "1000", bob: "1000", carol: "100000", dave: "1000" },
      house: { house: "0" },
      prices: { TEST: "100" },
      ...options,
    },
    reached,
  );
  v.do(v.sell("bob", "10", "100"), v.buy("alice", "10", "100"));
  v.do(v.buy("carol", "50", "90"), v.sell("carol", "50", "110"));
  return v;
};
