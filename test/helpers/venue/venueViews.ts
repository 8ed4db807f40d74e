/** What tests read of a venue. */
import { NONE } from "../../../src/ground/collections/table.ts";
import { formatDecimal } from "../../../src/ground/math/decimal.ts";
import { INTENT_KINDS, INTENT_STATES } from "../../../src/protocol/words.ts";
import { computeRoot, getHead } from "../../../src/venue/engine/commitment/root.ts";
import { measure, measureIsolated } from "../../../src/venue/engine/margin/health.ts";
import { findAccount } from "../../../src/venue/engine/state/accounts.ts";
import type { Health } from "../../../src/venue/engine/state/health.ts";
import {
  type AccountRow,
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  type MarketRow,
  type PositionRow,
} from "../../../src/venue/engine/state/schema.ts";
import { getPosition } from "../../../src/venue/engine/state/state.ts";
import { TOTAL } from "../../../src/venue/engine/state/totals.ts";
import { AuthoritySteps } from "./authoritySteps.ts";
import type { Story } from "./story.ts";
import { keyOf } from "./values.ts";

/** A venue as tests read it: by names, and in texts. */
export abstract class VenueViews extends AuthoritySteps {
  row(name: string): AccountRow {
    return findAccount(this.state, keyOf(name));
  }

  marketRow(market = this.market): MarketRow {
    return this.state.marketRows.get(market)!;
  }

  positionRow(name: string, market = this.market): PositionRow {
    return getPosition(this.state, this.row(name), this.marketRow(market));
  }

  nameOf(row: AccountRow): string {
    const { accounts, owners } = this.state;
    const owner = accounts.owner[row]!;
    const hex = [owners.w0, owners.w1, owners.w2, owners.w3, owners.w4]
      .map((word) => (word[owner]! >>> 0).toString(16).padStart(8, "0"))
      .join("");
    const name = hex
      .match(/../g)!
      .map((byte) => Number.parseInt(byte, 16))
      .filter((code) => code > 0);
    const subaccount = accounts.subaccount[row]!;
    return String.fromCharCode(...name) + (subaccount === 0 ? "" : `/${subaccount}`);
  }

  /** Collateral as text in USD. */
  usd(name: string): string {
    return formatDecimal(this.state.accounts.collateral[this.row(name)]!, 6);
  }

  /** Collateral in quote units. */
  units(name: string): number {
    return this.state.accounts.collateral[this.row(name)]!;
  }

  /** Collateral of an isolated position as text in USD. */
  isolated(name: string, market = this.market): string {
    return formatDecimal(this.state.positions.isolated[this.positionRow(name, market)]!, 6);
  }

  /** Size in lots; 0 where there is no position. */
  lots(name: string, market = this.market): number {
    const row = this.positionRow(name, market);
    return row === NONE ? 0 : this.state.positions.signedLots[row]!;
  }

  cost(name: string, market = this.market): number {
    const row = this.positionRow(name, market);
    return row === NONE ? 0 : this.state.positions.cost[row]!;
  }

  health(name: string): Health {
    return { ...measure(this.state, this.row(name)) };
  }

  isolatedHealth(name: string, market = this.market): Health {
    return { ...measureIsolated(this.state, this.positionRow(name, market)) };
  }

  mark(market = this.market): number {
    return this.state.markets.mark[this.marketRow(market)]!;
  }

  index(market = this.market): number {
    return this.state.markets.index[this.marketRow(market)]!;
  }

  total(name: keyof typeof TOTAL): bigint {
    return this.state.totals.get(TOTAL[name]);
  }

  root(): string {
    return computeRoot(this.state);
  }

  head(): string {
    return getHead(this.state);
  }

  /** The book, bids from the best down, then asks from the best up: "side size@price account", reduce-only with "r". */
  book(market = this.market): string[] {
    const { state } = this;
    const book = state.books[this.marketRow(market)]!;
    const { orders, positions } = state;
    const lines: string[] = [];
    const walk = (from: number, next: (at: number) => number) => {
      for (let at = from; at !== 0; at = next(at)) {
        for (let order = book.head(at as never); order !== NONE; order = orders.levelNext[order]!) {
          const flags = orders.flags[order]!;
          const side = (flags & FLAG_SELL) !== 0 ? "sell" : "buy";
          const reduce = (flags & FLAG_REDUCE_ONLY) !== 0 ? "r" : "";
          const name = this.nameOf(positions.account[orders.position[order]!]!);
          lines.push(`${side}${reduce} ${orders.remaining[order]}@${at} ${name}`);
        }
      }
    };
    walk(book.bestBid, (at) => book.below(at as never));
    walk(book.bestAsk, (at) => book.above(at as never));
    return lines;
  }

  /** Intents of a name, oldest first: "kind state size@trigger". */
  intents(name: string): string[] {
    const { intents } = this.state;
    const lines: string[] = [];
    for (let at = this.state.accounts.intents[this.row(name)]!; at !== NONE; at = intents.older[at]!) {
      const kind = INTENT_KINDS[intents.kind[at]!];
      const trigger = formatDecimal(intents.trigger[at]!, 8);
      lines.unshift(`${kind} ${INTENT_STATES[intents.state[at]!]} ${intents.size[at]}@${trigger}`);
    }
    return lines;
  }

  /** Fills of a story: "size@price maker>taker". */
  fills(story: Story): string[] {
    return story
      .of("fill")
      .map(
        (fill) =>
          `${fill.size}@${fill.price} ${this.nameOf(fill.makerAccount as AccountRow)}>${this.nameOf(fill.takerAccount as AccountRow)}`,
      );
  }

  /** Cancellations of a story: "size account". */
  cancels(story: Story, cause?: number): string[] {
    return story
      .of("orderCancelled")
      .filter((event) => cause === undefined || event.cause === cause)
      .map((event) => `${event.remaining} ${this.nameOf(event.account as AccountRow)}`);
  }
}
