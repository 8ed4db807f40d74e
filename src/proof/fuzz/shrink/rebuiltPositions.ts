import { NONE } from "../../../ground/collections/table.ts";
import { AccountKey } from "../../../protocol/accountKey.ts";
import { MARGIN_DIRECTION, MARGIN_MODE, SIDE, TIME_IN_FORCE } from "../../../protocol/words.ts";
import type { PositionRow } from "../../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../../venue/engine/state/state.ts";
import { countLossLots, entryTicks, mostLossTicks, solventTicks } from "./isolatedLoss.ts";
import { keyOf, MIDDLEMAN, rowsOf } from "./rebuiltGenesis.ts";
import type { ScriptWriter } from "./scriptWriter.ts";

/** Writes the lines that open the positions of a venue in a new one, with their leverage and isolated margin. */
export class RebuiltPositions {
  readonly #venue: State;
  readonly #script: ScriptWriter;
  readonly #relaxed: boolean;

  /** @param relaxed whether markets open without their limits */
  constructor(venue: State, script: ScriptWriter, relaxed: boolean) {
    this.#venue = venue;
    this.#script = script;
    this.#relaxed = relaxed;
  }

  /** Opens the positions at their cost. With `relaxed`, isolated ones first have more lots, which close at a loss. */
  open(): void {
    const { positions, marketNames } = this.#venue;
    const held: PositionRow[] = [];
    for (const position of rowsOf(positions)) {
      const account = this.#keyOf(positions.account[position]!);
      const market = marketNames[positions.market[position]!]!;
      const leverage = positions.leverage[position]!;
      if (leverage !== 0 && !this.#isLeveredLate(position))
        this.#script.put("setLeverage", account, { market, leverage });
      if (positions.mode[position]! === MARGIN_MODE.isolated)
        this.#script.put("setMarginMode", account, { market, mode: MARGIN_MODE.isolated });
      if (positions.signedLots[position]! !== 0) held.push(position);
    }
    for (const position of this.#alternate(held)) this.#openAtCost(position);
  }

  #openAtCost(position: PositionRow): void {
    const { positions, marketNames } = this.#venue;
    const middleman = new AccountKey(MIDDLEMAN, positions.market[position]!);
    const row = positions.market[position]!;
    const market = marketNames[row]!;
    // Of the market as it opened: with other limits than its own, if those are relaxed.
    const { tickSize, lotSize, tickLotValue, minLots, maxLots, minNotional } = this.#script.state.parameters[row]!;
    const signedLots = positions.signedLots[position]!;
    const ticks = entryTicks(this.#venue, position, positions.cost[position]! + this.#debtOf(position));
    const price = ticks * tickSize;
    this.#script.setPrice(market, price);
    const side = signedLots > 0 ? SIDE.buy : SIDE.sell;
    const account = this.#keyOf(positions.account[position]!);
    const least = Math.max(minLots, Math.ceil(minNotional / (ticks * tickLotValue)));
    const lossLots = this.#relaxed ? countLossLots(this.#venue, position) : 0;
    for (let left = Math.abs(signedLots) + lossLots; left > 0; left -= maxLots) {
      const lots = Math.min(left, maxLots);
      const order = { market, size: Math.max(lots, least) * lotSize, price };
      this.#script.enter(middleman, { ...order, side: 1 - side });
      this.#script.enter(account, { ...order, side });
      if (lots >= least) continue;
      // Too few for an order of its own: the surplus goes back, since orders that only reduce may be smaller.
      this.#script.enter(account, { ...order, size: (least - lots) * lotSize, side: 1 - side, reduceOnly: true });
      this.#script.enter(middleman, { ...order, side, timeInForce: TIME_IN_FORCE.IOC });
    }
    this.#script.endBlock();
    if (lossLots > 0) this.#closeAtLoss(position, lossLots, ticks);
  }

  /**
   * Closes the lots of an isolated position beyond its size at a loss that leaves no more than its margin. If the
   * position is then worth nothing at any mark, they close at the entry price, and its margin stays too high.
   */
  #closeAtLoss(position: PositionRow, lots: number, ticks: number): void {
    const { positions, marketNames } = this.#venue;
    const [account, market] = [positions.account[position]!, positions.market[position]!];
    const own = getPosition(this.#script.state, account, market);
    const signedLots = positions.signedLots[position]!;
    if (own === NONE || this.#script.state.positions.signedLots[own]! !== signedLots + Math.sign(signedLots) * lots)
      return;
    const { tickSize, lotSize, tickLotValue } = this.#script.state.parameters[market]!;
    const brought = this.#script.state.positions.isolated[own]!;
    const most = mostLossTicks(signedLots, ticks);
    const away = Math.min(most, Math.ceil((brought - positions.isolated[position]!) / (lots * tickLotValue)));
    const left = brought - away * lots * tickLotValue;
    const close = (mark: number, price: number) => {
      this.#script.setPrice(marketNames[market]!, mark * tickSize);
      const order = { market: marketNames[market]!, size: lots * lotSize, price: price * tickSize };
      const side = signedLots > 0 ? SIDE.sell : SIDE.buy;
      this.#script.enter(this.#keyOf(account), { ...order, side, reduceOnly: true });
      const middleman = new AccountKey(MIDDLEMAN, market);
      this.#script.enter(middleman, { ...order, side: 1 - side, timeInForce: TIME_IN_FORCE.IOC });
      this.#script.endBlock();
    };
    close(solventTicks(signedLots, ticks - left / (signedLots * tickLotValue)), ticks - Math.sign(signedLots) * away);
    if (this.#script.state.positions.signedLots[own]! !== signedLots) close(ticks, ticks);
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
  setLeverages(): void {
    const { positions, marketNames } = this.#venue;
    const levered = [...rowsOf(positions)].filter(
      (position) => positions.leverage[position]! !== 0 && this.#isLeveredLate(position),
    );
    if (levered.length === 0) return;
    const names = new Set(levered.map((position) => marketNames[positions.market[position]!]!));
    const update = (market: string, value: string) =>
      this.#script.put("updateMarket", this.#script.operator, {
        market,
        parameters: [{ name: "openInterestUpper", value }],
      });
    for (const market of names) update(market, "0.000001");
    for (const position of levered) {
      const market = marketNames[positions.market[position]!]!;
      this.#script.put("setLeverage", this.#keyOf(positions.account[position]!), {
        market,
        leverage: positions.leverage[position]!,
      });
    }
    this.#script.endBlock();
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

  /**
   * Adds missing margin to isolated positions one block before the marks are set: without it they would be liquidated
   * at these marks.
   */
  addMargins(): void {
    const lacking = [...this.#listMargins()].filter(({ missing }) => missing > 0);
    for (const { position, missing } of lacking) this.#adjustMargin(position, missing);
    if (lacking.length > 0) this.#script.endBlock();
  }

  /** Sets the margin of isolated positions after opening them changed it. */
  setMargins(): void {
    for (const { position, missing } of this.#listMargins()) if (missing !== 0) this.#adjustMargin(position, missing);
    this.#script.endOpenBlock();
  }

  /** Opened isolated positions with their missing margin, negative for a surplus. */
  *#listMargins(): Generator<{ readonly position: PositionRow; readonly missing: number }> {
    const { positions } = this.#venue;
    for (const position of rowsOf(positions)) {
      const own = getPosition(this.#script.state, positions.account[position]!, positions.market[position]!);
      if (own === NONE || positions.mode[position]! !== MARGIN_MODE.isolated) continue;
      yield { position, missing: positions.isolated[position]! - this.#script.state.positions.isolated[own]! };
    }
  }

  #adjustMargin(position: PositionRow, missing: number): void {
    const { positions, marketNames } = this.#venue;
    const direction = missing > 0 ? MARGIN_DIRECTION.add : MARGIN_DIRECTION.remove;
    const payload = { market: marketNames[positions.market[position]!]!, direction, amount: Math.abs(missing) };
    this.#script.put("adjustIsolatedMargin", this.#keyOf(positions.account[position]!), payload);
  }

  #keyOf(account: number): AccountKey {
    return keyOf(this.#venue, account);
  }
}
