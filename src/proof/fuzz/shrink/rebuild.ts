import { NONE, type Rows } from "../../../ground/collections/table.ts";
import { formatDecimal } from "../../../ground/math/decimal.ts";
import { AMOUNT_DECIMALS } from "../../../ground/math/fixed.ts";
import { AccountKey, addressOfWords } from "../../../protocol/accountKey.ts";
import type { ActionName, Payloads } from "../../../protocol/actions/index.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import {
  isParameterFault,
  type ParameterTexts,
  readDefinition,
  readMarketParameters,
} from "../../../protocol/parameters.ts";
import { PLAIN_ORDER } from "../../../protocol/plainOrder.ts";
import { DEVNET_TARGET, MARGIN_DIRECTION, MARGIN_MODE, ROLES, SIDE, TIME_IN_FORCE } from "../../../protocol/words.ts";
import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import { getClientOrderId } from "../../../venue/engine/book/extras.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import {
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  getPostOnly,
  type OrderRow,
  type PositionRow,
} from "../../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../../venue/engine/state/state.ts";
import { addressOfName } from "../../../venue/simulation/accountNames.ts";
import { createLine } from "./createLine.ts";
import { Player } from "./player.ts";
import type { Line, TransactionLine } from "./script.ts";

/** Start of a script that brings a new venue close to the state of another one. */
export interface Rebuilt {
  readonly genesis: Genesis;
  readonly lines: readonly Line[];
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

/** Balance for opening positions, USD; the surplus is removed later. */
const AMPLE = "1000000000";

/** Counterparty of all opening trades, so that each account gets its original entry price. */
const MIDDLEMAN = new AccountKey(addressOfName("middleman"), 0);

/**
 * Brings a new venue close to the state of another one without its history. It takes accounts with balances, markets
 * with parameters and prices, positions at their cost, and resting orders in their order. Funding sums, volumes, averages
 * and liquidation records are lost. So the result is a guess, and a trial must confirm the failure. It needs a devnet,
 * whose operator sets prices and balances.
 *
 * A mark that its market computes from averages or the order book moves away from the one that is set, in the price step of
 * the same block. Closed markets take no price, and their positions and those beyond the storable range are left out.
 *
 * @returns undefined if there are not enough line numbers
 */
export function rebuildVenue(venue: State, spare: Spare): Rebuilt | undefined {
  const builder = new Builder(venue, spare);
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

class Builder implements Rebuilt {
  readonly genesis: Genesis;
  readonly lines: Line[] = [];
  readonly orders = new Map<number, number>();
  readonly #venue: State;
  readonly #spare: Spare;
  readonly #state: State;
  readonly #player: Player;
  #taken = 0;
  #played = 0;

  constructor(venue: State, spare: Spare) {
    this.#venue = venue;
    this.#spare = spare;
    this.genesis = genesisOf(venue);
    this.#state = createVenue(this.genesis);
    this.#player = new Player(
      [...spare.numbers, ...spare.kept.map(({ number }) => number)].reduce((most, number) => Math.max(most, number), 0),
    );
  }

  build(): void {
    this.lines.push(...this.#spare.kept.filter(({ action }) => action === "grantAuthorization"));
    this.#openPositions();
    this.#addMargins();
    this.#setPrices();
    this.#enterOrders();
    this.lines.push(...this.#spare.kept.filter(({ action }) => action !== "grantAuthorization"));
    this.#endBlock();
    this.#setMargins();
    this.#setBalances();
  }

  #openPositions(): void {
    const { positions, parameters, marketNames } = this.#venue;
    const held: PositionRow[] = [];
    for (const position of rowsOf(positions)) {
      const account = this.#keyOf(positions.account[position]!);
      const market = marketNames[positions.market[position]!]!;
      const leverage = positions.leverage[position]!;
      if (leverage !== 0) this.#put("setLeverage", account, { market, leverage });
      if (positions.mode[position]! === MARGIN_MODE.isolated)
        this.#put("setMarginMode", account, { market, mode: MARGIN_MODE.isolated });
      if (positions.signedLots[position]! !== 0) held.push(position);
    }
    for (const position of held) {
      const { tickSize, lotSize, tickLotValue, minLots, maxLots, minNotional } =
        parameters[positions.market[position]!]!;
      const market = marketNames[positions.market[position]!]!;
      const signedLots = positions.signedLots[position]!;
      const cost = positions.cost[position]! + this.#debtOf(position);
      const ticks = Math.max(1, Math.round(cost / signedLots / tickLotValue));
      const price = ticks * tickSize;
      this.#setPrice(market, price);
      const side = signedLots > 0 ? SIDE.buy : SIDE.sell;
      const account = this.#keyOf(positions.account[position]!);
      const least = Math.max(minLots, Math.ceil(minNotional / (ticks * tickLotValue)));
      for (let left = Math.abs(signedLots); left > 0; left -= maxLots) {
        const lots = Math.min(left, maxLots);
        const order = { market, size: Math.max(lots, least) * lotSize, price };
        this.#enter(MIDDLEMAN, { ...order, side: 1 - side });
        this.#enter(account, { ...order, side });
        if (lots >= least) continue;
        // Too few for an order of its own: the surplus goes back, since orders that only reduce may be smaller.
        this.#enter(account, { ...order, size: (least - lots) * lotSize, side: 1 - side, reduceOnly: true });
        this.#enter(MIDDLEMAN, { ...order, side, timeInForce: TIME_IN_FORCE.IOC });
      }
      this.#endBlock();
    }
  }

  /** Debt of a cross account, added to the cost of its first position: a balance cannot be set below zero. */
  #debtOf(position: PositionRow): number {
    const { positions, accounts } = this.#venue;
    const account = positions.account[position]!;
    return accounts.position[account] === position ? Math.max(0, -accounts.collateral[account]!) : 0;
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
    const number = this.#spare.numbers[this.#taken++];
    if (number === undefined) throw new TooLong();
    this.lines.push(createLine({ number, action, account, payload }));
    return number;
  }

  #endBlock(): void {
    this.lines.push({ kind: "block", afterMs: 1 });
    const played = this.#player.build(this.#state, this.lines, this.#played);
    this.#player.note(this.#state, played, applyBlock(this.#state, played.block));
    this.#played = played.next;
  }
}

