import type { IntentView, OrderView, PositionView } from "../../../client/strategy/context.ts";
import type { TransactionId } from "../../../client/strategy/facts.ts";
import type { MarketList } from "../../../client/strategy/marketList.ts";
import { type AccountHealth, FLAT, type InFlight, StrategyAccount } from "../../../client/strategy/strategyAccount.ts";
import { fromAmount, fromE8, fromSteps } from "../../../client/strategy/units.ts";
import { NONE } from "../../../ground/collections/table.ts";
import type { Lots } from "../../../ground/math/fixed.ts";
import { INTENT_STATES, MARGIN_MODE, PRICE_SOURCES, SIDES, TRIGGER_KINDS } from "../../../protocol/words.ts";
import { getClientOrderId } from "../../../venue/engine/book/extras.ts";
import { computeFree, DEPTH, measure, measureIsolated } from "../../../venue/engine/margin/health.ts";
import { getRestOfMargin } from "../../../venue/engine/margin/liquidationPrice.ts";
import type { Health } from "../../../venue/engine/state/health.ts";
import {
  type AccountRow,
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  type OrderRow,
  type PositionRow,
} from "../../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../../venue/engine/state/state.ts";
import { computeMarkedValue } from "../../../venue/engine/valuation/notional.ts";
import type { VenueMarket } from "./venueMarket.ts";
import { VenuePosition } from "./venuePosition.ts";
import type { Reads } from "./venueReads.ts";

function healthOf(health: Health): AccountHealth {
  const { equity, maintenance, bigEquity, bigMaintenance } = health;
  return health.overflow ? { equity: Number(bigEquity), maintenance: Number(bigMaintenance) } : { equity, maintenance };
}

export interface FoundOrder {
  readonly id: number;
  readonly view: OrderView;
  readonly isNamed: boolean;
}

/** The strategy's account as it sees it. Every value is read from the state when it is asked for. */
export class VenueAccount extends StrategyAccount<VenueMarket> {
  readonly #state: State;
  readonly #row: AccountRow;
  readonly #nameOf: (order: number) => TransactionId;
  readonly #reads: Reads;

  constructor(
    reads: Reads,
    row: AccountRow,
    markets: MarketList<VenueMarket>,
    sender: InFlight,
    nameOf: (order: number) => TransactionId,
  ) {
    super(markets, sender);
    this.#reads = reads;
    this.#state = reads.state;
    this.#row = row;
    this.#nameOf = nameOf;
  }

