import { hash } from "node:crypto";
import { LIVE, NONE } from "../../src/ground/collections/table.ts";
import { KEY_TABLES, type KeyTable, type Rule } from "../../src/proof/fuzz/explore/world/columns.ts";
import type { KeyOptions } from "../../src/proof/fuzz/explore/world/stateKey.ts";
import { joinIndex } from "../../src/venue/engine/funding/cumulativeIndex.ts";
import type { MarketRow, OrderRow } from "../../src/venue/engine/state/schema.ts";
import type { State } from "../../src/venue/engine/state/state.ts";
import { TOTAL, TOTAL_NAMES } from "../../src/venue/engine/state/totals.ts";

/**
 * Key of a venue, row by row and with every text in full: the slow twin of `StateKeys`. Two venues have the same key of
 * one exactly if they have the same key of the other.
 */
export function computePlainKey(state: State, options: KeyOptions = {}): string {
  const out = new PlainList();
  new KeyWriter(state, options, out).write();
  return hash("sha256", JSON.stringify(out.parts), "base64url");
}

/** Numbers and texts one after the other; -0 is written as 0. */
class PlainList {
  readonly parts: (number | string)[] = [];

  push(...values: readonly number[]): void {
    this.parts.push(...values);
  }

  all(values: ArrayLike<number>): void {
    this.parts.push(values.length, ...Array.from(values));
  }

  big(value: bigint): void {
    this.parts.push(String(value));
  }

  text(text: string): void {
    this.parts.push(text);
  }
}

/** Columns of a table with their rules, in the order of the definition. */
type Plan = readonly (readonly [column: string, rule: Exclude<Rule, object>])[];

const planOf = ({ definition, rules }: KeyTable): Plan =>
  Object.keys(definition.columns).flatMap((column) => {
    const rule = rules[column] ?? "raw";
    return typeof rule === "string" ? [[column, rule] as const] : [];
  });

const PLANS = {
  owners: planOf(KEY_TABLES.owners),
  accounts: planOf(KEY_TABLES.accounts),
  positions: planOf(KEY_TABLES.positions),
  orders: planOf(KEY_TABLES.orders),
  extras: planOf(KEY_TABLES.extras),
  intents: planOf(KEY_TABLES.intents),
  volumes: planOf(KEY_TABLES.volumes),
  markets: planOf(KEY_TABLES.markets),
  authorizations: planOf(KEY_TABLES.authorizations),
  lanes: planOf(KEY_TABLES.lanes),
  agents: planOf(KEY_TABLES.agents),
  sources: planOf(KEY_TABLES.sources),
} as const;

const NONCES = ["nonceTrading", "nonceRisk", "nonceFunds", "nonceAdmin"] as const;
const SECOND = 1000;
const GONE = -2;

class KeyWriter {
  readonly #state: State;
  readonly #options: KeyOptions;
  readonly #out: PlainList;
  /** Rows of accounts in the order of the key, and the place of each row. */
  readonly #accounts: number[];
  readonly #accountPlaces: number[];
  readonly #ownerPlaces = new Map<number, number>();
  readonly #positions: number[] = [];
  readonly #positionPlaces = new Map<number, number>();
  readonly #orders: number[] = [];
  readonly #orderPlaces = new Map<number, number>();
  readonly #intents: number[];
  /** Places of orders and intents by id; others get places as they appear. */
  readonly #ids = new Map<number, number>();
  readonly #records: number[];

