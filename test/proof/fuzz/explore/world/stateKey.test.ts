import { describe, expect, test } from "vitest";
import { compileScenario } from "../../../../../src/product/scenario/compile/compileScenario.ts";
import { CaseRun } from "../../../../../src/product/scenario/run/caseRun.ts";
import { KEY_TABLES, type Rule } from "../../../../../src/proof/fuzz/explore/world/columns.ts";
import { type KeyOptions, StateKeys } from "../../../../../src/proof/fuzz/explore/world/stateKey.ts";
import { openWorlds } from "../../../../../src/proof/fuzz/explore/world/worlds.ts";
import { createDigester } from "../../../../../src/protocol/typedDataDigest.ts";
import { applyBlock } from "../../../../../src/venue/engine/applyBlock.ts";
import { computeRoot } from "../../../../../src/venue/engine/commitment/root.ts";
import { forkState } from "../../../../../src/venue/engine/state/forkState.ts";
import type { State } from "../../../../../src/venue/engine/state/state.ts";
import { signingDomainOf } from "../../../../../src/venue/simulation/signatures.ts";
import { computePlainKey } from "../../../../reference/plainStateKey.ts";
import { openWorld, TRADERS } from "./worldHelpers.ts";

/** A live row in every table. */
const FULL = `
scenario: a row in every table
markets:
  TEST: { preset: minimal, feeTier1: "1000 0.0004 0.0001" }
  MORE: { preset: minimal, sources: "a:1 b:1", minSources: 1 }
prices: { TEST: "100", MORE: { sources: [{ source: a, price: "50" }] } }
accounts:
  alice: { deposit: "1000" }
  bob: { deposit: "1000" }
  robot: {}
blocks:
  - transactions:
      - from: alice
        as: grant
        grantAuthorization: { agent: robot, scopes: "*", markets: "*", subaccounts: "*", maxOrderNotional: "*", maxPositionNotional: "*", maxDailyNotional: "*", maxOpenOrders: "*", expiresAt: +1h }
      - { alice: buy 1 TEST @ 98, signer: robot, authorization: $grant }
      - alice: buy 3 TEST @ 100
      - bob: sell 2 TEST @ 100
      - { from: bob, placeIntent: { market: TEST, kind: stop, side: buy, fraction: "1", reduceOnly: true, trigger: "110", orderType: market, slippage: "0.1" } }
      - { from: bob, placeIntent: { market: TEST, kind: stop, side: buy, size: "1", trigger: "111", orderType: market, slippage: "0.1" } }
`;

function play(text: string, order?: readonly number[]): State {
  const plan = compileScenario("venue.yaml", () => text).cases[0]!;
  const digester = createDigester(signingDomainOf(plan.genesis));
  const run = new CaseRun(plan, (transaction) => digester.digestOf(transaction));
  const blocks = order === undefined ? plan.blocks : order.map((at) => plan.blocks[at]!);
  for (const planned of blocks) {
    const { consumed } = run.state;
    const block = run.build(planned);
    const result = applyBlock(run.state, block);
    expect(block.transactions.map((_, index) => result.receipts.code(index))).toEqual(
      block.transactions.map(() => undefined),
    );
    run.remember(planned, block, result, consumed);
  }
  return run.state;
}

const keys = new StateKeys();
const computeKey = (state: State, options?: KeyOptions) => keys.compute(state, options);
const TWINS = { fast: computeKey, plain: computePlainKey };

describe.each(Object.entries(TWINS))("columns of the %s key", (_twin, computeKey) => {
  const state = play(FULL);
  const key = computeKey(state);
  const tables = Object.values(KEY_TABLES);
  const columns = tables.flatMap((table) =>
    Object.keys(table.definition.columns).map((column) => ({ table, column, rule: table.rules[column] ?? "raw" })),
  );

  test("every table has a live row, or the test shows nothing", () => {
    for (const { read, name } of tables) {
      const { rows } = read(state) as unknown as { rows: { count: number } };
      expect(rows.count, name).toBeGreaterThan(0);
    }
  });

  /** A value that differs from another by more than the key leaves out. */
  function changeOf(rule: Rule, value: number): number {
    if (rule === "time") return value + 10_000;
    if (rule === "ahead") return state.height + 7;
    if (rule === "id") return 123_456;
    if (rule === "owner") return value === 0 ? 1 : 0;
    if (["account", "position", "order", "has"].includes(rule as string)) return value === -1 ? 0 : -1;
    return value + 1;
  }

  // Goal: no column that decides can be forgotten. Method: each column of a live row is changed on a fork; the key
  // changes with it exactly if the table of rules says so.
  test.each(columns.map((one) => [one.table.name, one.column, one] as const))(
    "%s.%s is in the key, or is left out with a reason",
    (_table, _column, { table, column, rule }) => {
      const fork = forkState(state);
      const { rows, ...values } = table.read(fork) as unknown as Record<string, never> & {
        rows: { isLive(row: number): boolean; high: number };
      };
      const live = Array.from({ length: rows.high }, (_, row) => row).filter((row) => rows.isLive(row));
      const array = values[column] as unknown as Float64Array;
      const isLeft = typeof rule === "object";
      // The links of lists are followed, not written: a changed one may lead in a circle.
      if (isLeft && /written|listed|position from the index/.test(rule.left)) return;
      const seen = live.map((row) => {
        const before = array[row]!;
        array[row] = changeOf(rule, before);
        const after = computeKey(fork);
        array[row] = before;
        return after !== key;
      });
      if (isLeft) expect(seen).not.toContain(true);
      else expect(seen).toContain(true);
    },
  );
});