  protected get marginAccounts(): readonly AccountHealth[] {
    const { tables } = this.#reads;
    const accounts = [healthOf(measure(tables, this.#row, DEPTH.risk))];
    for (const position of this.#listIsolated()) accounts.push(healthOf(measureIsolated(tables, position)));
    return accounts;
  }

  /** As the sum of its margin accounts, without a list of them: a strategy reads it at every bar. */
  override get equity(): number {
    const { equity, overflow } = measure(this.#reads.tables, this.#row, DEPTH.risk);
    return overflow || this.#listIsolated().length > 0 ? super.equity : fromAmount(equity);
  }

  get collateral(): number {
    let sum: number = this.#state.accounts.collateral[this.#row]!;
    for (const position of this.#listIsolated()) sum += this.#state.positions.isolated[position]!;
    return fromAmount(sum);
  }

  /** Open positions with collateral of their own. */
  #listIsolated(): PositionRow[] {
    const { positions, accounts } = this.#state;
    const found: PositionRow[] = [];
    for (let row = accounts.position[this.#row]!; row !== NONE; row = positions.next[row]!) {
      if (positions.mode[row] !== MARGIN_MODE.cross) found.push(row);
    }
    return found;
  }

  get free(): number {
    const { tables } = this.#reads;
    return fromAmount(computeFree(tables.accounts.collateral[this.#row]!, measure(tables, this.#row)));
  }

  position(name?: string): PositionView {
    const market = this.markets.find(name);
    const row = getPosition(this.#state, this.#row, market.row);
    const { positions } = this.#state;
    const lots = row === NONE ? (0 as Lots) : positions.signedLots[row]!;
    if (lots === 0) return FLAT;
    const { rules } = market;
    const { tables } = this.#reads;
    const size = fromSteps(lots, rules.lotSize);
    const cost = positions.cost[row]!;
    const mark = tables.markets.mark[market.row]!;
    const rest = getRestOfMargin(tables, row);
    const isCross = positions.mode[row] === MARGIN_MODE.cross;
    const unrealized = fromAmount(computeMarkedValue(rules, lots, mark) - cost);
    const isolatedMargin = isCross ? undefined : fromAmount(positions.isolated[row]!);
    return new VenuePosition(size, fromAmount(cost) / size, unrealized, isolatedMargin, { rules, lots, rest, mark });
  }

  /** Signed size of the position in a market, units of base. Cheaper than `position`, which computes more. */
  getSize(market: VenueMarket): number {
    const row = getPosition(this.#state, this.#row, market.row);
    return row === NONE ? 0 : fromSteps(this.#state.positions.signedLots[row]!, market.rules.lotSize);
  }

  /** As `getSize`, by name. */
  getSizeOf(name: string): number {
    return this.getSize(this.markets.find(name));
  }

  orders(name?: string): OrderView[] {
    const position = this.#findOrdered(name);
    if (position === undefined) return this.#listViews(name);
    if (position === NONE) return [];
    const { orders, positions } = this.#state;
    const market = this.markets.find(this.#state.marketNames[positions.market[position]!]!);
    let place = positions.orderCount[position]!;
    const views = new Array<OrderView>(place);
    let newer = Number.POSITIVE_INFINITY;
    for (let order = positions.orders[position]!; order !== NONE; order = orders.older[order]!) {
      const id = orders.id[order]!;
      if (id > newer) return this.#listViews(name);
      newer = id;
      views[--place] = this.#viewOrder(order, market, getClientOrderId(this.#state, order));
    }
    return views;
  }

  #listViews(name: string | undefined): OrderView[] {
    return this.listOrders(name).map(({ view }) => view);
  }

  /** The one position that has orders at rest: a strategy of one market needs no sorted list. NONE for none. */
  #findOrdered(name: string | undefined): PositionRow | typeof NONE | undefined {
    const { positions, accounts } = this.#state;
    const only = name === undefined ? NONE : this.markets.find(name).row;
    let found: PositionRow | typeof NONE = NONE;
    for (let row = accounts.position[this.#row]!; row !== NONE; row = positions.next[row]!) {
      if (positions.orderCount[row] === 0 || (only !== NONE && positions.market[row] !== only)) continue;
      if (found !== NONE) return undefined;
      found = row;
    }
    return found;
  }

  #viewOrder(order: OrderRow, { name, rules }: VenueMarket, client: string): OrderView {
    const { orders } = this.#state;
    const flags = orders.flags[order]!;
    return {
      id: client === "" ? this.#nameOf(orders.id[order]!) : client,
      market: name,
      side: (flags & FLAG_SELL) === 0 ? "buy" : "sell",
      price: fromSteps(orders.price[order]!, rules.tickSize),
      remaining: fromSteps(orders.remaining[order]!, rules.lotSize),
      filled: fromSteps(orders.filled[order]!, rules.lotSize),
      reduceOnly: (flags & FLAG_REDUCE_ONLY) !== 0,
    };
  }

  intents(name?: string): IntentView[] {
    const { accounts, intents, intentTexts, marketNames } = this.#state;
    const only = name === undefined ? NONE : this.markets.find(name).row;
    const found: { id: number; view: IntentView }[] = [];
    for (let row = accounts.intents[this.#row]!; row !== NONE; row = intents.older[row]!) {
      const kind = TRIGGER_KINDS[intents.kind[row]!];
      if (kind === undefined || (only !== NONE && intents.market[row] !== only)) continue;
      const market = this.markets.find(marketNames[intents.market[row]!]);
      const view: IntentView = {
        id: intentTexts[row]!,
        market: market.name,
        kind,
        status: INTENT_STATES[intents.state[row]!]!,
        side: SIDES[intents.side[row]!]!,
        size: intents.fraction[row] === 0 ? fromSteps(intents.size[row]!, market.rules.lotSize) : undefined,
        trigger: fromE8(intents.trigger[row]!),
        source: PRICE_SOURCES[intents.source[row]!]!,
        reduceOnly: intents.reduceOnly[row] !== 0,
      };
      found.push({ id: intents.id[row]!, view });
    }
    return found.sort((a, b) => a.id - b.id).map(({ view }) => view);
  }

  findOrderOfIntent(id: TransactionId): number {
    if (this.#state.accounts.position[this.#row] === NONE) return 0;
    return this.listOrders(undefined).find(({ view, isNamed }) => !isNamed && view.id === id)?.id ?? 0;
  }

  /** Resting orders, oldest first; `isNamed` if the order has a client order id. */
  listOrders(name: string | undefined): FoundOrder[] {
    const { positions, accounts } = this.#state;
    const only = name === undefined ? NONE : this.markets.find(name).row;
    let count = 0;
    for (let row = accounts.position[this.#row]!; row !== NONE; row = positions.next[row]!) {
      if (only === NONE || positions.market[row] === only) count += positions.orderCount[row]!;
    }
    if (count === 0) return [];
    // The list of a position has the newest first. So what is found is sorted but for orders of several markets.
    const found = new Array<FoundOrder>(count);
    for (let row = accounts.position[this.#row]!; row !== NONE; row = positions.next[row]!) {
      if (only === NONE || positions.market[row] === only) count = this.#collectOrders(row, found, count);
    }
    return isSorted(found) ? found : found.sort((a, b) => a.id - b.id);
  }

  /**
   * @param end place after those of its orders
   * @returns the place of the oldest
   */
  #collectOrders(position: PositionRow, found: FoundOrder[], end: number): number {
    const { orders, positions } = this.#state;
    const market = this.markets.find(this.#state.marketNames[positions.market[position]!]!);
    let place = end;
    for (let order = positions.orders[position]!; order !== NONE; order = orders.older[order]!) {
      const client = getClientOrderId(this.#state, order);
      const view = this.#viewOrder(order, market, client);
      found[--place] = { id: orders.id[order]!, isNamed: client !== "", view };
    }
    return place;
  }
}

function isSorted(found: readonly FoundOrder[]): boolean {
  for (let place = 1; place < found.length; place++) if (found[place]!.id < found[place - 1]!.id) return false;
  return true;
}