/** Genesis of a devnet with a venue's current markets and accounts, and balances to open positions. */
function genesisOf(venue: State): Genesis {
  const { genesis, accounts, parameters } = venue;
  const limits = new Map(genesis.accounts.map((given) => [`${given.address}/${given.subaccount}`, given.lossLimit]));
  const presets = new Map(genesis.markets.map(({ name, preset }) => [name, preset]));
  const { origin: _, ...rest } = genesis;
  return {
    ...rest,
    timeMs: venue.timeMs,
    features: { ...genesis.features, devnet: true },
    markets: venue.marketNames.map((name, market) => {
      const preset = presets.get(name) ?? "linear";
      return { name, preset, parameters: differing(preset, readDefinition(parameters[market]!.definition)) };
    }),
    accounts: [
      ...[...rowsOf(accounts)].map((account) => {
        const { address, subaccount } = keyOf(venue, account);
        const role = ROLES[accounts.role[account]!]!;
        const lossLimit = limits.get(`${address}/${subaccount}`);
        const balance =
          role === "normal" ? AMPLE : formatDecimal(Math.max(0, accounts.collateral[account]!), AMOUNT_DECIMALS);
        return { address, subaccount, role, balance, ...(lossLimit === undefined ? {} : { lossLimit }) };
      }),
      { address: MIDDLEMAN.address, subaccount: 0, role: "normal", balance: AMPLE },
    ],
  };
}

/** Texts of a definition that differ from a preset. */
function differing(preset: string, texts: ParameterTexts): ParameterTexts {
  const plain = readMarketParameters(preset, {});
  const base = isParameterFault(plain) ? {} : readDefinition(plain.definition);
  const gone = Object.keys(base).filter((name) => !Object.hasOwn(texts, name));
  const own = Object.entries(texts).filter(([name, text]) => base[name] !== text);
  return Object.fromEntries([...own, ...gone.map((name) => [name, ""])]);
}

function keyOf({ accounts, owners }: State, account: number): AccountKey {
  const owner = accounts.owner[account as never]!;
  const { w0, w1, w2, w3, w4 } = owners;
  const address = addressOfWords(w0[owner]!, w1[owner]!, w2[owner]!, w3[owner]!, w4[owner]!);
  return new AccountKey(address, accounts.subaccount[account as never]! >>> 0);
}

function* rowsOf<Row extends number>({ rows }: { readonly rows: Rows<Row> }): Generator<Row> {
  for (let row = 0; row < rows.high; row++) if (rows.isLive(row)) yield row as Row;
}
