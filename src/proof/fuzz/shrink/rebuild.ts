import { NONE } from "../../../ground/collections/table.ts";
import type { AccountKey } from "../../../protocol/accountKey.ts";
import type { ActionName } from "../../../protocol/actions/index.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import { DEVNET_TARGET, MARKET_STATUS, SIDE } from "../../../protocol/words.ts";
import { getClientOrderId } from "../../../venue/engine/book/extras.ts";
import {
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  getPostOnly,
  type MarketRow,
  type OrderRow,
  type PositionRow,
} from "../../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../../venue/engine/state/state.ts";
import { findClosing } from "./openedMarkets.ts";
import { genesisOf, keyOf, rowsOf } from "./rebuiltGenesis.ts";
import { RebuiltPositions } from "./rebuiltPositions.ts";
import type { Line, TransactionLine } from "./script.ts";
import { ScriptWriter, type Spare, TooLong } from "./scriptWriter.ts";

/** Start of a script that brings a new venue close to the state of another one. */
export interface Rebuilt {
  readonly genesis: Genesis;
  /** Whole blocks, after which the venue has marks, positions, orders and balances. */
  readonly lines: readonly Line[];
  /**
   * Transactions at the start of the next block: markets get the status and the mark method with which nothing of that
   * could be set.
   */
  readonly closing: readonly TransactionLine[];
  /** Line that places each resting order, by the original id of the order. */
  readonly orders: ReadonlyMap<number, number>;
}

/**
 * Brings a new venue close to the state of another one without its history. It takes accounts with balances, markets
 * with parameters and prices, positions at their cost, and resting orders in their order. Funding sums, volumes,
 * averages and liquidation records are lost. So the result is a guess, and a trial must confirm the failure. It needs a
 * devnet, whose operator sets prices and balances.
 *
 * Positions beyond the storable range are left out. Every isolated margin is reached with which the position is worth
 * something at any price. Another one is left by nothing but funding, and stays higher.
 *
 * @returns undefined if there are not enough line numbers
 */
export function rebuildVenue(venue: State, spare: Spare): Rebuilt | undefined {
  const plain = tryBuild(venue, spare, false);
  if (plain === undefined || plain.countMissing() === 0) return plain;
  const relaxed = tryBuild(venue, spare, true);
  return relaxed !== undefined && relaxed.countMissing() < plain.countMissing() ? relaxed : plain;
}

function tryBuild(venue: State, spare: Spare, relaxed: boolean): Builder | undefined {
  const builder = new Builder(venue, spare, relaxed);
  try {
    builder.build();
  } catch (error) {
    if (error instanceof TooLong) return undefined;
    throw error;
  }
  return builder;
}

/** Most parameters of one update. */
const ENTRIES_MOST = 100;

/** Columns of a position that the rebuilt one should have. */
const COMPARED = ["signedLots", "leverage", "mode", "isolated"] as const;

class Builder implements Rebuilt {
  readonly genesis: Genesis;
  readonly closing: TransactionLine[] = [];
  readonly orders = new Map<number, number>();
  readonly #venue: State;
  readonly #kept: readonly TransactionLine[];
  readonly #script: ScriptWriter;
  readonly #positions: RebuiltPositions;
  /** Whether markets open without their limits. */
  readonly #relaxed: boolean;

  constructor(venue: State, spare: Spare, relaxed: boolean) {
    this.#venue = venue;
    this.#kept = spare.kept;
    this.#relaxed = relaxed;
    this.genesis = genesisOf(venue, relaxed);
    this.#script = new ScriptWriter(this.genesis, spare);
    this.#positions = new RebuiltPositions(venue, this.#script, relaxed);
  }

  get lines(): readonly Line[] {
    return this.#script.lines;
  }

