import { hash } from "node:crypto";
import { LIVE, NONE } from "../../../../ground/collections/table.ts";
import { joinIndex } from "../../../../venue/engine/funding/cumulativeIndex.ts";
import type { MarketRow } from "../../../../venue/engine/state/schema.ts";
import type { State } from "../../../../venue/engine/state/state.ts";
import { TOTAL_NAMES } from "../../../../venue/engine/state/totals.ts";
import { KEY_TABLES, type KeyTable, type Rule } from "./columns.ts";
import { NumberList } from "./numberList.ts";

/** What a label of the scenario names: the id of an order or of an intent, and the id of a transaction. */
export interface LabelIds {
  readonly order: number;
  readonly intent: number;
  readonly grant: number;
}

export interface KeyOptions {
  /** New place of each account, by row; rows beyond keep theirs. Default: their rows. */
  readonly places?: readonly number[];
  /** Labels in the order of their names. */
  readonly labels?: readonly (readonly [name: string, ids: LabelIds])[];
  /** Nonces are part of the key: the alphabet names some. */
  readonly withNonces?: boolean;
}

/**
 * Keys of venues between two blocks: equal for states that differ only in what `LEFT_OUT` and `KEY_TABLES` leave out.
 * A key is not the state root: heights, nonces and ids would keep equal states apart, and the root lacks derived state.
 *
 * A key is a function of the state and the options, so keys of several threads compare. Tables are written column by
 * column, with one rule for all rows of a column.
 */
export class StateKeys {
  readonly #out = new NumberList();
  readonly #writer = new KeyWriter(this.#out);

  compute(state: State, options: KeyOptions = {}): string {
    const out = this.#out;
    out.clear();
    this.#writer.write(state, options);
    return hash("sha256", out.bytes(), "base64url");
  }
}

/** Columns of a table with their rules, in the order of the definition. */
type Plan = readonly (readonly [column: string, rule: Exclude<Rule, object>])[];

const planOf = ({ definition, rules }: KeyTable): Plan =>
  Object.keys(definition.columns).flatMap((column) => {
    const rule = rules[column] ?? "raw";
    return typeof rule === "string" ? [[column, rule] as const] : [];
  });

const PLANS = Object.fromEntries(
  Object.entries(KEY_TABLES).map(([name, table]) => [name, planOf(table)]),
) as unknown as Readonly<Record<keyof typeof KEY_TABLES, Plan>>;

const NONCES = ["nonceTrading", "nonceRisk", "nonceFunds", "nonceAdmin"] as const;
const SECOND = 1000;
const GONE = -2;
/** First places of ids: those of intents, and those of orders and intents that are gone. */
const INTENT_IDS = 1e6;
const GONE_IDS = 2e6;
/** Value of a total's high limb. */
const LIMB = 2 ** 52;

