import { expect, test } from "vitest";
import { faultsOf, HEAD, runText } from "./helpers.ts";

// Every kind of bad input: the text after the head, and the first fault with its place and hint.
const cases: readonly (readonly [what: string, text: string, fault: RegExp])[] = [
  ["a wrong key", "blocks:\n  - expct: {}\n", /^6:5 unknown key expct \(did you mean expect\?/],
  [
    "a wrong key of an action",
    "blocks:\n  - transactions:\n      - { from: alice, withdraw: { amout: '5' } }\n",
    /^7:36 unknown key amout \(did you mean amount/,
  ],
  [
    "an unknown action",
    "blocks:\n  - transactions:\n      - { from: alice, withdrow: { amount: '5' } }\n",
    /^7:24 unknown key withdrow \(did you mean withdraw\?/,
  ],
  [
    "two actions in one",
    "blocks:\n  - transactions:\n      - { from: alice, noop: {}, withdraw: { amount: '5' } }\n",
    /a transaction is one action/,
  ],
  [
    "an unknown account",
    "blocks:\n  - transactions:\n      - alise: noop\n",
    /^7:9 there is no account alise \(did you mean alice\?\)/,
  ],
  [
    "a genesis from which no venue starts",
    "genesis: { liquidationsMax: '5' }\nblocks: []\n",
    /^5:29 genesis liquidationsMax: must be a whole number/,
  ],
  [
    "an allowance of a genesis that is more than everything",
    "blocks: []\ngenesis: { outflow: { hourly: { share: '2' } } }\n",
    /^6:21 genesis outflow.hourly.share: must not be above 1/,
  ],
  [
    "an unknown account of an expectation",
    "blocks: []\nexpect: { accounts: { dave: { equity: '1' } } }\n",
    /^6:23 there is no account dave/,
  ],
  [
    "an unknown invariant",
    "blocks: []\ninvariants: { disable: [bookUncrosed], why: 'a crossed book' }\n",
    /^6:25 "bookUncrosed" is not a known word \(did you mean bookUncrossed\?\)/,
  ],
  [
    "an unknown label",
    "blocks:\n  - transactions:\n      - alice: cancel $bid\n",
    /^7:23 nothing before this is labelled bid \(end the transaction that makes it with `as bid`\)/,
  ],
  [
    "a label that is used before it is made",
    "blocks:\n  - transactions:\n      - alice: cancel $bid\n      - alice: buy 1 @ 99 as bid\n",
    /nothing before this is labelled bid/,
  ],
  [
    "a label that appears twice",
    "blocks:\n  - transactions:\n      - alice: buy 1 @ 99 as bid\n      - alice: buy 1 @ 99 as bid\n      - alice: cancel $bid\n",
    /bid is a label already/,
  ],
  [
    "a bad decimal",
    "blocks:\n  - transactions:\n      - alice: withdraw 1.0\n",
    /^7:25 withdraw.amount: "1.0" is not a canonical decimal/,
  ],
  ["too many digits", "blocks:\n  - transactions:\n      - alice: withdraw 1.0000001\n", /more than 6 digits/],
  [
    "a decimal without quotes",
    "blocks:\n  - transactions:\n      - { from: alice, withdraw: { amount: 5 } }\n",
    /^7:44 5 is a number without quotes \(write "5"/,
  ],
  [
    "an unknown verb",
    "blocks:\n  - transactions:\n      - alice: by 1 @ 99\n",
    /^7:16 unknown verb by \(verbs are buy/,
  ],
  [
    "a sentence with too much",
    "blocks:\n  - transactions:\n      - alice: buy 1 @ 99 quickly\n",
    /^7:27 quickly is not understood here \(write buy 5/,
  ],
  ...(
    [
      ["buy 1", /^7:16 @ and a price are missing \(write buy 5/],
      ["buy 1 @ 99 IOC FOK", /^7:31 timeInForce is given twice \(write buy 5/],
      ["buy 1 @ 99 until soon", /^7:33 a height such as \+10 or a time such as \+1h is missing after until/],
      ["buy 1 @ 99 on index", /^7:27 on is not understood here/],
      ["stop 2 at 95 @ 95", /^7:21 buy or sell is missing \(write stop sell/],
      ["stop sell 2 @ 95", /^7:28 at and a price are missing \(write stop sell/],
      ["stop sell at 95 @ 95", /^7:26 a size or share is missing/],
      ["trailing-stop sell 2 at 95 @ 95", /^7:37 by and a distance are missing \(write trailing-stop/],
      ["take-profit sell 2 at 95", /^7:16 @ and a price are missing \(write take-profit/],
      ["twap buy 2 @ market within 0.1", /^7:27 over and a duration are missing \(write twap/],
      ["twap buy 2 over long every 1m @ market", /^7:32 a duration such as 30s is missing/],
      ["bracket buy 2 @ 99", /^7:16 a leg such as stop at 95 is missing \(write bracket/],
      ["bracket buy 2 @ 99 stop at 95 @ 95 reduce-only", /^7:51 reduce-only is not understood here/],
      ["oco sell 2 stop at 95 @ 95", /^7:16 two legs such as stop at 95 are missing \(write oco/],
      ["cancel intent mine", /^7:30 a label such as \$bid is missing/],
    ] as const
  ).map(
    ([sentence, fault]) =>
      [`the sentence ${sentence}`, `blocks:\n  - transactions:\n      - alice: ${sentence}\n`, fault] as const,
  ),
  [
    "an unknown market parameter",
    "blocks:\n  - markets: { TEST: { takerFe: '0' } }\n",
    /unknown key takerFe \(did you mean takerFee\?/,
  ],
  ["a parameter of the matrix without a list", "params: { fee: '0' }\nblocks: []\n", /^5:16 fee has no values/],
  ["an empty list in the matrix", "params: { fee: [] }\nblocks: []\n", /^5:16 fee has no values/],
  [
    "an unknown code",
    "blocks:\n  - transactions:\n      - { alice: noop, expect: { rejected: NOPE } }\n",
    /"NOPE" is not a known word/,
  ],
  [
    "an unknown event",
    "blocks:\n  - expect: { events: { orderCanceled: 1 } }\n",
    /unknown key orderCanceled \(did you mean orderCancelled\?\)/,
  ],
  ["a wrong kind of value", "blocks: {}\n", /^5:9 a map does not belong here/],
  ["a missing key", "", /blocks is missing/],
  ["a key that appears twice", "blocks: []\nblocks: []\n", /Map keys must be unique/],
  ["text that is no YAML", "blocks: [\n", /this is not YAML/],
  [
    "a system transaction after a user's",
    "blocks:\n  - transactions:\n      - alice: noop\n      - operator: deposit 5 to alice\n",
    /^8:9 deposit comes after a user's transaction/,
  ],
  [
    "a repeated block with transactions",
    "blocks:\n  - repeat: 2\n    transactions:\n      - alice: noop\n",
    /does not repeat/,
  ],
  ["a value that nothing uses", "params: { fee: ['0'] }\nblocks: []\n", /nothing uses fee/],
  ["a value that nothing gives", `blocks:\n  - after: \${wait}\n`, /nothing is called wait/],
  [
    "an unknown variant",
    "variants: { weak: {} }\nblocks:\n  - variants: { week: {} }\n",
    /there is no variant week \(did you mean weak\?\)/,
  ],
  ["a file to include that is not there", "include: [gone.yaml]\nblocks: []\n", /there is no file gone.yaml/],
  [
    "a wrong key of an expected position",
    "blocks: []\nexpect: { positions: { alice: { sze: '1' } } }\n",
    /^6:33 unknown key sze \(did you mean size\?/,
  ],
  [
    "a wrong key of an expected position in a named market",
    "blocks: []\nexpect: { positions: { alice: { TEST: { sise: '1' } } } }\n",
    /^6:41 unknown key sise \(did you mean size\?/,
  ],
  [
    "a bound next to a value of a position",
    "blocks: []\nexpect: { positions: { alice: { size: '1', atLeast: '1' } } }\n",
    /^6:44 unknown key atLeast/,
  ],
  ["a position of no number", "blocks: []\nexpect: { positions: { alice: flat } }\n", /^6:31 "flat" does not fit here/],
  [
    "a wrong key of expected prices",
    "blocks: []\nexpect: { prices: { TEST: { mrk: '1' } } }\n",
    /^6:29 unknown key mrk \(did you mean mark\?\)/,
  ],
  [
    "an unknown market of expected prices",
    "blocks: []\nexpect: { prices: { TSET: '1' } }\n",
    /^6:21 there is no market TSET \(did you mean TEST\?\)/,
  ],
  [
    "an unknown market of expected values",
    "blocks: []\nexpect: { markets: { TSET: { openInterest: '1' } } }\n",
    /^6:22 there is no market TSET/,
  ],
  [
    "an unknown market of an expected position",
    "blocks: []\nexpect: { positions: { alice: { TSET: '1' } } }\n",
    /^6:33 there is no market TSET/,
  ],
  [
    "an unknown market of an expected book",
    "blocks: []\nexpect: { book: { TSET: { bids: [] } } }\n",
    /^6:19 there is no market TSET/,
  ],
  ["an unknown market of prices", "blocks:\n  - prices: { TSET: '1' }\n", /^6:15 there is no market TSET/],
  [
    "an unknown market of an update",
    "blocks:\n  - markets: { TSET: { takerFee: '0' } }\n",
    /^6:16 there is no market TSET/,
  ],
  [
    "a wrong key of genesis",
    "genesis: { outflow: { hourly: { shre: '1' } } }\nblocks: []\n",
    /^5:33 unknown key shre \(did you mean share\?\)/,
  ],
  [
    "a wrong key next to a sentence",
    "blocks:\n  - transactions:\n      - { alice: noop, expct: rejected OFF_TICK }\n",
    /^7:24 unknown key expct \(did you mean expect\?\)/,
  ],
  [
    "a wrong key next to a long form",
    "blocks:\n  - transactions:\n      - { from: alice, noop: {}, signr: bob }\n",
    /^7:34 unknown key signr \(did you mean signer\?\)/,
  ],
  [
    "two sentences in one",
    "blocks:\n  - transactions:\n      - { alice: noop, bob: noop }\n",
    /^7:24 bob is next to another action \(a transaction is one action/,
  ],
  [
    "a sentence of another account",
    "blocks:\n  - transactions:\n      - { from: bob, alice: noop }\n",
    /^7:11 from is next to a sentence of alice \(leave it out/,
  ],
  [
    "a number that a code does not carry",
    "blocks:\n  - transactions:\n      - { alice: buy 1 @ 99.5, expect: { rejected: OFF_TICK, tickSze: '1' } }\n",
    /^7:62 OFF_TICK has no number tickSze \(did you mean tickSize\?\)/,
  ],
  [
    "a number without a code",
    "blocks:\n  - transactions:\n      - alice: noop\n    expect: { receipts: [{ equity: '1' }] }\n",
    /^8:28 equity is next to no code \(write rejected: CODE/,
  ],
  [
    "a value of a later case that nothing uses",
    'cases: { low: { size: "1" }, high: { size: "2", fee: "0" } }\nblocks:\n  - transactions:\n      - "alice: buy $' +
      '{size} @ 99"\n',
    /^5:54 nothing uses fee/,
  ],
  [
    "a change at the end",
    "blocks: []\nexpect: { insurance: { change: '1' } }\n",
    /^6:9 a change is expected at the end \(expect it of a block/,
  ],
  [
    "an unknown account of a liquidation",
    "blocks: []\nexpect: { liquidations: [{ account: dave }] }\n",
    /^6:37 there is no account dave/,
  ],
  [
    "a word that is no validity",
    "blocks: []\nexpect: { prices: { TEST: { validity: fresh } } }\n",
    /^6:39 "fresh" is not a known word \(known are nonPositive/,
  ],
  ["an alias", "blocks: &a []\nexpect: *a\n", /an alias/],
];

test.each(cases)("%s is reported with its place and a hint, and nothing runs", (_what, text, fault) => {
  const result = runText(HEAD + text);
  expect(result.status).toBe("invalid");
  expect(result.cases).toEqual([]);
  expect(
    faultsOf(result).some((found) => fault.test(found)),
    faultsOf(result).join("\n"),
  ).toBe(true);
});

test("a file reports all its faults at once, in the order of its lines", () => {
  const result = runText(
    `${HEAD}blocks:\n  - transactions:\n      - alise: noop\n      - alice: by 1\n      - alice: cancel $x\n`,
  );
  expect(faultsOf(result).map((fault) => fault.slice(0, 3))).toEqual(["7:9", "8:1", "9:2"]);
});

test("files that include each other in a circle are refused with the circle", () => {
  const result = runText("include: [lib/a.yaml]\nscenario: x\n", {
    "lib/a.yaml": "include: [b.yaml]\n",
    "lib/b.yaml": "include: [a.yaml]\n",
  });
  expect(faultsOf(result)[0]).toMatch(
    /lib\/a.yaml includes itself \(test.yaml > lib\/a.yaml > lib\/b.yaml > lib\/a.yaml/,
  );
});

test("a fault of an included file is reported with that file", () => {
  const { faults } = runText(`include: [lib.yaml]\n${HEAD}blocks: []\n`, { "lib.yaml": "rulse: []\n" });
  expect(faults[0]?.place).toMatchObject({ file: "lib.yaml", line: 1, column: 1 });
});

test("a position, a side of a book and none name their market where there is more than one", () => {
  const head = HEAD.replace("minimal }", "minimal }, OTHER: { preset: minimal }");
  const expected = (text: string) => faultsOf(runText(`${head}blocks: []\nexpect: { ${text} }\n`));
  expect(expected("positions: { alice: none }")).toEqual([
    "6:31 no market is named for the position of alice (there is more than one: write { TEST: … })",
  ]);
  expect(expected("positions: { alice: { size: '1' } }")).toHaveLength(1);
  expect(expected("book: { bids: [] }")).toEqual([
    "6:25 no market is named for the bids of a book (there is more than one: write { TEST: … })",
  ]);
  expect(expected("positions: { alice: { TEST: none, OTHER: none } }, book: { TEST: { bids: [] } }")).toEqual([]);
});
