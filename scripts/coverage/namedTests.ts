/** Rules that the venue does not implement yet: until then they need neither a scenario nor a test. */
export const IN_WORK: readonly string[] = [];

/** Codes of receipts that no scenario reaches yet. */
export const CODES_IN_WORK: readonly string[] = [];

/**
 * Rules proven by a test instead of a scenario, or by both: rules on bytes, signatures, arithmetic or every block
 * alike. `[file, name of the test]`; a test checks that each of them exists.
 */
export const NAMED_TESTS: Readonly<Record<string, readonly (readonly [file: string, name: string])[]>> = {
  "NUM-1": [["test/proof/invariants/flows.test.ts", "an invariant of a block"]],
  "NUM-2": [["test/ground/math/fixed.test.ts", "single divisions round as their names say, for both signs"]],
  "NUM-3": [
    ["test/venue/engine/prices/prices.test.ts", "never passes what is taken as a price, whatever the house quotes"],
  ],
  "NUM-4": [["test/ground/math/fixed.test.ts", "products are compared with the sign of the exact difference"]],
  "NUM-5": [
    [
      "test/ground/math/decimal.test.ts",
      "reading agrees with the grammar and with bigint on texts of digits, points and signs",
    ],
  ],
  "NET-2": [["test/venue/simulation/blockLog.test.ts", "a forged transaction shows at its own height"]],
  "ACC-2": [["test/venue/engine/matching/houseLevels.test.ts", "queues follow the rule for any steps"]],
  "TX-1": [["test/protocol/typedData.test.ts", "has the digest that viem and the plain encoder compute"]],
  "TX-2": [["test/protocol/codec.test.ts", "JSON of an order has the form that a person would write"]],
  "TX-3": [
    ["test/protocol/typedData.test.ts", "a digest depends on chain id and genesis, and on no other transaction"],
  ],
  "TX-4": [
    ["test/protocol/codec.test.ts", "is refused when a field is missing, unknown or of another type, at its place"],
  ],
  "TX-5": [
    ["test/venue/simulation/blockLog.test.ts", "signatures in a log are checked, or elided, with the same root"],
  ],
  BLK: [["test/venue/engine/determinism.test.ts", "checking every account in every pass changes nothing"]],
  "ORD-8": [["test/proof/invariants/planted.test.ts", "and every invariant has one, if it sweeps"]],
  "POS-4": [["test/proof/invariants/planted.test.ts", "and every invariant has one, if it sweeps"]],
  "PRC-3": [
    [
      "test/venue/engine/prices/prices.test.ts",
      "follows the book's median, but at most by its clamp and only within its band, and no single print moves it",
    ],
  ],
  "FND-1": [
    ["test/venue/engine/funding/funding.test.ts", "the impact price averages the levels that the notional reaches"],
  ],
  "FND-2": [
    ["test/venue/engine/funding/funding.test.ts", "a premium of 1 % makes 0.95 % per 8 h, an eighth of it an hour"],
  ],
  "FND-3": [
    [
      "test/venue/engine/funding/funding.test.ts",
      "settling every block and settling once charge the same, and equal the exact sum rounded against the account",
    ],
  ],
  "FND-4": [
    [
      "test/venue/engine/funding/intervals.test.ts",
      "pauses, halts and gaps in any order pay exactly the rest of the time",
    ],
  ],
  LIQ: [
    [
      "test/venue/engine/liquidation/liquidation.test.ts",
      "those left over come first in the next block, oldest first, though a newcomer is worse",
    ],
  ],
  "LIQ-1": [
    [
      "test/venue/engine/liquidation/liquidation.test.ts",
      "orders that may add risk are cancelled first, those that only close stay; nothing else is cancelled, healthy again or not",
    ],
  ],
  "LIQ-3": [
    [
      "test/venue/engine/liquidation/backstop.test.ts",
      "takes as many lots as leave its equity at its initial margin, and the next of them the rest",
    ],
  ],
  "LIQ-4": [
    [
      "test/venue/engine/liquidation/liquidation.test.ts",
      "the fund pays exactly the difference of fills to the bankruptcy price, and nothing else",
    ],
  ],
  "LIQ-5": [
    ["test/venue/engine/liquidation/liquidation.test.ts", "longs rank by notional squared over cost and equity"],
  ],
  "LIQ-6": [
    [
      "test/venue/engine/liquidation/liquidation.test.ts",
      "an account that would fall below maintenance margin is skipped; the rest closes at the mark, the loss is shared, then bad debt",
    ],
  ],
  "LIQ-7": [
    ["test/venue/engine/liquidation/liquidation.test.ts", "the fund pays a flat account below zero at once (LIQ-7)"],
  ],
  "NON-4": [
    [
      "test/venue/simulation/pool/pool.test.ts",
      "a transaction takes the place of the pending one that it names, and only of that",
    ],
  ],
  "EVT-2": [["test/proof/invariants/machinery/fold.test.ts", "give its canonical form after hundreds of blocks"]],
  "EVT-3": [["test/proof/invariants/machinery/fold.test.ts", "an event that is left out is missed"]],
  "DET-1": [
    ["test/venue/engine/determinism.test.ts", "snapshots, images, canonical forms and forks continue as the original"],
  ],
  "DET-2": [["test/venue/engine/determinism.test.ts", "every block has a head of its own, and time is part of it"]],
  "DET-3": [
    ["test/venue/engine/determinism.test.ts", "snapshots, images, canonical forms and forks continue as the original"],
  ],
  "DET-4": [["test/architecture/purity.test.ts", "the pure folders use no clock, chance or environment"]],
};
