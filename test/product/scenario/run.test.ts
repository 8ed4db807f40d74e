import { expect, test } from "vitest";
import { LIMIT_ORDER } from "../../helpers/words.ts";
import { failuresOf, faultsOf, HEAD, runText } from "./helpers.ts";

const TRADE = `blocks:
  - name: trade
    transactions:
      - alice: buy 2 @ 100 as bid
      - bob: sell 1 @ 100
`;

// Every key of `expect` is tried with what is so (it passes) and with what is not (it fails there and nowhere else).
const expectations: readonly (readonly [right: string, wrong: string])[] = [
  ["receipts: [applied resting, applied filled]", "receipts: [applied resting, rejected OFF_LOT]"],
  ["receipts: [applied, { applied: [filled] }]", "receipts: [applied, { applied: [resting] }]"],
  ["receipts: [applied, applied]", "receipts: [applied]"],
  ["fills: [{ maker: alice, taker: bob, size: '1', price: '100', makerOrder: $bid }]", "fills: [{ maker: bob }]"],
  ["receipts: [applied any, applied filled]", "receipts: [applied any, rejected any]"],
  [
    "receipts: [applied, { applied: { result: filled, filled: '1' } }]",
    "receipts: [applied, { applied: { filled: '2' } }]",
  ],
  [
    "receipts: [{ applied: { result: resting, order: $bid, filled: '0' } }, applied]",
    "receipts: [applied, { applied: { order: $bid } }]",
  ],
  ["fills: any", "fills: none"],
  ["events: any", "events: { orderOpened: none }"],
  ["events: { fill: 1, orderCancelled: none }", "events: { fill: 2 }"],
  ["events: { orderOpened: { order: $bid, side: buy } }", "events: { orderOpened: { side: sell } }"],
  [
    "events: { nonceAdvanced: [{ account: alice }, { account: bob }] }",
    "events: { nonceAdvanced: [{ account: alice }] }",
  ],
  ["accounts: { alice: { equity: '1000', free: '980' }, carol: none }", "accounts: { alice: { free: '981' } }"],
  ["accounts: { carol: none }", "accounts: { carol: { equity: '0' } }"],
  ["positions: { alice: '1', bob: { size: '-1', cost: '-100' } }", "positions: { alice: '2' }"],
  ["positions: { alice: { TEST: '1' } }", "positions: { alice: { TEST: '-1' } }"],
  ["positions: { carol: none }", "positions: { alice: none }"],
  ["orders: { alice: [buy 1 @ 100], bob: none }", "orders: { alice: [buy 2 @ 100] }"],
  ["orders: { $bid: { remaining: '1', filled: '1' } }", "orders: { $bid: none }"],
  ["orders: { $bid: open }", "orders: { alice: none }"],
  ["book: { bids: [1 @ 100], asks: [] }", "book: { bids: [], asks: [] }"],
  ["prices: { TEST: '100' }", "prices: { TEST: '101' }"],
  ["prices: { TEST: { oracle: '100', last: '100' } }", "prices: { TEST: { last: '99' } }"],
  ["markets: { TEST: { openInterest: '1', status: active } }", "markets: { TEST: { openInterest: '2' } }"],
  ["nonces: { alice: { trading: '1' } }", "nonces: { alice: { trading: '2' } }"],
  ["nonces: { alice by bob: { trading: '0' } }", "nonces: { alice by bob: { trading: '1' } }"],
  ["grants: { $bid: none }", "grants: { $bid: active }"],
  ["grants: { $bid: { status: none, openOrders: '0' } }", "grants: { $bid: { openOrders: '1' } }"],
  ["insurance: '0'", "insurance: '1'"],
  ["venue: { fees: '0', height: '2' }", "venue: { height: '3' }"],
  ["prices: { TEST: { validity: valid, restarting: false } }", "prices: { TEST: { validity: stale } }"],
  ["prices: { TEST: { mark: '100', restarting: false } }", "prices: { TEST: { restarting: true } }"],
  ["markets: { TEST: { predictedFundingRate: '0' } }", "markets: { TEST: { predictedFundingRate: '0.1' } }"],
  ["liquidations: none", "liquidations: [{ account: alice }]"],
  ["venue: { withdrawalsPausedUntil: '0' }", "venue: { withdrawalsPausedUntil: '1' }"],
  ["positions: { bob: { change: '-1' }, alice: { size: { change: '1' } } }", "positions: { bob: { change: '1' } }"],
  ["accounts: { alice: { equity: { change: '0' } } }", "accounts: { alice: { equity: { change: '-1' } } }"],
  [
    "accounts: { alice: { free: { change: '-19', within: '1' } } }",
    "accounts: { alice: { free: { change: '-18', within: '1' } } }",
  ],
  ["markets: { TEST: { openInterest: { change: '1' } } }", "fills: [{ size: { change: '1' } }]"],
  [
    "accounts: { alice: { equity: { atLeast: '1000', atMost: '1000' } } }",
    "accounts: { alice: { equity: { above: '1000' } } }",
  ],
  [
    "accounts: { alice: { equity: { approx: '999', within: '1', why: test } } }",
    "accounts: { alice: { equity: { approx: '998', within: '1', why: test } } }",
  ],
];

