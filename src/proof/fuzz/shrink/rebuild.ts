import { NONE } from "../../../ground/collections/table.ts";
import { AccountKey } from "../../../protocol/accountKey.ts";
import type { ActionName, Payloads } from "../../../protocol/actions/index.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import { PLAIN_ORDER } from "../../../protocol/plainOrder.ts";
import {
  DEVNET_TARGET,
  MARGIN_DIRECTION,
  MARGIN_MODE,
  MARKET_STATUS,
  SIDE,
  TIME_IN_FORCE,
} from "../../../protocol/words.ts";
import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import { getClientOrderId } from "../../../venue/engine/book/extras.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import {
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  getPostOnly,
  type MarketRow,
  type OrderRow,
  type PositionRow,
} from "../../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../../venue/engine/state/state.ts";
import { createLine } from "./createLine.ts";
import { countLossLots, entryTicks, mostLossTicks, solventTicks } from "./isolatedLoss.ts";
import { findClosing } from "./openedMarkets.ts";
import { Player } from "./player.ts";
import { genesisOf, keyOf, MIDDLEMAN, rowsOf } from "./rebuiltGenesis.ts";
import type { Line, TransactionLine } from "./script.ts";

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

/** Parts of the old script that the new one may use. */
export interface Spare {
  /** Numbers for new lines. */
  readonly numbers: readonly number[];
  /** Lines that grant, and those that placed a pending intent. */
  readonly kept: readonly TransactionLine[];
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

class TooLong extends Error {
  override readonly name = "TooLong";
}

/** Most parameters of one update. */
const ENTRIES_MOST = 100;

/** Columns of a position that the rebuilt one should have. */
const COMPARED = ["signedLots", "leverage", "mode", "isolated"] as const;

class Builder implements Rebuilt {
  readonly genesis: Genesis;
  readonly lines: Line[] = [];
  readonly closing: TransactionLine[] = [];
  readonly orders = new Map<number, number>();
  readonly #venue: State;
  readonly #spare: Spare;
  readonly #state: State;
  readonly #player: Player;
  /** Whether markets open without their limits. */
  readonly #relaxed: boolean;
  #taken = 0;
  #played = 0;

  constructor(venue: State, spare: Spare, relaxed: boolean) {
    this.#venue = venue;
    this.#spare = spare;
    this.#relaxed = relaxed;
    this.genesis = genesisOf(venue, relaxed);
    this.#state = createVenue(this.genesis);
    this.#player = new Player(
      [...spare.numbers, ...spare.kept.map(({ number }) => number)].reduce((most, number) => Math.max(most, number), 0),
    );
  }

