import { expect, test } from "vitest";
import { LIMIT } from "../../../../src/ground/math/fixed.ts";
import { Random } from "../../../../src/ground/math/random.ts";
import { CaseRunner } from "../../../../src/proof/fuzz/case/caseRunner.ts";
import { drawCase } from "../../../../src/proof/fuzz/draw/drawCase.ts";
import type { Payloads } from "../../../../src/protocol/actions/index.ts";
import { HOUSE_STEP, HOUSE_STEP_WIDTH } from "../../../../src/protocol/houseSteps.ts";
import type { Block } from "../../../../src/protocol/transaction.ts";
import { applyBlock, type BlockResult } from "../../../../src/venue/engine/applyBlock.ts";
import { readEvents } from "../../../../src/venue/engine/events/readEvents.ts";
import { FLAG_SELL, type MarketRow, type OrderRow } from "../../../../src/venue/engine/state/schema.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";

const TICKS_MOST = 2 ** 31 - 1;
const { level, ahead } = HOUSE_STEP;
const names = new Map<number, string>([
  [level, "level"],
  [ahead, "ahead"],
]);

/** Values and queues that drawn flows come to. */
class Seen {
  readonly counts = new Map<string, number>();

  count(name: string, holds = true): void {
    if (holds) this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  /** Values of the levels and lots ahead in a flow. */
  readSteps({ steps }: Payloads["houseFlow"]): void {
    const values = new Float64Array(steps.slice().buffer);
    for (let at = 0; at < values.length; at += HOUSE_STEP_WIDTH) {
      const [kind, price, lots, side] = values.subarray(at, at + HOUSE_STEP_WIDTH) as unknown as [
        number,
        number,
        number,
        number,
      ];
      const name = names.get(kind);
      if (name === undefined) continue;
      this.count(`${name} ${side === 0 ? "buy" : "sell"}`);
      this.count(`${name} of 0`, lots === 0);
      this.count(`${name} of the most lots`, lots === LIMIT);
      this.count(`${name} of half of the most lots`, lots === LIMIT / 2);
      this.count(`${name} at 1`, price === 1);
      this.count(`${name} at the last tick`, price === TICKS_MOST);
    }
  }

  /** What a flow did to the queues. */
  readEvents(result: BlockResult, index: number): void {
    const { eventsFrom, eventsTo } = result.receipts;
    for (const { kind } of readEvents(result.events, eventsFrom[index]!, eventsTo[index]!)) this.count(kind);
  }

  /** Queues in which orders of the house are before and after one of another account. */
  readQueues({ books, orders, positions, accounts }: State, market: MarketRow): void {
    const book = books[market]!;
    for (let price = book.bestBid; price !== 0; price = book.below(price)) {
      let queue = "";
      for (let row: OrderRow = book.head(price); row >= 0; row = orders.levelNext[row]!) {
        if ((orders.flags[row]! & FLAG_SELL) !== 0) break;
        queue += accounts.role[positions.account[orders.position[row]!]!] === 1 ? "h" : "o";
      }
      this.count("house before another", /ho/.test(queue));
      this.count("house on both sides of another", /ho+h/.test(queue));
    }
  }
}

// Goal: the search draws both steps with every value that their definition accepts, and comes to the queues that they
// are about. Method: cases of the recipe about books of a house.
test("drawn levels and lots ahead have every kind of value, and meet orders of other accounts", () => {
  const seen = new Seen();
  const readBlock = (state: State, block: Block) => {
    const result = applyBlock(state, block);
    block.transactions.forEach(({ action, payload }, index) => {
      if (action !== "houseFlow") return;
      seen.readSteps(payload as Payloads["houseFlow"]);
      if (result.receipts.status(index) === "applied") seen.readEvents(result, index);
    });
    for (let market = 0; market < state.markets.rows.count; market++) seen.readQueues(state, market as MarketRow);
  };
  for (let seed = 1; seed <= 60; seed++) {
    const given = drawCase(Random.ofSeed([seed, 41, 6, 5]), { profile: "uniform", length: 160, shape: "houseBook" });
    const runner = new CaseRunner(given);
    for (let block = runner.next(); block !== undefined; block = runner.next()) readBlock(runner.state, block);
  }
  const wanted = ["level", "ahead"].flatMap((name) =>
    ["buy", "sell", "of 0", "of the most lots", "of half of the most lots", "at 1", "at the last tick"].map(
      (value) => `${name} ${value}`,
    ),
  );
  const queues = ["house before another", "house on both sides of another"];
  const events = ["orderOpened", "orderAmended", "orderCancelled", "fill"];
  expect([...wanted, ...queues, ...events].filter((name) => !seen.counts.has(name))).toEqual([]);
});
