import { parseDecimal } from "../../../ground/math/decimal.ts";
import type { ActionName, JsonPayloads } from "../../../protocol/actions/index.ts";
import { DECIMALS } from "../../../protocol/fields.ts";
import { TRIGGER_KINDS } from "../../../protocol/words.ts";
import type { BlockTransaction, Event } from "../../api/schemas/transactions.ts";
import { type BlockFacts, marketOf, type OwnRejection, type Report } from "../../strategy/blockFacts.ts";
import type { Cancellation, IntentChange, TransactionId, TriggerKind } from "../../strategy/facts.ts";
import type { VenueView } from "./venueView.ts";

/** A transaction of the strategy that was sent. */
export interface OwnTransaction {
  readonly id: TransactionId;
  readonly action: ActionName;
  readonly payload: JsonPayloads[ActionName];
}

/** A block as the venue reports it. */
export interface ReportedBlock {
  readonly timeMs: number;
  readonly events: readonly Event[];
  readonly transactions: readonly BlockTransaction[];
}

interface OwnOrder {
  readonly id: TransactionId;
  /** Of the intent that placed it; undefined for an order of a transaction. */
  readonly intent: TriggerKind | undefined;
  /** 1e-8 of a unit of base. */
  remaining: number;
}

interface OwnIntent {
  readonly id: TransactionId;
  readonly kind: TriggerKind;
}

/** An order that no transaction of the strategy entered. */
const UNKNOWN: OwnOrder = { id: "", intent: undefined, remaining: 0 };

type Fields = Event["fields"];
const textOf = (fields: Fields, name: string) => String(fields[name]);
const sizeOf = (fields: Fields, name: string) => parseDecimal(textOf(fields, name), DECIMALS.size);
const amountOf = (text: string) => parseDecimal(text, DECIMALS.amount);

/**
 * Follows one account through the events of blocks, as the wire reports them. Funding is reported when it accrues, not
 * when the venue settles it with the position's next change.
 */
export class AccountFollower {
  readonly #account: string;
  readonly #own: ReadonlyMap<string, OwnTransaction>;
  readonly #orders = new Map<string, OwnOrder>();
  readonly #intents = new Map<string, OwnIntent>();
  /** By market, 1e-6 USD: funding owed and not settled. */
  readonly #owed = new Map<string, number>();
  /** By market: signed size, as of the last reported position. */
  readonly #sizes = new Map<string, number>();
  readonly #liquidations = new Map<string, string>();

  /** @param own transactions of the strategy by id */
  constructor(
    { address, subaccount }: { address: string; subaccount: number },
    own: ReadonlyMap<string, OwnTransaction>,
  ) {
    this.#account = subaccount === 0 ? address : `${address}/${subaccount}`;
    this.#own = own;
  }

  /** Starts from the account's present funding and positions, so that only later changes are reported. */
  begin(view: VenueView): void {
    for (const [market, { unsettledFunding, size }] of view.positions) {
      this.#owed.set(market, amountOf(unsettledFunding));
      this.#sizes.set(market, Number(size));
    }
    for (const { intentId, clientIntentId, kind } of view.intents) this.#arm(intentId, clientIntentId, kind);
  }

  /** The transaction of an order; undefined for an order that is not known. */
  nameOf(orderId: string): TransactionId | undefined {
    return this.#orders.get(orderId)?.id;
  }