  constructor(state: State, options: KeyOptions, out: PlainList) {
    this.#state = state;
    this.#options = options;
    this.#out = out;
    const { accounts, positions, orders, intents } = state;
    const rows = Array.from({ length: accounts.rows.high }, (_, row) => row);
    this.#accountPlaces = rows.map((row) => options.places?.[row] ?? row);
    this.#accounts = [...rows].sort((a, b) => this.#accountPlaces[a]! - this.#accountPlaces[b]!);
    for (const row of this.#accounts) {
      const owner = accounts.owner[row as never]!;
      if (!this.#ownerPlaces.has(owner)) this.#ownerPlaces.set(owner, this.#ownerPlaces.size);
      for (let at = accounts.position[row as never]!; at >= 0; at = positions.next[at]!) {
        this.#positionPlaces.set(at, this.#positions.length);
        this.#positions.push(at);
      }
    }
    // Age decides among the orders of one position and of one price; their lists and queues are in the key.
    for (const position of this.#positions)
      for (let at = positions.orders[position as never]!; at >= 0; at = orders.older[at]!) this.#orders.push(at);
    this.#intents = listLive(intents.rows).sort((a, b) => intents.id[a as never]! - intents.id[b as never]!);
    this.#orders.forEach((row, place) => {
      this.#orderPlaces.set(row, place);
      this.#ids.set(orders.id[row as never]!, 1 + place);
    });
    this.#intents.forEach((row, place) => void this.#ids.set(intents.id[row as never]!, 1e6 + place));
    this.#records = [
      ...new Set([
        ...rows.map((row) => accounts.liquidation[row as never]!),
        ...this.#positions.map((row) => positions.liquidation[row as never]!),
      ]),
    ].sort((a, b) => a - b);
  }

  write(): void {
    this.#writeVenue();
    this.#writeMarkets();
    for (const [owner] of this.#ownerPlaces) this.#writeOwner(owner);
    for (const row of this.#accounts) {
      this.#writeRow(KEY_TABLES.accounts, PLANS.accounts, row);
      if (this.#options.withNonces === true)
        for (const column of NONCES) this.#out.push(this.#state.accounts[column][row as never]!);
    }
    for (const row of this.#positions) this.#writePosition(row);
    for (const row of this.#orders) this.#writeOrder(row);
    for (const row of this.#intents) this.#writeIntent(row);
    this.#writeGrants();
    this.#writeIndexes();
    this.#writeLabels();
  }

  #writeVenue(): void {
    const { timeMs, totals, insured, outflow, height } = this.#state;
    const out = this.#out;
    out.push(Math.round(timeMs / SECOND));
    for (const name of TOTAL_NAMES) out.big(totals.get(TOTAL[name]));
    out.push(insured.day);
    const accounts = [...insured.accounts].map(([row, paid]) => [this.#accountPlaces[row]!, paid] as const);
    for (const paid of [accounts, [...insured.markets]]) {
      out.push(paid.length);
      for (const [place, amount] of [...paid].sort(([a], [b]) => a - b)) {
        out.push(place);
        out.big(amount);
      }
    }
    out.push(Math.max(0, outflow.pausedUntil - height));
    for (const { startMs, base, used } of outflow.windows) {
      out.push(startMs);
      out.big(base);
      out.big(used);
    }
    if (this.#options.withNonces === true) for (const nonce of this.#state.authorityNonces) out.push(nonce);
    if (this.#state.nonceWindow !== 0) {
      // A window is read by absolute nonces: states of one window agree in them or are different.
      for (const bits of [this.#state.ownerNonces.bits, this.#state.agentNonces.bits]) out.all(bits);
      for (const row of this.#accounts) out.push(this.#state.accounts.nonceTrading[row as never]!);
    }
  }

  #writeMarkets(): void {
    const { markets, marketNames, parameters, books, sources } = this.#state;
    const out = this.#out;
    out.push(marketNames.length);
    for (let row = 0; row < marketNames.length; row++) {
      out.text(marketNames[row]!);
      out.text(parameters[row]!.definition);
      this.#writeRow(KEY_TABLES.markets, PLANS.markets, row);
      const { bestBid, bestAsk, pages, freePages } = books[row]!;
      out.push(bestBid, bestAsk, pages - freePages.length);
      const first = markets.firstSource[row as MarketRow];
      for (let place = 0; place < parameters[row]!.sources.length; place++)
        this.#writeRow(KEY_TABLES.sources, PLANS.sources, first! + place);
    }
    out.push(sources.rows.count);
  }

  #writeOwner(row: number): void {
    this.#writeRow(KEY_TABLES.owners, PLANS.owners, row);
    const { volumes, owners } = this.#state;
    for (let at = owners.volume[row as never]!; at >= 0; at = volumes.older[at]!)
      this.#writeRow(KEY_TABLES.volumes, PLANS.volumes, at);
  }

  #writePosition(row: number): void {
    const { positions, markets } = this.#state;
    this.#writeRow(KEY_TABLES.positions, PLANS.positions, row);
    const market = positions.market[row as never] as unknown as MarketRow;
    const isOpen = (positions.signedLots[row as never] as unknown as number) !== 0;
    const of = joinIndex(markets.fundingHigh[market]!, markets.fundingLow[market]!);
    const own = joinIndex(positions.fundingHigh[row as never]!, positions.fundingLow[row as never]!);
    if (isOpen) this.#out.big(of - own);
  }

  #writeOrder(row: number): void {
    const { orders, extras, clients } = this.#state;
    this.#writeRow(KEY_TABLES.orders, PLANS.orders, row);
    const extra = orders.extra[row as OrderRow]!;
    this.#out.push(extra === NONE ? 0 : 1);
    if (extra === NONE) return;
    this.#writeRow(KEY_TABLES.extras, PLANS.extras, extra);
    this.#out.text(clients.text(extras.client[extra]!));
  }

  #writeIntent(row: number): void {
    this.#writeRow(KEY_TABLES.intents, PLANS.intents, row);
    this.#out.text(this.#state.intentTexts[row] ?? "");
  }

  #writeGrants(): void {
    const { authorizations, grants, lanes, agents } = this.#state;
    const out = this.#out;
    out.push(authorizations.rows.count, lanes.rows.count, agents.rows.count);
    for (let row = 0; row < authorizations.rows.high; row++) {
      this.#writeRow(KEY_TABLES.authorizations, PLANS.authorizations, row);
      for (const text of [grants.labels[row]!, grants.markets[row]!, grants.subaccounts[row]!]) out.text(text);
    }
    for (let row = 0; row < lanes.rows.high; row++) {
      this.#writeRow(KEY_TABLES.lanes, PLANS.lanes, row);
      if (this.#options.withNonces === true || this.#state.nonceWindow !== 0)
        for (const column of NONCES) out.push(lanes[column][row as never]!);
    }
    for (let row = 0; row < agents.rows.high; row++) this.#writeRow(KEY_TABLES.agents, PLANS.agents, row);
  }

  /** Sizes of derived state: a difference shows that an index kept or lost something. */
  #writeIndexes(): void {
    const { orderIndex, positionIndex, laneIndex, ownerIndex, clients, expiries, intentIndex, risk } = this.#state;
    const { accounts, positions, orders, extras, intents, volumes, markets, journal, emptied } = this.#state;
    const out = this.#out;
    for (const { rows } of [accounts, positions, orders, extras, intents, volumes, markets]) out.push(rows.count);
    out.push(orderIndex.count, positionIndex.count, laneIndex.count, ownerIndex.count, clients.orders.size);
    for (const heap of expiries.heaps()) out.push(heap.size);
    out.push(intentIndex.rowOf.size, intentIndex.watched.size, intentIndex.ended.length, emptied.length);
    out.push(
      risk.heapSizes.reduce((sum, size) => sum + size, 0),
      risk.emptied.size,
      risk.sizesBefore.size,
    );
    out.push(risk.rankings.size, risk.recording ? 1 : 0, journal.on ? 1 : 0);
    out.all(risk.dirty.map((row) => this.#accountPlaces[row]!).sort((a, b) => a - b));
    out.all([...risk.queueFull].sort((a, b) => a - b));
  }

  #writeLabels(): void {
    for (const [name, { order, intent, grant }] of this.#options.labels ?? []) {
      this.#out.text(name);
      this.#out.push(this.#ids.get(order) ?? GONE, this.#ids.get(intent) ?? GONE, grant);
    }
  }

  #writeRow(table: KeyTable, plan: Plan, row: number): void {
    const columns = table.read(this.#state);
    for (const [column, rule] of plan) this.#out.push(this.#read(rule, columns[column]![row]!));
  }

  #read(rule: Plan[number][1], value: number): number {
    switch (rule) {
      case "raw":
        return value;
      case "time":
        return Math.round(value / SECOND);
      case "height":
        return value === 0 ? Number.NaN : value - this.#state.height;
      case "ahead":
        return Math.max(0, value - this.#state.height);
      case "id":
        return this.#placeOfId(value);
      case "record":
        return this.#records.indexOf(value);
      case "account":
        return value === NONE ? NONE : this.#accountPlaces[value]!;
      case "owner":
        return this.#ownerPlaces.get(value) ?? NONE;
      case "position":
        return this.#positionPlaces.get(value) ?? NONE;
      case "order":
        return this.#orderPlaces.get(value) ?? NONE;
      case "has":
        return value === NONE ? 0 : 1;
    }
  }

  /** An id that is no longer there gets a place by its first appearance: two of them may still be the same. */
  #placeOfId(id: number): number {
    if (id === 0) return 0;
    let place = this.#ids.get(id);
    if (place === undefined) {
      place = 2e6 + this.#ids.size;
      this.#ids.set(id, place);
    }
    return place;
  }
}

function listLive({ high, link }: { readonly high: number; readonly link: Int32Array }): number[] {
  const found: number[] = [];
  for (let row = 0; row < high; row++) if (link[row] === LIVE) found.push(row);
  return found;
}