/** Writes the key of one state after another. Its lists are those of the last state. */
class KeyWriter {
  readonly #out: NumberList;
  /** Digests of the texts so far. */
  readonly #texts = new Map<string, readonly number[]>();
  #state!: State;
  #options: KeyOptions = {};
  /** Rows in the order of the key, and the place of each row. */
  readonly #accounts: number[] = [];
  readonly #accountPlaces: number[] = [];
  readonly #owners: number[] = [];
  readonly #ownerPlaces: (number | undefined)[] = [];
  readonly #volumes: number[] = [];
  readonly #volumeCounts: number[] = [];
  readonly #positions: number[] = [];
  readonly #positionPlaces: (number | undefined)[] = [];
  readonly #orders: number[] = [];
  readonly #orderPlaces: (number | undefined)[] = [];
  readonly #extras: number[] = [];
  readonly #intents: number[] = [];
  readonly #sources: number[] = [];
  /** Places of orders and intents by id; others get places as they appear. */
  readonly #ids = new Map<number, number>();
  readonly #records: number[] = [];
  /** Rows from 0, by their number. */
  readonly #rows: number[][] = [];
  readonly #lists = [
    ...[this.#accounts, this.#accountPlaces, this.#owners, this.#ownerPlaces, this.#volumes, this.#volumeCounts],
    ...[this.#positions, this.#positionPlaces, this.#orders, this.#orderPlaces, this.#extras, this.#intents],
    ...[this.#sources, this.#records],
  ];

  constructor(out: NumberList) {
    this.#out = out;
  }

  write(state: State, options: KeyOptions): void {
    this.#state = state;
    this.#options = options;
    for (const list of this.#lists) list.length = 0;
    this.#ids.clear();
    this.#listAccounts();
    this.#listOwners();
    this.#listPositions();
    this.#listOrders();
    this.#listIntents();
    this.#listRecords();
    this.#writeVenue();
    this.#writeMarkets();
    this.#writeRows("owners", this.#owners);
    this.#out.all(this.#volumeCounts);
    this.#writeRows("volumes", this.#volumes);
    this.#writeRows("accounts", this.#accounts);
    if (options.withNonces === true)
      for (const column of NONCES)
        for (const row of this.#accounts) this.#out.push(state.accounts[column][row as never]!);
    this.#writeRows("positions", this.#positions);
    this.#writeFunding();
    this.#writeRows("orders", this.#orders);
    this.#writeExtras();
    this.#writeRows("intents", this.#intents);
    for (const row of this.#intents) this.#writeText(state.intentTexts[row] ?? "");
    this.#writeGrants();
    this.#writeIndexes();
    this.#writeLabels();
  }

  #rowsUpTo(high: number): readonly number[] {
    return (this.#rows[high] ??= Array.from({ length: high }, (_, row) => row));
  }

  #listAccounts(): void {
    const { high } = this.#state.accounts.rows;
    const { places } = this.#options;
    for (let row = 0; row < high; row++) {
      this.#accounts.push(row);
      this.#accountPlaces.push(places?.[row] ?? row);
    }
    if (places !== undefined) this.#accounts.sort((a, b) => this.#accountPlaces[a]! - this.#accountPlaces[b]!);
  }

  #listOwners(): void {
    const { accounts, owners, volumes } = this.#state;
    for (const row of this.#accounts) {
      const owner = accounts.owner[row as never] as number;
      if (this.#ownerPlaces[owner] !== undefined) continue;
      this.#ownerPlaces[owner] = this.#owners.length;
      this.#owners.push(owner);
      const first = this.#volumes.length;
      for (let at = owners.volume[owner as never]!; at >= 0; at = volumes.older[at]!) this.#volumes.push(at);
      this.#volumeCounts.push(this.#volumes.length - first);
    }
  }

  #listPositions(): void {
    const { accounts, positions } = this.#state;
    for (const row of this.#accounts) {
      for (let at = accounts.position[row as never]!; at >= 0; at = positions.next[at]!) {
        this.#positionPlaces[at] = this.#positions.length;
        this.#positions.push(at);
      }
    }
  }

  /** Age decides among the orders of one position and of one price; their lists and queues are in the key. */
  #listOrders(): void {
    const { positions, orders } = this.#state;
    for (const position of this.#positions) {
      for (let at = positions.orders[position as never]!; at >= 0; at = orders.older[at]!) {
        this.#ids.set(orders.id[at]!, 1 + this.#orders.length);
        this.#orderPlaces[at] = this.#orders.length;
        this.#orders.push(at);
        if (orders.extra[at] !== NONE) this.#extras.push(orders.extra[at]!);
      }
    }
  }

  #listIntents(): void {
    const { intents } = this.#state;
    const { high, link } = intents.rows;
    for (let row = 0; row < high; row++) if (link[row] === LIVE) this.#intents.push(row);
    if (this.#intents.length > 1) this.#intents.sort((a, b) => intents.id[a as never]! - intents.id[b as never]!);
    for (let place = 0; place < this.#intents.length; place++)
      this.#ids.set(intents.id[this.#intents[place] as never]!, INTENT_IDS + place);
  }

  #listRecords(): void {
    const { accounts, positions } = this.#state;
    const records = this.#records;
    for (const row of this.#accounts) addOnce(records, accounts.liquidation[row as never]!);
    for (const row of this.#positions) addOnce(records, positions.liquidation[row as never]!);
    if (records.length > 1) records.sort((a, b) => a - b);
  }

  #writeVenue(): void {
    const { timeMs, totals, insured, outflow, height } = this.#state;
    const out = this.#out;
    out.push(Math.round(timeMs / SECOND));
    for (let place = 0; place < TOTAL_NAMES.length; place++) this.#writeTotal(totals.limbs, place * 2);
    out.push(insured.day);
    this.#writePaid(insured.accounts, (row) => this.#accountPlaces[row]!);
    this.#writePaid(insured.markets, (market) => market);
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

  /** A total has one form here, with a low limb that is not negative. */
  #writeTotal(limbs: Float64Array, at: number): void {
    const [high, low] = [limbs[at]!, limbs[at + 1]!];
    this.#out.push(low < 0 ? high - 1 : high);
    this.#out.push(low < 0 ? low + LIMB : low);
  }

  /** Payments of the fund in the order of the places of their receivers. */
  #writePaid(paid: ReadonlyMap<number, bigint>, placeOf: (row: number) => number): void {
    const out = this.#out;
    out.push(paid.size);
    if (paid.size === 0) return;
    const list = [...paid].map(([row, amount]) => [placeOf(row), amount] as const);
    for (const [place, amount] of list.sort(([a], [b]) => a - b)) {
      out.push(place);
      out.big(amount);
    }
  }

  #writeMarkets(): void {
    const { markets, marketNames, parameters, books } = this.#state;
    const out = this.#out;
    this.#writeRows("markets", this.#rowsUpTo(marketNames.length));
    for (let row = 0; row < marketNames.length; row++) {
      this.#writeText(marketNames[row]!);
      this.#writeText(parameters[row]!.definition);
      const { bestBid, bestAsk, pages, freePages } = books[row]!;
      out.push(bestBid);
      out.push(bestAsk);
      out.push(pages - freePages.length);
      const first = markets.firstSource[row as MarketRow];
      for (let place = 0; place < parameters[row]!.sources.length; place++) this.#sources.push(first! + place);
    }
    this.#writeRows("sources", this.#sources);
    out.push(this.#state.sources.rows.count);
  }

  /** Of each open position: the distance of its funding index from that of its market. */
  #writeFunding(): void {
    const { positions, markets } = this.#state;
    for (const row of this.#positions) {
      if ((positions.signedLots[row as never] as number) === 0) continue;
      const market = positions.market[row as never] as MarketRow;
      const of = joinIndex(markets.fundingHigh[market]!, markets.fundingLow[market]!);
      this.#out.big(of - joinIndex(positions.fundingHigh[row as never]!, positions.fundingLow[row as never]!));
    }
  }

  #writeExtras(): void {
    const { orders, extras, clients } = this.#state;
    for (const row of this.#orders) this.#out.push(orders.extra[row as never] === NONE ? 0 : 1);
    this.#writeRows("extras", this.#extras);
    for (const row of this.#extras) this.#writeText(clients.text(extras.client[row as never]!));
  }

  #writeGrants(): void {
    const { authorizations, grants, lanes, agents } = this.#state;
    const out = this.#out;
    for (const { rows } of [authorizations, lanes, agents]) out.push(rows.count);
    const granted = this.#rowsUpTo(authorizations.rows.high);
    this.#writeRows("authorizations", granted);
    for (const row of granted)
      for (const text of [grants.labels[row]!, grants.markets[row]!, grants.subaccounts[row]!]) this.#writeText(text);
    const used = this.#rowsUpTo(lanes.rows.high);
    this.#writeRows("lanes", used);
    if (this.#options.withNonces === true || this.#state.nonceWindow !== 0)
      for (const column of NONCES) for (const row of used) out.push(lanes[column][row as never]!);
    this.#writeRows("agents", this.#rowsUpTo(agents.rows.high));
  }

  /** Sizes of derived state: a difference shows that an index kept or lost something. */
  #writeIndexes(): void {
    const { orderIndex, positionIndex, laneIndex, ownerIndex, clients, expiries, intentIndex, risk } = this.#state;
    const { accounts, positions, orders, extras, intents, volumes, markets, journal, emptied } = this.#state;
    const out = this.#out;
    for (const { rows } of [accounts, positions, orders, extras, intents, volumes, markets]) out.push(rows.count);
    for (const { count } of [orderIndex, positionIndex, laneIndex, ownerIndex]) out.push(count);
    out.push(clients.orders.size);
    for (const heap of expiries.heaps()) out.push(heap.size);
    for (const { size } of [intentIndex.rowOf, intentIndex.watched]) out.push(size);
    for (const { length } of [intentIndex.ended, emptied]) out.push(length);
    let armed = 0;
    for (const size of risk.heapSizes) armed += size;
    out.push(armed);
    for (const { size } of [risk.emptied, risk.sizesBefore, risk.rankings]) out.push(size);
    for (const isOn of [risk.recording, journal.on]) out.push(isOn ? 1 : 0);
    if (risk.dirty.length === 0) out.push(0);
    else out.all(risk.dirty.map((row) => this.#accountPlaces[row]!).sort((a, b) => a - b));
    if (risk.queueFull.size === 0) out.push(0);
    else out.all([...risk.queueFull].sort((a, b) => a - b));
  }

  #writeLabels(): void {
    const out = this.#out;
    for (const [name, { order, intent, grant }] of this.#options.labels ?? []) {
      this.#writeText(name);
      out.push(this.#ids.get(order) ?? GONE);
      out.push(this.#ids.get(intent) ?? GONE);
      out.push(grant);
    }
  }

  /** Writes the digest of a text: most texts are long, and in many states. */
  #writeText(text: string): void {
    let digest = this.#texts.get(text);
    if (digest === undefined) {
      digest = digestText(text);
      this.#texts.set(text, digest);
    }
    for (let part = 0; part < digest.length; part++) this.#out.push(digest[part]!);
  }

  /** Writes the number of rows, then column after column. */
  #writeRows(name: keyof typeof KEY_TABLES, rows: readonly number[]): void {
    const out = this.#out;
    out.push(rows.length);
    if (rows.length === 0) return;
    const columns = KEY_TABLES[name].read(this.#state);
    for (const [column, rule] of PLANS[name]) {
      const values = columns[column]!;
      // The two commonest rules, without a call for each value.
      if (rule === "raw") for (let at = 0; at < rows.length; at++) out.push(values[rows[at]!]!);
      else if (rule === "time")
        for (let at = 0; at < rows.length; at++) out.push(Math.round(values[rows[at]!]! / SECOND));
      else for (let at = 0; at < rows.length; at++) out.push(this.#read(rule, values[rows[at]!]!));
    }
  }

  #read(rule: Exclude<Plan[number][1], "raw" | "time">, value: number): number {
    switch (rule) {
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
        return this.#ownerPlaces[value] ?? NONE;
      case "position":
        return this.#positionPlaces[value] ?? NONE;
      case "order":
        return this.#orderPlaces[value] ?? NONE;
      case "has":
        return value === NONE ? 0 : 1;
    }
  }

  /** An id that is no longer there gets a place by its first appearance: two of them may still be the same. */
  #placeOfId(id: number): number {
    if (id === 0) return 0;
    let place = this.#ids.get(id);
    if (place === undefined) {
      place = GONE_IDS + this.#ids.size;
      this.#ids.set(id, place);
    }
    return place;
  }
}

/** 144 bits of the SHA-256 of a text, as three numbers. */
function digestText(text: string): number[] {
  const bytes = hash("sha256", text, "buffer");
  return [0, 6, 12].map((at) => bytes.readUIntBE(at, 6));
}

function addOnce(list: number[], value: number): void {
  if (!list.includes(value)) list.push(value);
}