  build(): void {
    const [script, positions] = [this.#script, this.#positions];
    script.lines.push(...this.#kept.filter(({ action }) => action === "grantAuthorization"));
    positions.open();
    if (this.#relaxed) positions.setLeverages();
    positions.addMargins();
    this.#setPrices();
    this.#enterOrders();
    script.lines.push(...this.#kept.filter(({ action }) => action !== "grantAuthorization"));
    script.endBlock();
    positions.setMargins();
    this.#setBalances();
    this.#closeMarkets();
  }

  /** Number of marks and positions that differ from those of the venue, with their leverage and isolated margin. */
  countMissing(): number {
    const { positions, markets, marketNames } = this.#venue;
    const own = this.#script.state;
    const isMissing = (position: PositionRow) => {
      const twin = getPosition(own, positions.account[position]!, positions.market[position]!);
      return COMPARED.some((name) => positions[name][position]! !== (twin === NONE ? 0 : own.positions[name][twin]!));
    };
    const marks = marketNames.filter((_, row) => markets.mark[row as MarketRow] !== own.markets.mark[row as MarketRow]);
    return [...rowsOf(positions)].filter(isMissing).length + marks.length;
  }

  #setPrices(): void {
    const { markets, marketNames } = this.#venue;
    marketNames.forEach((name, market) => {
      const mark = markets.mark[market as never]! as number;
      if (mark !== 0) this.#script.setPrice(name, mark);
    });
  }

  /** Places the resting orders, oldest first, with their current sizes. */
  #enterOrders(): void {
    const { orders, positions, parameters, marketNames } = this.#venue;
    const resting: OrderRow[] = [...rowsOf(orders)].sort((a, b) => orders.id[a]! - orders.id[b]!);
    for (const order of resting) {
      const position = orders.position[order]!;
      const market = positions.market[position]!;
      const { tickSize, lotSize } = parameters[market]!;
      const flags = orders.flags[order]!;
      const number = this.#script.enter(this.#keyOf(positions.account[position]!), {
        market: marketNames[market]!,
        side: (flags & FLAG_SELL) === 0 ? SIDE.buy : SIDE.sell,
        size: orders.remaining[order]! * lotSize,
        price: orders.price[order]! * tickSize,
        postOnly: getPostOnly(flags),
        reduceOnly: (flags & FLAG_REDUCE_ONLY) !== 0,
        clientOrderId: getClientOrderId(this.#venue, order),
      });
      this.orders.set(orders.id[order]!, number);
    }
  }

  #setBalances(): void {
    const { accounts } = this.#venue;
    for (const account of rowsOf(accounts)) {
      const amount = Math.max(0, accounts.collateral[account]!);
      if (amount === this.#script.state.accounts.collateral[account]!) continue;
      const { address, subaccount } = this.#keyOf(account);
      const what = DEVNET_TARGET.collateral;
      const payload = { what, account: address, subaccount, amount, market: "", price: 0 };
      this.#script.put("devnetSet", this.#script.operator, payload);
    }
    this.#script.endOpenBlock();
  }

  /** Markets that opened with other parameters than their own get these back, in the next block. */
  #closeMarkets(): void {
    const { markets, marketNames, parameters } = this.#venue;
    marketNames.forEach((market, row) => {
      const rules = parameters[row]!;
      const texts = Object.entries(findClosing(this.#venue, row as MarketRow, this.#relaxed)).map(([name, value]) => ({
        name,
        value,
      }));
      // Tiers first and together: other parameters are checked against them.
      texts.sort((a, b) => Number(b.name.startsWith("tier")) - Number(a.name.startsWith("tier")));
      for (let from = 0; from < texts.length; from += ENTRIES_MOST)
        this.#close("updateMarket", { market, parameters: texts.slice(from, from + ENTRIES_MOST) });
      const price = markets.mark[row as never]! as number;
      if (rules.status === MARKET_STATUS.settled) this.#close("settleMarket", { market, price });
    });
  }

  #close(action: ActionName, payload: object): void {
    this.closing.push(this.#script.create(action, this.#script.operator, payload));
  }

  #keyOf(account: number): AccountKey {
    return keyOf(this.#venue, account);
  }
}