test.each(expectations)("%s holds, and %s does not", (right, wrong) => {
  const fills = /^(fills|events: \{ fill)/;
  const withFills = (text: string) =>
    `${HEAD}${TRADE}    expect:\n      ${text}\n${fills.test(text) ? "" : "      fills: any\n"}      orders: { $bid: open }\n`;
  const write = (text: string) =>
    text.startsWith("orders")
      ? withFills(text).replace("      orders: { $bid: open }\n", "      events: { orderOpened: { order: $bid } }\n")
      : withFills(text);
  const passed = runText(write(right));
  expect(failuresOf(passed), JSON.stringify(passed.faults)).toEqual([]);
  expect(passed.status).toBe("passed");
  const failed = runText(write(wrong));
  expect(failed.status, JSON.stringify(failed.faults)).toBe("failed");
  for (const { failures } of failed.cases) {
    for (const { kind, place } of failures) expect([kind, place.line]).toEqual(["expectation", 11]);
  }
});

test("a rejection that nothing expects fails at its transaction, also where the block expects nothing", () => {
  const result = runText(`${HEAD}blocks:\n  - transactions:\n      - alice: buy 1 @ 100.5\n`);
  expect(failuresOf(result)).toEqual([
    "7:9 outcome of alice: buy 1 @ 100.5: applied / rejected OFF_TICK {price: 100.5, tickSize: 1}",
  ]);
});

test("a fill that a block with expectations does not name fails, in one without it does not", () => {
  expect(runText(`${HEAD}${TRADE}  - transactions:\n      - alice: cancel $bid\n`).status).toBe("passed");
  const result = runText(`${HEAD}${TRADE}    expect: { orders: { $bid: open } }\n`);
  expect(failuresOf(result)).toEqual(["6:5 fills: none / bob sells 1 TEST to alice @ 100"]);
});

test("a liquidation that is not expected always fails, an expected one does not", () => {
  const story = (end: string) => `scenario: test
markets: { TEST: { preset: minimal, markClamp: "0.04" } }
prices: { TEST: "100" }
accounts: { alice: { deposit: "100" }, bob: { deposit: "10000" } }
blocks:
  - transactions:
      - alice: buy 10 @ 100
      - bob: sell 10 @ 100
  - prices: { TEST: "96" }
  - prices: { TEST: "94" }
${end}`;
  expect(failuresOf(runText(story("")))).toEqual([expect.stringMatching(/^10:5 liquidationStarted: none/)]);
  expect(runText(story("    expect: { events: { liquidationStarted: 1 } }\n")).status).toBe("passed");
});

test("a sentence and its long form are the same transaction", () => {
  const rootOf = (transactions: string) => {
    const result = runText(
      `${HEAD}blocks:\n  - transactions:\n      - bob: buy 5 @ 99\n      - alice: sell 1 @ 99\n${transactions}`,
    );
    expect(faultsOf(result)).toEqual([]);
    expect(failuresOf(result)).toEqual([]);
    return result.cases[0]!.root;
  };
  const pairs = [
    [
      "alice: buy 2 @ 98 post-only client mine",
      "from: alice, placeOrder: { side: buy, size: '2', price: '98', postOnly: reject, clientOrderId: mine }",
    ],
    [
      "alice: sell 2 TEST @ market within 0.05",
      "from: alice, placeOrder: { market: TEST, side: sell, size: '2', orderType: market, slippage: '0.05' }",
    ],
    ["alice: sell 2 @ 99 IOC", "from: alice, placeOrder: { side: sell, size: '2', price: '99', timeInForce: IOC }"],
    [
      "alice: sell 2 @ market 90 within 0.05 FOK",
      "from: alice, placeOrder: { side: sell, size: '2', orderType: market, price: '90', slippage: '0.05', timeInForce: FOK }",
    ],
    [
      "alice: sell 2 @ market 95 reduce-only, expect: rejected any",
      "from: alice, placeOrder: { side: sell, size: '2', orderType: market, price: '95', reduceOnly: true }, expect: rejected any",
    ],
    [
      "alice: buy 2 @ 98 until +10",
      "from: alice, placeOrder: { side: buy, size: '2', price: '98', timeInForce: GTT, goodTilHeight: '+10' }",
    ],
    [
      "alice: buy 2 @ 98 until 40",
      "from: alice, placeOrder: { side: buy, size: '2', price: '98', timeInForce: GTT, goodTilHeight: 40 }",
    ],
    [
      "alice: buy 2 @ 98 post-only GTT until +1h client mine",
      "from: alice, placeOrder: { side: buy, size: '2', price: '98', postOnly: reject, timeInForce: GTT, goodTilTime: +1h, clientOrderId: mine }",
    ],
    [
      "alice: buy 2 @ 98 until 1970-01-01T01:00:00Z",
      "from: alice, placeOrder: { side: buy, size: '2', price: '98', timeInForce: GTT, goodTilTime: 3600000 }",
    ],
    [
      "alice: stop sell 2 TEST at 95 @ market within 0.05 on index until +1h client guard",
      "from: alice, placeIntent: { kind: stop, side: sell, size: '2', source: index, trigger: '95', orderType: market, slippage: '0.05', goodTilTime: +1h, clientIntentId: guard }",
    ],
    [
      "alice: stop buy share 0.5 at 105 @ 106 IOC reduce-only",
      "from: alice, placeIntent: { kind: stop, side: buy, fraction: '0.5', trigger: '105', price: '106', timeInForce: IOC, reduceOnly: true }",
    ],
    [
      "alice: take-profit buy 1 at 90 @ 90 post-only reduce-only",
      "from: alice, placeIntent: { kind: takeProfit, side: buy, size: '1', trigger: '90', price: '90', postOnly: reject, reduceOnly: true }",
    ],
    [
      "alice: trailing-stop buy 1 by 2 @ market within 0.05 reduce-only",
      "from: alice, placeIntent: { kind: trailingStop, side: buy, size: '1', trail: '2', orderType: market, slippage: '0.05', reduceOnly: true }",
    ],
    [
      "alice: trailing-stop buy 1 by rate 0.02 @ market 110",
      "from: alice, placeIntent: { kind: trailingStop, side: buy, size: '1', trailRate: '0.02', orderType: market, price: '110' }",
    ],
    [
      "alice: twap buy 6 TEST over 1h every 10m @ market within 0.05",
      "from: alice, placeIntent: { kind: twap, side: buy, size: '6', duration: 3600000, interval: 600000, orderType: market, slippage: '0.05' }",
    ],
    [
      "alice: bracket buy 2 @ 98 until +5s reduce-only stop at 95 @ market within 0.05 on index take-profit at 105 @ 105",
      "from: alice, placeIntent: { kind: otoco, side: buy, size: '2', price: '98', timeInForce: GTT, goodTilTime: +5s, reduceOnly: true, legs: [{ kind: stop, trigger: '95', orderType: market, slippage: '0.05', source: index }, { kind: takeProfit, trigger: '105', price: '105' }] }",
    ],
    [
      "alice: bracket buy 2 TEST @ market within 0.05 FOK trailing-stop by 2 @ market within 0.05",
      "from: alice, placeIntent: { kind: oto, side: buy, size: '2', orderType: market, slippage: '0.05', timeInForce: FOK, legs: [{ kind: trailingStop, trail: '2', orderType: market, slippage: '0.05' }] }",
    ],
    [
      "alice: oco buy 1 reduce-only until +20 stop at 105 @ market within 0.05 take-profit at 90 @ 90 IOC",
      "from: alice, placeIntent: { kind: oco, side: buy, size: '1', reduceOnly: true, goodTilHeight: '+20', legs: [{ kind: stop, trigger: '105', orderType: market, slippage: '0.05' }, { kind: takeProfit, trigger: '90', price: '90', timeInForce: IOC }] }",
    ],
    ["alice: leverage 5", "from: alice, setLeverage: { leverage: 5 }"],
    ["alice: transfer 5 to carol", "from: alice, transfer: { to: carol, amount: '5' }"],
    ["alice: withdraw 5", "from: alice, withdraw: { amount: '5' }"],
    ["bob: cancel all", "from: bob, cancelAll: {}"],
    ["alice: noop", "from: alice, noop: {}"],
  ];
  for (const [sentence, long] of pairs) {
    expect(rootOf(`      - { ${sentence} }\n`), sentence).toBe(rootOf(`      - { ${long} }\n`));
  }
});

test("cases, params and variants are run each, with their values and their expectations", () => {
  const result = runText(`scenario: test
cases: { low: { size: "1" }, high: { size: "2" } }
params: { fee: ["0", "0.001"] }
variants:
  plain: {}
  strict: { markets: { TEST: { maxSize: "1" } } }
markets: { TEST: { preset: minimal, takerFee: "\${fee}" } }
prices: { TEST: "100" }
accounts: { alice: { deposit: "1000" } }
blocks:
  - transactions:
      - { from: alice, placeOrder: { side: buy, size: "\${size}", price: "90" } }
    expect: { receipts: [applied] }
    variants: { strict: { receipts: [{ rejected: SIZE_TOO_LARGE }] } }
`);
  const passed = result.cases.map(({ name, status }) => `${name}: ${status}`);
  expect(passed).toEqual([
    "plain, low, fee=0: passed",
    "plain, low, fee=0.001: passed",
    "plain, high, fee=0: passed",
    "plain, high, fee=0.001: passed",
    "strict, low, fee=0: failed",
    "strict, low, fee=0.001: failed",
    "strict, high, fee=0: passed",
    "strict, high, fee=0.001: passed",
  ]);
});

test("keys of the file have precedence over those of later included files, and these over earlier ones", () => {
  const result = runText(
    `include: [a.yaml, b.yaml]\nscenario: test\nblocks:\n  - expect: { markets: { TEST: { maxSize: "2", minSize: "0.5" } }, accounts: { alice: { equity: "3" } } }\n`,
    {
      "a.yaml":
        'markets: { TEST: { preset: minimal, maxSize: "1", minSize: "0.5" } }\naccounts: { alice: { deposit: "1" } }\n',
      "b.yaml": 'markets: { TEST: { maxSize: "2" } }\naccounts: { alice: { deposit: "3" } }\n',
    },
  );
  expect(result.status, JSON.stringify(result)).toBe("passed");
});

test("the golden root is checked last, and only where everything else holds", () => {
  const golden = `golden: { root: "0x${"00".repeat(32)}" }\n`;
  expect(runText(`${HEAD}${golden}blocks: []\n`).cases[0]?.failures.map(({ kind }) => kind)).toEqual(["golden"]);
  const other = runText(`${HEAD}${golden}blocks:\n  - expect: { insurance: "1" }\n`);
  expect(other.cases[0]?.failures.map(({ kind }) => kind)).toEqual(["expectation"]);
  const { root } = runText(`${HEAD}blocks: []\n`).cases[0]!;
  expect(runText(`${HEAD}${golden.replace(/0x0+/, root)}blocks: []\n`).status).toBe("passed");
});

test("a block that should be refused must be, and a refused block must be expected", () => {
  const block = (expectation: string) => `${HEAD}blocks:\n  - time: 500\n    expect: { ${expectation} }\n`;
  expect(runText(block("refused: true")).status).toBe("passed");
  expect(failuresOf(runText(block("insurance: '0'")))[0]).toMatch(/^6:5 the block: a valid block/);
  const fine = runText(`${HEAD}blocks:\n  - expect: { refused: true }\n`);
  expect(failuresOf(fine)[0]).toMatch(/the block: INVALID_BLOCK \/ applied/);
});

test("nonces and labels are right where a transaction before them in the block is inadmissible", () => {
  const result = runText(`${HEAD}blocks:
  - transactions:
      - { alice: noop, badSignature: true, expect: invalid INVALID_SIGNATURE }
      - alice: buy 1 @ 99 as bid
      - alice: cancel $bid
    expect: { nonces: { alice: { trading: "2" } }, orders: { alice: none } }
`);
  expect(failuresOf(result)).toEqual([]);
});

test("a cancel of an order that was never created is rejected as not found", () => {
  const result = runText(`${HEAD}blocks:
  - transactions:
      - { alice: buy 1 @ 99.5 as bid, expect: rejected OFF_TICK }
      - { alice: cancel $bid, expect: rejected ORDER_NOT_FOUND }
`);
  expect(failuresOf(result)).toEqual([]);
});

test("a label after the operator's action for an account names its own order, rejected or not", () => {
  const buy = (price: string) => JSON.stringify({ ...LIMIT_ORDER, market: "TEST", side: "buy", size: "1", price });
  const result = runText(`${HEAD}genesis: { features: { devnet: true } }
blocks:
  - transactions:
      - { devnetImpersonate: { account: alice, action: placeOrder, payload: '${buy("99")}' }, as: first }
      - bob: buy 1 @ 99.5 as never
      - bob: cancel $never
      - { devnetImpersonate: { account: bob, action: placeOrder, payload: '${buy("99.5")}' }, as: neither }
      - bob: cancel $neither
    expect:
      receipts: [applied resting, rejected OFF_TICK, rejected ORDER_NOT_FOUND, rejected OFF_TICK, rejected ORDER_NOT_FOUND]
      orders: { $first: open, alice: [buy 1 @ 99] }
`);
  expect(faultsOf(result)).toEqual([]);
  expect(failuresOf(result)).toEqual([]);
});

test("an agent signs under a grant with nonces of its own, which may be made in the same block", () => {
  const grant = `grantAuthorization: { agent: bob, label: bot, scopes: trade, markets: "*", subaccounts: "*", maxOrderNotional: "*", maxPositionNotional: "*", maxDailyNotional: "150", maxOpenOrders: "*", expiresAt: +1h }`;
  const text = (used: string) => `${HEAD}blocks:
  - transactions:
      - { from: alice, ${grant}, as: grant }
      - alice: buy 1 @ 99
      - { alice: buy 1 @ 98, signer: bob, authorization: $grant }
      - { alice: noop, signer: bob, authorization: $grant }
      - alice: buy 1 @ 97
    expect:
      grants: { $grant: { status: active, used: "${used}", openOrders: "1", label: bot } }
      nonces: { alice: { trading: "2" }, alice by bob: { trading: "2" } }
`;
  expect(failuresOf(runText(text("98")))).toEqual([]);
  expect(failuresOf(runText(text("99")))).toHaveLength(1);
});

test("a header may name another protocol version", () => {
  const text = `${HEAD}blocks:
  - transactions:
      - { alice: noop, version: 99, expect: invalid WRONG_VERSION }
`;
  expect(failuresOf(runText(text))).toEqual([]);
});

test("a header may name another version of the envelope, and a transaction that it replaces", () => {
  const text = `${HEAD}blocks:
  - transactions:
      - { alice: noop, envelope: 99, expect: invalid WRONG_VERSION }
      - { alice: noop, replaces: "0x${"cd".repeat(32)}" }
      - alice: noop
    expect: { nonces: { alice: { trading: "2" } } }
`;
  expect(failuresOf(runText(text))).toEqual([]);
});

test("an authority may be paid and may try what others sign, with a nonce of that lane", () => {
  const text = `${HEAD}blocks:
  - transactions:
      - { from: oracle/1, oracleUpdate: { market: TEST, price: "7" }, expect: invalid NOT_AUTHORITY }
      - alice: mint 5 to bob
        expect: invalid NOT_AUTHORITY
      - alice: transfer 5 to operator
      - alice: transfer 7 to oracle/1
      - operator: transfer 2 to bob
      - operator: transfer 1 to bob
      - oracle/1: transfer 1 to bob
    expect: { accounts: { bob: { equity: "1004" }, oracle/1: { equity: "6" } } }
`;
  const declared = text.replace("carol: {} }", "oracle/1: {} }");
  expect(failuresOf(runText(declared))).toEqual([]);
});

test("where the code does not matter, every rejection is accepted, and nothing else", () => {
  const outcome = (price: string, expected: string) =>
    failuresOf(
      runText(`${HEAD}blocks:\n  - transactions:\n      - { alice: buy 1 @ ${price}, expect: ${expected} }\n`),
    );
  for (const expected of ["rejected any", "{ rejected: any }"]) {
    expect(outcome("99.5", expected)).toEqual([]);
    expect(outcome("99", expected)).toEqual([expect.stringMatching(/: rejected any \/ applied resting$/)]);
  }
  expect(outcome("99", "invalid any")).toHaveLength(1);
});

const LEGS = `      - alice: buy 1 @ 98 as old
      - from: alice
        placeOrders:
          mode: each
          orders:
            - { side: buy, size: "1", price: "99" }
            - { side: buy, size: "1", price: "99.5" }
        as: [first, second]
        expect: LEGS
      - { from: alice, cancelOrders: { orders: [$old, "7"] }, expect: CANCELS }
`;
const legs = (ofLegs: string, ofCancels: string) => {
  const steps = LEGS.replace("LEGS", ofLegs).replace("CANCELS", ofCancels);
  const result = runText(`${HEAD}blocks:\n  - transactions:\n${steps}`);
  expect(faultsOf(result)).toEqual([]);
  return failuresOf(result);
};

test("results of a batch and of cancelOrders are named one by one, in a line or with their numbers", () => {
  const cancels = "{ applied: [{ result: cancelled, order: $old }, { rejected: ORDER_NOT_FOUND, order: '7' }] }";
  for (const expected of [
    "applied resting, rejected OFF_TICK",
    "applied any, rejected any",
    "{ applied: [resting, rejected OFF_TICK] }",
    "{ applied: [{ order: $first, result: resting }, { rejected: OFF_TICK, price: '99.5', tickSize: '1' }] }",
  ])
    expect(legs(expected, cancels), expected).toEqual([]);
  expect(legs("applied", "{ applied: [{ order: $first }, rejected any] }")).toEqual([
    expect.stringMatching(/ order of result 1 of alice: cancelOrders .* \/ [0-9]+$/),
  ]);
  expect(legs("{ applied: [resting, { rejected: OFF_TICK, price: '99' }] }", "applied")).toEqual([
    expect.stringMatching(/ price of result 2 of alice: placeOrders .*: 99 \/ 99.5$/),
  ]);
  expect(legs("applied resting", "applied")).toEqual([expect.stringMatching(/applied resting, rejected OFF_TICK \{/)]);
});

test("the result of a cut order is compared with the numbers of its code", () => {
  const text = (numbers: string) => `${HEAD}blocks:
  - transactions:
      - bob: sell 2 @ 100
      - alice: buy 2 @ 100
      - { alice: sell 3 @ 110 reduce-only, expect: { applied: { result: resting, code: REDUCE_ONLY_CUT, ${numbers} } } }
`;
  const right = "lots: '3', filled: '0', resting: '2', cancelled: '1', position: '2', others: '0'";
  expect(failuresOf(runText(text(right)))).toEqual([]);
  expect(failuresOf(runText(text("cancelled: '2'")))).toEqual([
    expect.stringMatching(/cancelled of result 1 of .*: 2 \/ 1$/),
  ]);
  expect(faultsOf(runText(text("least: '2'")))).toEqual([
    expect.stringMatching(/REDUCE_ONLY_CUT has no number least \(known are cancelled, filled/),
  ]);
});

test("events: any notices a liquidation and fills", () => {
  const text = `scenario: test
markets: { TEST: { preset: minimal, markClamp: "0.04" } }
prices: { TEST: "100" }
accounts: { alice: { deposit: "100" }, bob: { deposit: "10000" } }
blocks:
  - transactions:
      - alice: buy 10 @ 100
      - bob: sell 10 @ 100
    expect: { events: any }
  - prices: { TEST: "96" }
  - prices: { TEST: "94" }
    expect: { events: any }
`;
  expect(failuresOf(runText(text))).toEqual([]);
});

test("an intent is cancelled by its label, and a sentence expects its outcome", () => {
  const result = runText(`${HEAD}blocks:
  - transactions:
      - { alice: stop sell 2 at 95 @ market within 0.05 as guard, expect: applied armed }
      - { alice: cancel intent $guard, expect: applied }
      - { alice: cancel intent $guard, expect: rejected INTENT_NOT_FOUND }
`);
  expect(faultsOf(result)).toEqual([]);
  expect(failuresOf(result)).toEqual([]);
});

test("open liquidation records are named, with their account and the market of an isolated position", () => {
  const result = runText(`scenario: test
markets: { TEST: { preset: minimal, markClamp: "0.04" } }
prices: { TEST: "100" }
accounts: { alice: { deposit: "100" }, bob: { deposit: "10000" } }
blocks:
  - transactions:
      - alice: buy 10 @ 100
      - bob: sell 10 @ 100
    expect: { fills: any, liquidations: none }
  - prices: { TEST: "96" }
  - prices: { TEST: "94" }
    expect: { events: any, liquidations: [{ record: L-4-0, account: alice, market: none }], accounts: { bob: { equity: { above: "10000" } } } }
`);
  expect(faultsOf(result)).toEqual([]);
  expect(failuresOf(result)).toEqual([]);
});

// A lot of TEST is 0.01. The stop and the schedule end in the block of the event that has their sizes.
test("sizes of events that name an order or an intent and no market are base units, also of one that the block ends", () => {
  const result = runText(`${HEAD}blocks:
  - transactions:
      - from: alice
        placeIntent: { kind: oto, side: buy, size: "5", price: "99", reduceOnly: true, legs: [{ kind: stop, trigger: "95", orderType: market, slippage: "0.05" }] }
        as: group
      - bob: sell 2 @ 99
      - { from: alice, cancelIntent: { intent: $group } }
    expect:
      fills: any
      events: { intentArmed: { intent: $group, size: "2" } }
  - transactions:
      - { from: bob, placeIntent: { kind: twap, side: buy, size: "0.5", orderType: market, price: "98", duration: 20000, interval: 10000 }, as: schedule }
  - expect:
      events: { intentSliced: [{ intent: $schedule, size: "0.25", filled: "0", left: "0.5" }] }
  - after: 10s
    expect:
      events: { intentSliced: [{ intent: $schedule, size: "0.5", filled: "0", left: "0.5" }] }
`);
  expect(faultsOf(result)).toEqual([]);
  expect(failuresOf(result)).toEqual([]);
});