  build(): void {
    this.lines.push(...this.#spare.kept.filter(({ action }) => action === "grantAuthorization"));
    this.#openPositions();
    if (this.#relaxed) this.#setLeverages();
    this.#addMargins();
    this.#setPrices();
    this.#enterOrders();
    this.lines.push(...this.#spare.kept.filter(({ action }) => action !== "grantAuthorization"));
    this.#endBlock();
    this.#setMargins();
    this.#setBalances();
    this.#closeMarkets();
  }

  /** Number of marks and positions that differ from those of the venue, with their leverage and isolated margin. */
  countMissing(): number {
    const { positions, markets, marketNames } = this.#venue;
    const own = this.#state;
    const isMissing = (position: PositionRow) => {
      const twin = getPosition(own, positions.account[position]!, positions.market[position]!);
      return COMPARED.some((name) => positions[name][position]! !== (twin === NONE ? 0 : own.positions[name][twin]!));
    };
    const marks = marketNames.filter((_, row) => markets.mark[row as MarketRow] !== own.markets.mark[row as MarketRow]);
    return [...rowsOf(positions)].filter(isMissing).length + marks.length;
  }

  #openPositions(): void {
    const { positions, marketNames } = this.#venue;
    const held: PositionRow[] = [];
    for (const position of rowsOf(positions)) {
      const account = this.#keyOf(positions.account[position]!);
      const market = marketNames[positions.market[position]!]!;
      const leverage = positions.leverage[position]!;
      if (leverage !== 0 && !this.#isLeveredLate(position)) this.#put("setLeverage", account, { market, leverage });
      if (positions.mode[position]! === MARGIN_MODE.isolated)
        this.#put("setMarginMode", account, { market, mode: MARGIN_MODE.isolated });
      if (positions.signedLots[position]! !== 0) held.push(position);
    }
    for (const position of this.#alternate(held)) {
      const middleman = new AccountKey(MIDDLEMAN, positions.market[position]!);
      const row = positions.market[position]!;
      const market = marketNames[row]!;
      // Of the market as it opened: with other limits than its own, if those are relaxed.
      const { tickSize, lotSize, tickLotValue, minLots, maxLots, minNotional } = this.#state.parameters[row]!;
      const signedLots = positions.signedLots[position]!;
      const ticks = entryTicks(this.#venue, position, positions.cost[position]! + this.#debtOf(position));
      const price = ticks * tickSize;
      this.#setPrice(market, price);
      const side = signedLots > 0 ? SIDE.buy : SIDE.sell;
      const account = this.#keyOf(positions.account[position]!);
      const least = Math.max(minLots, Math.ceil(minNotional / (ticks * tickLotValue)));
      const lossLots = this.#relaxed ? countLossLots(this.#venue, position) : 0;
      for (let left = Math.abs(signedLots) + lossLots; left > 0; left -= maxLots) {
        const lots = Math.min(left, maxLots);
        const order = { market, size: Math.max(lots, least) * lotSize, price };
        this.#enter(middleman, { ...order, side: 1 - side });
        this.#enter(account, { ...order, side });
        if (lots >= least) continue;
        // Too few for an order of its own: the surplus goes back, since orders that only reduce may be smaller.
        this.#enter(account, { ...order, size: (least - lots) * lotSize, side: 1 - side, reduceOnly: true });
        this.#enter(middleman, { ...order, side, timeInForce: TIME_IN_FORCE.IOC });
      }
      this.#endBlock();
      if (lossLots > 0) this.#closeAtLoss(position, lossLots, ticks);
    }
  }

  /**
   * Closes the lots of an isolated position beyond its size at a loss that leaves no more than its margin. If the
   * position is then worth nothing at any mark, they close at the entry price, and its margin stays too high.
   */
  #closeAtLoss(position: PositionRow, lots: number, ticks: number): void {
    const { positions, marketNames } = this.#venue;
    const [account, market] = [positions.account[position]!, positions.market[position]!];
    const own = getPosition(this.#state, account, market);
    const signedLots = positions.signedLots[position]!;
    if (own === NONE || this.#state.positions.signedLots[own]! !== signedLots + Math.sign(signedLots) * lots) return;
    const { tickSize, lotSize, tickLotValue } = this.#state.parameters[market]!;
    const brought = this.#state.positions.isolated[own]!;
    const most = mostLossTicks(signedLots, ticks);
    const away = Math.min(most, Math.ceil((brought - positions.isolated[position]!) / (lots * tickLotValue)));
    const left = brought - away * lots * tickLotValue;
    const close = (mark: number, price: number) => {
      this.#setPrice(marketNames[market]!, mark * tickSize);
      const order = { market: marketNames[market]!, size: lots * lotSize, price: price * tickSize };
      const side = signedLots > 0 ? SIDE.sell : SIDE.buy;
      this.#enter(this.#keyOf(account), { ...order, side, reduceOnly: true });
      const middleman = new AccountKey(MIDDLEMAN, market);
      this.#enter(middleman, { ...order, side: 1 - side, timeInForce: TIME_IN_FORCE.IOC });
      this.#endBlock();
    };
    close(solventTicks(signedLots, ticks - left / (signedLots * tickLotValue)), ticks - Math.sign(signedLots) * away);
    if (this.#state.positions.signedLots[own]! !== signedLots) close(ticks, ticks);
  }

  /** True for a leverage with which the position would open with more than its margin. */
  #isLeveredLate(position: PositionRow): boolean {
    const { mode, signedLots } = this.#venue.positions;
    return this.#relaxed && mode[position]! === MARGIN_MODE.isolated && signedLots[position]! !== 0;
  }

  /**
   * Sets the leverage of open isolated positions, whatever their margin. While open interest raises every initial
   * margin to the notional, no leverage raises it (MRG-1).
   */
  #setLeverages(): void {
    const { positions, marketNames } = this.#venue;
    const levered = [...rowsOf(positions)].filter(
      (position) => positions.leverage[position]! !== 0 && this.#isLeveredLate(position),
    );
    if (levered.length === 0) return;
    const names = new Set(levered.map((position) => marketNames[positions.market[position]!]!));
    const update = (market: string, value: string) =>
      this.#put("updateMarket", this.#operator, { market, parameters: [{ name: "openInterestUpper", value }] });
    for (const market of names) update(market, "0.000001");
    for (const position of levered) {
      const market = marketNames[positions.market[position]!]!;
      this.#put("setLeverage", this.#keyOf(positions.account[position]!), {
        market,
        leverage: positions.leverage[position]!,
      });
    }
    this.#endBlock();
    for (const market of names) update(market, "0");
  }

  /** Positions market by market, in an order in which those opened so far add up to no more than one of them. */
  #alternate(held: readonly PositionRow[]): PositionRow[] {
    const { signedLots, market } = this.#venue.positions;
    const order: PositionRow[] = [];
    for (const at of new Set(held.map((position) => market[position]!))) {
      const left = held.filter((position) => market[position] === at);
      for (let net = 0; left.length > 0; ) {
        const opposite = left.findIndex((position) => signedLots[position]! > 0 !== net > 0);
        const [next] = left.splice(Math.max(0, opposite), 1);
        net += signedLots[next!]!;
        order.push(next!);
      }
    }
    return order;
  }

  /** Debt of an account, added to the cost of its first open cross position: a balance cannot be set below zero. */
  #debtOf(position: PositionRow): number {
    const { positions, accounts } = this.#venue;
    const account = positions.account[position]!;
    let at = accounts.position[account]!;
    while (at !== NONE && (positions.mode[at]! !== MARGIN_MODE.cross || positions.signedLots[at]! === 0))
      at = positions.next[at]!;
    return at === position ? Math.max(0, -accounts.collateral[account]!) : 0;
  }