  /** @param view after the last of the blocks */
  read(blocks: readonly ReportedBlock[], view: VenueView): BlockFacts {
    const reports: Report[] = [];
    const rejections: OwnRejection[] = [];
    const settled = new Map<string, number>();
    for (const block of blocks) {
      for (const { txId, status, code } of block.transactions) {
        const own = this.#own.get(txId);
        if (own !== undefined && status === "rejected") {
          rejections.push({ id: own.id, timeMs: block.timeMs, code: code ?? "", market: marketOf(own.payload) });
        }
      }
      for (const event of block.events) this.#readEvent(event, block.timeMs, view, reports, settled);
    }
    return { reports: [...this.#readFunding(view, settled), ...reports], rejections };
  }

  #readFunding(view: VenueView, settled: ReadonlyMap<string, number>): Report[] {
    const { timeMs } = view.asOf;
    const reports: Report[] = [];
    for (const [market, { prices }] of view.markets) {
      const position = view.positions.get(market);
      const owed = position === undefined ? 0 : amountOf(position.unsettledFunding);
      const accrued = owed - (this.#owed.get(market) ?? 0) + (settled.get(market) ?? 0);
      this.#owed.set(market, owed);
      if (accrued === 0) continue;
      const funding = { market, timeMs, rate: Number(prices.fundingRate), amount: -accrued / 1e6 };
      reports.push({ kind: "funding", funding });
    }
    return reports;
  }

  #readEvent(
    { kind, txId, fields }: Event,
    timeMs: number,
    view: VenueView,
    reports: Report[],
    settled: Map<string, number>,
  ): void {
    const isMine = fields["account"] === this.#account;
    const market = textOf(fields, "market");
    switch (kind) {
      case "fill":
        this.#readFill(txId, fields, timeMs, reports);
        break;
      case "deleveraged":
        if (isMine || fields["counterparty"] === this.#account) this.#readDeleveraged(fields, timeMs, reports);
        break;
      case "positionChanged":
        if (isMine) this.#sizes.set(market, Number(fields["size"]));
        break;
      case "fundingSettled":
        if (isMine) settled.set(market, (settled.get(market) ?? 0) + amountOf(textOf(fields, "payment")));
        break;
      case "intentPlaced":
        if (isMine) this.#arm(textOf(fields, "intent"), fields["client"], textOf(fields, "way"));
        break;
      case "intentTriggered":
        if (isMine) this.#trigger(fields, timeMs, reports);
        break;
      case "intentExecuted":
        if (isMine) this.#endIntent(fields, timeMs, "executed", undefined, reports);
        break;
      case "intentFailed":
        if (isMine) this.#endIntent(fields, timeMs, "failed", textOf(fields, "code"), reports);
        break;
      case "intentCancelled":
        if (isMine) this.#endIntent(fields, timeMs, "cancelled", textOf(fields, "cause"), reports);
        break;
      case "intentExpired":
        if (isMine) this.#endIntent(fields, timeMs, "expired", undefined, reports);
        break;
      case "orderOpened":
        if (isMine) this.#learn(txId, textOf(fields, "order")).remaining = sizeOf(fields, "remaining");
        break;
      case "orderAmended":
        if (isMine) this.#learn(txId, textOf(fields, "order")).remaining = sizeOf(fields, "remaining");
        break;
      case "orderCancelled":
        if (isMine) this.#readCancelled(txId, fields, timeMs, reports);
        break;
      case "liquidationStarted":
      case "liquidationContinued":
        // The client may have started after the record's first step.
        if (isMine && !this.#liquidations.has(textOf(fields, "liquidation"))) {
          this.#liquidations.set(textOf(fields, "liquidation"), "");
        }
        break;
      case "liquidationStage":
        this.#readStage(fields, timeMs, view, reports);
        break;
    }
  }

  /** The order with this id; a new one is created from the event's transaction. */
  #learn(txId: string | null, orderId: string): OwnOrder {
    const known = this.#orders.get(orderId);
    if (known !== undefined) return known;
    const own = txId === null ? undefined : this.#own.get(txId);
    const entersOrder =
      own?.action === "placeOrder" || own?.action === "closePosition" || own?.action === "placeIntent";
    if (own === undefined || !entersOrder) return { ...UNKNOWN };
    const { size } = own.payload as JsonPayloads["placeOrder"];
    const remaining = own.action === "closePosition" ? 0 : parseDecimal(size, DECIMALS.size);
    const order: OwnOrder = { id: own.id, intent: undefined, remaining };
    this.#orders.set(orderId, order);
    return order;
  }

  #arm(intent: string, client: unknown, kind: string): void {
    const known = TRIGGER_KINDS.find((one) => one === kind);
    const id = typeof client === "string" ? client : "";
    if (known !== undefined) this.#intents.set(intent, { id, kind: known });
  }