const TWO = `
scenario: two blocks in any order
markets:
  TEST: { preset: minimal }
prices: { TEST: "100" }
accounts:
  alice: { deposit: "1000" }
  bob: { deposit: "1000" }
blocks:
  - { after: 1ms, transactions: [{ alice: buy 1 @ 99 }] }
  - { after: 1ms, transactions: [{ bob: sell 2 @ 101 }] }
  - { after: 1ms, transactions: [{ bob: buy 3 @ 99 }] }
  - { after: 1ms, transactions: [{ bob: buy 1 @ 99 }] }
`;

describe.each(Object.entries(TWINS))("the %s key", (_twin, computeKey) => {
  test("blocks that do not touch each other have the same key in any order, and other roots", () => {
    const [one, other] = [play(TWO, [0, 1, 2]), play(TWO, [0, 2, 1])];
    expect(computeKey(one)).toBe(computeKey(other));
    expect(computeRoot(one)).not.toBe(computeRoot(other));
  });

  test("the order in which two orders of one price came is in the key", () => {
    expect(computeKey(play(TWO, [0, 1, 3]))).not.toBe(computeKey(play(TWO, [0, 3, 1])));
  });

  test("a state is its own twin once the places of its accounts are exchanged", () => {
    const [alice, bob] = [play(TWO, [0, 1]), play(TWO, [0, 4])];
    expect(computeKey(alice)).not.toBe(computeKey(bob));
    expect(computeKey(alice, { places: [1, 0] })).toBe(computeKey(bob));
    expect(computeKey(alice)).toBe(computeKey(bob, { places: [1, 0] }));
  });

  test("the distance of an open position from its market's funding index is in the key, and the index is not", () => {
    const state = play(FULL);
    const move = (isMoved: (row: number) => boolean, withMarket: boolean) => {
      const fork = forkState(state);
      const { positions, markets } = fork;
      for (let row = 0; row < positions.rows.high; row++)
        if (isMoved(row)) (positions.fundingLow as unknown as Float64Array)[row]! += 3;
      if (withMarket) (markets.fundingLow as unknown as Float64Array)[0]! += 3;
      return computeKey(fork);
    };
    const { signedLots } = state.positions as unknown as { signedLots: Float64Array };
    const open = signedLots.findIndex((lots) => lots !== 0);
    expect(open).toBeGreaterThanOrEqual(0);
    expect(move((row) => row === open, false)).not.toBe(computeKey(state));
    expect(move(() => true, true)).toBe(computeKey(state));
  });

  test("labels are in the key by what they name, and nonces only if they are asked for", () => {
    const state = play(TWO, [0, 1]);
    const label = (order: number) => computeKey(state, { labels: [["bid", { order, intent: 0, grant: -1 }]] });
    const [first] = [...Array.from({ length: state.orders.rows.high }, (_, row) => state.orders.id[row as never]!)];
    expect(label(first!)).not.toBe(label(999_999));
    expect(label(999_998)).toBe(label(999_999));
    const fork = forkState(state);
    (fork.accounts.nonceTrading as unknown as Float64Array)[0]! += 1;
    expect(computeKey(fork)).toBe(computeKey(state));
    expect(computeKey(fork, { withNonces: true })).not.toBe(computeKey(state, { withNonces: true }));
  });
});

test("two states of explored worlds have the same key exactly if they have the same plain key", () => {
  const pairs = new Map<string, string>();
  const plainKeys = new Set<string>();
  let states = 0;
  for (const name of ["trade", "nonces", "agents", "parameters"]) {
    const file = `scenarios/worlds/${name}.yaml`;
    const [start] = openWorlds([compileScenario(file)], false)[0]!.starts;
    const { alphabet, places } = start!;
    const own = new StateKeys();
    const visit = (state: State, depth: number) => {
      for (const one of places) {
        const options = { places: one, withNonces: alphabet.hasNonces };
        const [key, plain] = [`${name} ${own.compute(state, options)}`, `${name} ${computePlainKey(state, options)}`];
        states++;
        expect(pairs.get(key) ?? plain, `${name}, depth ${depth}`).toBe(plain);
        pairs.set(key, plain);
        plainKeys.add(plain);
      }
      if (depth === 2) return;
      for (const { planned, needs } of alphabet.letters) {
        if (needs.length > 0) continue;
        const next = forkState(state);
        applyBlock(next, new CaseRun(start!.plan, start!.digest, { state: next, labels: new Map() }).build(planned));
        visit(next, depth + 1);
      }
    };
    visit(start!.point.state, 0);
  }
  expect(plainKeys.size).toBe(pairs.size);
  expect(states).toBeGreaterThan(2 * pairs.size);
});

test("a key does not depend on the keys that its object computed before: other threads have others", () => {
  const { state } = openWorld(TRADERS).starts[0]!.point;
  const named = (...names: readonly string[]): KeyOptions => ({
    labels: names.map((name) => [name, { order: 0, intent: 0, grant: -1 }] as const),
  });
  const [one, other] = [new StateKeys(), new StateKeys()];
  other.compute(state, named("later"));
  expect(other.compute(state, named("bid", "later"))).toBe(one.compute(state, named("bid", "later")));
  expect(one.compute(state, named("bid"))).not.toBe(one.compute(state, named("later")));
});