  #setPrices(): void {
    const { markets, marketNames } = this.#venue;
    marketNames.forEach((name, market) => {
      const mark = markets.mark[market as never]! as number;
      if (mark !== 0) this.#setPrice(name, mark);
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
      const number = this.#enter(this.#keyOf(positions.account[position]!), {
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

  /**
   * Adds missing margin to isolated positions one block before the marks are set: without it they would be liquidated
   * at these marks.
   */
  #addMargins(): void {
    const lacking = [...this.#listMargins()].filter(({ missing }) => missing > 0);
    for (const { position, missing } of lacking) this.#adjustMargin(position, missing);
    if (lacking.length > 0) this.#endBlock();
  }

  /** Sets the margin of isolated positions after opening them changed it. */
  #setMargins(): void {
    for (const { position, missing } of this.#listMargins()) if (missing !== 0) this.#adjustMargin(position, missing);
    if (this.lines.at(-1)?.kind !== "block") this.#endBlock();
  }

  /** Opened isolated positions with their missing margin, negative for a surplus. */
  *#listMargins(): Generator<{ readonly position: PositionRow; readonly missing: number }> {
    const { positions } = this.#venue;
    for (const position of rowsOf(positions)) {
      const own = getPosition(this.#state, positions.account[position]!, positions.market[position]!);
      if (own === NONE || positions.mode[position]! !== MARGIN_MODE.isolated) continue;
      yield { position, missing: positions.isolated[position]! - this.#state.positions.isolated[own]! };
    }
  }

  #adjustMargin(position: PositionRow, missing: number): void {
    const { positions, marketNames } = this.#venue;
    const direction = missing > 0 ? MARGIN_DIRECTION.add : MARGIN_DIRECTION.remove;
    const payload = { market: marketNames[positions.market[position]!]!, direction, amount: Math.abs(missing) };
    this.#put("adjustIsolatedMargin", this.#keyOf(positions.account[position]!), payload);
  }

  #setBalances(): void {
    const { accounts } = this.#venue;
    for (const account of rowsOf(accounts)) {
      const amount = Math.max(0, accounts.collateral[account]!);
      if (amount === this.#state.accounts.collateral[account]!) continue;
      const { address, subaccount } = this.#keyOf(account);
      const what = DEVNET_TARGET.collateral;
      this.#put("devnetSet", this.#operator, { what, account: address, subaccount, amount, market: "", price: 0 });
    }
    if (this.lines.at(-1)?.kind !== "block") this.#endBlock();
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
    this.closing.push(createLine({ number: this.#take(), action, account: this.#operator, payload }));
  }

  get #operator(): AccountKey {
    return new AccountKey(this.genesis.authorities.operator, 0);
  }

  #keyOf(account: number): AccountKey {
    return keyOf(this.#venue, account);
  }

  #setPrice(market: string, price: number): void {
    const payload = { what: DEVNET_TARGET.price, account: "", subaccount: 0, amount: 0, market, price };
    this.#put("devnetSet", this.#operator, payload);
  }

  #enter(account: AccountKey, order: Partial<Record<keyof Payloads["placeOrder"], unknown>>): number {
    return this.#put("placeOrder", account, { ...PLAIN_ORDER, ...order });
  }

  #put(action: ActionName, account: AccountKey, payload: object): number {
    const number = this.#take();
    this.lines.push(createLine({ number, action, account, payload }));
    return number;
  }

  #take(): number {
    const number = this.#spare.numbers[this.#taken++];
    if (number === undefined) throw new TooLong();
    return number;
  }

  #endBlock(): void {
    this.lines.push({ kind: "block", afterMs: 1 });
    const played = this.#player.build(this.#state, this.lines, this.#played);
    this.#player.note(this.#state, played, applyBlock(this.#state, played.block));
    this.#played = played.next;
  }
}