  /** An intent fired: its order, which has its id, comes next. */
  #trigger(fields: Fields, timeMs: number, reports: Report[]): void {
    const intent = textOf(fields, "intent");
    const own = this.#intents.get(intent);
    if (own === undefined) return;
    this.#orders.set(intent, { id: own.id, intent: own.kind, remaining: sizeOf(fields, "size") });
    this.#reportIntent(fields, timeMs, own, "triggered", undefined, reports);
  }

  #endIntent(
    fields: Fields,
    timeMs: number,
    status: IntentChange["status"],
    cause: string | undefined,
    reports: Report[],
  ): void {
    const intent = textOf(fields, "intent");
    const own = this.#intents.get(intent);
    this.#intents.delete(intent);
    if (own !== undefined) this.#reportIntent(fields, timeMs, own, status, cause, reports);
  }

  #reportIntent(
    fields: Fields,
    timeMs: number,
    { id, kind }: OwnIntent,
    status: IntentChange["status"],
    cause: string | undefined,
    reports: Report[],
  ): void {
    const intent: IntentChange = { market: textOf(fields, "market"), timeMs, id, kind, status, cause };
    reports.push({ kind: "intent", intent });
  }

  #readCancelled(txId: string | null, fields: Fields, timeMs: number, reports: Report[]): void {
    const order = textOf(fields, "order");
    const { id, intent } = this.#learn(txId, order);
    this.#orders.delete(order);
    const cancellation: Cancellation = {
      market: textOf(fields, "market"),
      timeMs,
      id,
      unfilled: Number(fields["remaining"]),
      cause: textOf(fields, "cause"),
      intent,
    };
    reports.push({ kind: "cancellation", cancellation });
  }

  #readFill(txId: string | null, fields: Fields, timeMs: number, reports: Report[]): void {
    const isMaker = fields["makerAccount"] === this.#account;
    if (!isMaker && fields["takerAccount"] !== this.#account) return;
    const orderId = fields[isMaker ? "makerOrder" : "takerOrder"];
    const order = orderId === null ? { ...UNKNOWN } : this.#learn(isMaker ? null : txId, String(orderId));
    const left = isMaker ? sizeOf(fields, "makerRemaining") : order.remaining - sizeOf(fields, "size");
    order.remaining = order.id === "" ? 0 : Math.max(0, left);
    if (isMaker && left === 0) this.#orders.delete(String(orderId));
    reports.push({
      kind: "fill",
      fill: {
        market: textOf(fields, "market"),
        timeMs,
        id: order.id,
        side: (fields["takerSide"] === "buy") !== isMaker ? "buy" : "sell",
        price: Number(fields["price"]),
        size: Number(fields["size"]),
        fee: Number(fields[isMaker ? "makerFee" : "takerFee"]),
        role: isMaker ? "maker" : "taker",
        remaining: order.remaining / 1e8,
        liquidation: !isMaker && fields["liquidation"] !== null,
        intent: order.intent,
      },
    });
  }

  /** A close outside the book, with the account as the liquidated side or the counterparty. */
  #readDeleveraged(fields: Fields, timeMs: number, reports: Report[]): void {
    const market = textOf(fields, "market");
    const value = Math.abs(amountOf(textOf(fields, "value")));
    const price = Number((BigInt(value) * 10_000_000_000n) / BigInt(sizeOf(fields, "size")));
    reports.push({
      kind: "fill",
      fill: {
        market,
        timeMs,
        id: "",
        side: (this.#sizes.get(market) ?? 0) > 0 ? "sell" : "buy",
        price: price / 1e8,
        size: Number(fields["size"]),
        fee: 0,
        role: "taker",
        remaining: 0,
        liquidation: true,
        intent: undefined,
      },
    });
  }

  #readStage(fields: Fields, timeMs: number, view: VenueView, reports: Report[]): void {
    const id = textOf(fields, "liquidation");
    let market = this.#liquidations.get(id);
    if (market === undefined) return;
    if (market === "" && fields["market"] !== null) {
      market = textOf(fields, "market");
      this.#liquidations.set(id, market);
    }
    const stage = textOf(fields, "stage");
    if (stage === "recovered" || stage === "completed") this.#liquidations.delete(id);
    const [first] = view.markets.keys();
    const shown = market === "" ? (first ?? "") : market;
    const mark = Number(view.markets.get(shown)?.prices.mark.value ?? 0);
    reports.push({ kind: "liquidation", liquidation: { market: shown, timeMs, stage, mark } });
  }
}
