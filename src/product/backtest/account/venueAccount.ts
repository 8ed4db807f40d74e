import type { AccountView, OrderView, PositionView } from "../../../client/strategy/context.ts";
import { fromAmount, fromE8, fromSteps } from "../../../client/strategy/units.ts";
import { NONE } from "../../../ground/collections/table.ts";
import { getClientOrderId } from "../../../venue/engine/book/extras.ts";
import { computeFree, measure } from "../../../venue/engine/margin/health.ts";
import { getLiquidationPrice } from "../../../venue/engine/margin/liquidationPrice.ts";
import { computeMarkedValue } from "../../../venue/engine/margin/notional.ts";
import { type AccountRow, FLAG_REDUCE_ONLY, FLAG_SELL, type PositionRow } from "../../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../../venue/engine/state/state.ts";
import type { VenueMarket } from "./venueMarket.ts";

const FLAT: PositionView = { size: 0, entry: undefined, unrealized: 0, liquidationPrice: undefined };

/** The strategy's account as it sees it. Every value is read from the state when it is asked for. */
export class VenueAccount implements AccountView {
  readonly #state: State;
  readonly #row: AccountRow;
  readonly #find: (market: string | undefined) => VenueMarket;
  readonly #countInFlight: () => number;

  /**
   * @param find          the market of a name, the first for none
   * @param countInFlight transactions sent and not yet in a block
   */
  constructor(
    state: State,
    row: AccountRow,
    find: (market: string | undefined) => VenueMarket,
    countInFlight: () => number,
  ) {
    this.#state = state;
    this.#row = row;
    this.#find = find;
    this.#countInFlight = countInFlight;
  }

  get equity(): number {
    const health = measure(this.#state, this.#row);
    return fromAmount(health.overflow ? Number(health.bigEquity) : health.equity);
  }

  get collateral(): number {
    return fromAmount(this.#state.accounts.collateral[this.#row]!);
  }

  get free(): number {
    return fromAmount(computeFree(this.#state.accounts.collateral[this.#row]!, measure(this.#state, this.#row)));
  }

  get marginRatio(): number {
    const health = measure(this.#state, this.#row);
    const equity = health.overflow ? Number(health.bigEquity) : health.equity;
    const maintenance = health.overflow ? Number(health.bigMaintenance) : health.maintenance;
    if (maintenance === 0) return 0;
    return equity <= 0 ? Number.POSITIVE_INFINITY : maintenance / equity;
  }

  get liquidationPrice(): number | undefined {
    return this.position().liquidationPrice;
  }

  get inFlight(): number {
    return this.#countInFlight();
  }

  position(name?: string): PositionView {
    const market = this.#find(name);
    const row = getPosition(this.#state, this.#row, market.row);
    const lots = row === NONE ? 0 : this.#state.positions.size[row]!;
    if (lots === 0) return FLAT;
    const { rules } = market;
    const size = fromSteps(lots, rules.lotSize);
    const cost = this.#state.positions.cost[row]!;
    const mark = this.#state.markets.mark[market.row]!;
    const worth = computeMarkedValue(rules, this.#state.positions.size[row]!, mark);
    const liquidation = getLiquidationPrice(this.#state, row);
    return {
      size,
      entry: fromAmount(cost) / size,
      unrealized: fromAmount(worth - cost),
      liquidationPrice: liquidation === undefined ? undefined : fromE8(liquidation),
    };
  }

  orders(name?: string): OrderView[] {
    const found: { id: number; view: OrderView }[] = [];
    const { positions, accounts } = this.#state;
    const only = name === undefined ? NONE : this.#find(name).row;
    for (let row = accounts.position[this.#row]!; row !== NONE; row = positions.next[row]!) {
      if (only === NONE || positions.market[row] === only) this.#collectOrders(row, found);
    }
    return found.sort((a, b) => a.id - b.id).map(({ view }) => view);
  }

  #collectOrders(position: PositionRow, found: { id: number; view: OrderView }[]): void {
    const { orders, positions } = this.#state;
    const market = this.#find(this.#state.marketNames[positions.market[position]!]!);
    const { rules } = market;
    for (let order = positions.orders[position]!; order !== NONE; order = orders.older[order]!) {
      const flags = orders.flags[order]!;
      found.push({
        id: orders.id[order]!,
        view: {
          id: getClientOrderId(this.#state, order),
          market: market.name,
          side: (flags & FLAG_SELL) === 0 ? "buy" : "sell",
          price: fromSteps(orders.price[order]!, rules.tickSize),
          remaining: fromSteps(orders.remaining[order]!, rules.lotSize),
          filled: fromSteps(orders.filled[order]!, rules.lotSize),
          reduceOnly: (flags & FLAG_REDUCE_ONLY) !== 0,
        },
      });
    }
  }
}
