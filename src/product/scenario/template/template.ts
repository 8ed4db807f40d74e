/** A first scenario to start from. */
export function renderTemplate(name: string, schemaPath: string): string {
  return `# yaml-language-server: $schema=${schemaPath}
# Describe what the scenario shows, in a sentence that a trader understands.
scenario: ${name}
rules: [ORD-1]
markets:
  TEST: { preset: minimal }
prices: { TEST: "100" }
accounts:
  alice: { deposit: "1000" }
  bob: { deposit: "1000" }
blocks:
  - transactions:
      - alice: buy 2 @ 100 as bid
      - bob: sell 1 @ 100
    expect:
      receipts: [applied resting, applied filled]
      fills: [{ maker: alice, taker: bob, size: "1", price: "100" }]
      orders: { $bid: { remaining: "1" } }
      positions: { alice: "1", bob: "-1" }
      accounts: { alice: { equity: "1000", free: "980" } }
`;
}
