import fc from "fast-check";

/** What a client signs. */
export type SignedAct = "order" | "cancel" | "cancelAll" | "withdraw" | "leverage" | "noop" | "grant";

/**
 * A step of a client: what it signs, and what is done to the signed bytes on the way; an order that it only tries out;
 * or a price that the oracle reports.
 */
export interface TradeStep {
  readonly client: number;
  readonly act: SignedAct | "preview" | "price";
  readonly side: "buy" | "sell";
  /** In hundredths of a unit of base. */
  readonly size: number;
  /** USD from 60,000. */
  readonly offset: number;
  readonly pick: number;
  readonly trick: "none" | "signature" | "payload" | "nonce" | "again" | "keyReused" | "otherNetwork" | "late";
}

export const arbitraryTrade: fc.Arbitrary<TradeStep> = fc.record({
  client: fc.nat(3),
  act: fc.constantFrom(
    "order",
    "order",
    "order",
    "order",
    "cancel",
    "cancelAll",
    "withdraw",
    "noop",
    "leverage",
    "grant",
    "preview",
    "price",
  ),
  side: fc.constantFrom("buy", "sell"),
  size: fc.integer({ min: 1, max: 200 }),
  offset: fc.integer({ min: -40, max: 40 }),
  pick: fc.nat(1_000),
  trick: fc.oneof(
    { weight: 6, arbitrary: fc.constant("none" as const) },
    {
      weight: 3,
      arbitrary: fc.constantFrom("signature", "payload", "nonce", "again", "keyReused", "otherNetwork", "late"),
    },
  ),
}) as fc.Arbitrary<TradeStep>;
