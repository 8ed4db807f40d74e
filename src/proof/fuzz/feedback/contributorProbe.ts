/**
 * Counts the sums that a second contributor decided (`contributors.ts`), from the venue before and directly after each
 * transaction and step. It only reads: what it counts depends on the blocks alone, not on the genes that drew them.
 */
import { NONE } from "../../../ground/collections/table.ts";
import { PPM } from "../../../ground/math/fixed.ts";
import {
  CANCEL_CAUSE,
  EVENT_KINDS,
  type EventKind,
  LIQUIDATION_STAGE,
  type VenueEvent,
} from "../../../protocol/events.ts";
import { REJECTION_PLACES } from "../../../protocol/rejections.ts";
import type { Block, Transaction } from "../../../protocol/transaction.ts";
import { findGrant } from "../../../venue/engine/authorization/admission.ts";
import { EVENT_WIDTHS, readEvent } from "../../../venue/engine/events/readEvents.ts";
import type { BlockStep, Probe } from "../../../venue/engine/probe.ts";
import { findAccount } from "../../../venue/engine/state/accounts.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../../venue/engine/state/state.ts";
import { type ContributorName, placeOfContributor } from "./contributors.ts";
import type { CoverageMap } from "./coverageMap.ts";
import { InsuredSums } from "./insuredSums.ts";
import { checkSettlement, checkTakeover, LossSums } from "./lossSums.ts";
import { GrantDays, Outflows, Volumes } from "./periodSums.ts";
import { findRefusing } from "./refusedBySums.ts";

/** Events that are read; all others are skipped. */
const READ: ReadonlySet<EventKind> = new Set([
  ...(["authorizationUsed", "badDebtChanged", "balanceChanged", "deleveraged", "fundingAccrued"] as const),
  ...(["insuranceChanged", "liquidationStage", "liquidationStarted", "lossSocialized", "marketSettled"] as const),
  ...(["orderCancelled", "outflowOpened", "settlementHaircut", "withdrawalsPaused", "withdrawn"] as const),
] satisfies EventKind[]);
/** Events that are read while volume counts, and in a settlement. */
const BY_VOLUME: ReadonlySet<EventKind> = new Set(["fill", "volumeCounted"] satisfies EventKind[]);

const DAILY_LIMIT = 1 + REJECTION_PLACES.AUTHORIZATION_DAILY_LIMIT;
const OUTFLOW_LIMIT = 1 + REJECTION_PLACES.OUTFLOW_LIMIT;

export class ContributorProbe implements Probe {
  readonly #map: CoverageMap;
  #block: Block | undefined;
  #at = 0;
  #insured = new InsuredSums();
  #losses = new LossSums();
  #days = new GrantDays();
  #outflows = new Outflows();
  #volumes = new Volumes();
  /** Record of the last step in which the fund could pay. */
  #covered = 0;
  /** Funding that was due before step 3, by market. */
  #due: readonly number[] = [];

  constructor(map: CoverageMap) {
    this.#map = map;
  }

  /** Forgets the venue before. */
  start(): void {
    this.#insured = new InsuredSums();
    this.#losses = new LossSums();
    this.#days = new GrantDays();
    this.#outflows = new Outflows();
    this.#volumes = new Volumes();
  }

  beforeBlock(state: State, block: Block, from: number): void {
    this.#block = block;
    this.#at = from;
    this.#map.now = block.height;
    this.#insured.begin(state);
    this.#losses.begin();
  }

  afterTransaction(state: State, index: number): void {
    const transaction = this.#block!.transactions[index]!;
    this.#readEvents(state, transaction);
    const { codes, results } = state.receipts;
    const code = codes[index]!;
    if (code > 0) this.#refuse(state, transaction, code, index);
    else if (results.size > 0) {
      for (const { code: cut, numbers: sizes } of results.get(index) ?? []) {
        if (cut !== "REDUCE_ONLY_CUT" || sizes === undefined) continue;
        const rest = Number(sizes["lots"]) - Number(sizes["filled"]);
        if (Number(sizes["others"]) > 0 && rest <= Math.abs(Number(sizes["position"])))
          this.#count(["reduceOnlyOfOrders"]);
      }
    }
  }

  afterStep(state: State, step: BlockStep): void {
    this.#readEvents(state, undefined);
    if (step === "pricesMoved") this.#due = readDue(state);
    if (step === "expired") this.#losses.beforeRiskPass(state);
  }

  #count(names: readonly ContributorName[]): void {
    for (const name of names) this.#map.count(placeOfContributor(name));
  }

  #refuse(state: State, transaction: Transaction, code: number, index: number): void {
    const numbers = state.receipts.numbers.get(index);
    this.#count(findRefusing(state, transaction, code, numbers));
    if (numbers === undefined || (code !== DAILY_LIMIT && code !== OUTFLOW_LIMIT)) return;
    if (code === OUTFLOW_LIMIT) {
      this.#count(this.#outflows.refuse(state, findAccount(state, transaction.header.account), numbers));
    } else {
      this.#count(this.#days.refuse(findGrant(state, transaction), placeOf(transaction), numbers));
    }
  }

  #readEvents(state: State, transaction: Transaction | undefined): void {
    const { data, length } = state.events;
    let settlement: VenueEvent[] | undefined;
    for (let at = this.#at; at < length; at += EVENT_WIDTHS[data[at]!]!) {
      const kind = EVENT_KINDS[data[at]!]!;
      if (transaction?.action === "settleMarket") {
        settlement ??= [];
        settlement.push(readEvent(data, at));
      }
      if (READ.has(kind) || (state.tiered && BY_VOLUME.has(kind)))
        this.#count(this.#follow(state, readEvent(data, at), transaction));
    }
    this.#at = length;
    if (settlement !== undefined) this.#count(checkSettlement(state, settlement));
    this.#count(this.#losses.finish(state));
  }

  #follow(state: State, event: VenueEvent, transaction: Transaction | undefined): readonly ContributorName[] {
    switch (event.kind) {
      case "insuranceChanged":
        return this.#insured.add(state, event.delta, event.market, event.account);
      case "authorizationUsed":
        return this.#days.add(state, event.authorization, event.day, event.used, placeOf(transaction));
      case "outflowOpened":
        this.#outflows.open(event.window);
        return [];
      case "withdrawn":
        return this.#outflows.add(state, event.account, event.amount);
      case "volumeCounted":
        this.#volumes.add(state, event.account, event.day, event.volume);
        return [];
      case "fill":
        return [event.makerAccount, event.takerAccount].flatMap((account) =>
          this.#volumes.check(state, event.market, account),
        );
      case "orderCancelled":
        return event.cause === CANCEL_CAUSE.positionLimit ? checkOwner(state, event.account, event.market) : [];
      case "fundingAccrued":
        return this.#checkDue(state, event);
      case "deleveraged":
        return checkTakeover(state, event);
      case "liquidationStage":
        this.#losses.add(state, event);
        return this.#followStage(state, event);
      default:
        return this.#losses.add(state, event);
    }
  }

  /** The fund leaves something: a deficit, or lots that are deleveraged although the book still has offers for them. */
  #followStage(state: State, event: VenueEvent & { readonly kind: "liquidationStage" }): readonly ContributorName[] {
    const { stage, account, market, liquidation, bankruptcyPrice } = event;
    if (stage === LIQUIDATION_STAGE.insuranceCover) this.#covered = liquidation;
    if (stage === LIQUIDATION_STAGE.socialized) return this.#insured.findBinding(state, market, account, 1n);
    if (stage !== LIQUIDATION_STAGE.deleveraging || this.#covered !== liquidation) return [];
    const need = getCostOfLot(state, market, this.#losses.isLong(account, market), bankruptcyPrice);
    return need > 0 ? this.#insured.findBinding(state, market, account, BigInt(need)) : [];
  }

  /** A payment that is cut, though what the interval earned alone would not be. */
  #checkDue({ parameters }: State, event: VenueEvent & { readonly kind: "fundingAccrued" }): ContributorName[] {
    const before = this.#due[event.market] ?? 0;
    const own = event.rate + event.due - before;
    const fits = Math.abs(own) <= parameters[event.market]!.fundingPaymentMax;
    return event.due !== 0 && before !== 0 && fits ? ["fundingOfIntervals"] : [];
  }
}

/** Account and market that a transaction names: a contributor to the day of a grant. */
function placeOf(transaction: Transaction | undefined): string {
  if (transaction === undefined) return "";
  const { market = "" } = transaction.payload as { readonly market?: string };
  const { address, subaccount } = transaction.header.account;
  return `${address}/${subaccount} ${market}`;
}

/**
 * What the fund would pay for one more lot at the best offer, quote units; 0 if no offer is beyond the bankruptcy price
 * and within the fund's slippage.
 */
function getCostOfLot(state: State, market: number, isLong: boolean, bankruptcyPrice: number): number {
  const { tickSize, lotSize, insuranceSlippage } = state.parameters[market]!;
  const { bestBid, bestAsk } = state.books[market]!;
  const offer = (isLong ? bestBid : bestAsk) * tickSize;
  const mark: number = state.markets.mark[market as MarketRow]!;
  const off = isLong ? mark - offer : offer - mark;
  if (offer === 0 || off * PPM > mark * insuranceSlippage) return 0;
  return Math.max(0, Math.ceil(((isLong ? bankruptcyPrice - offer : offer - bankruptcyPrice) * lotSize) / 1e10));
}

/** A position limit that stops an owner's order, though its subaccount alone is within it. */
function checkOwner(state: State, account: number, market: number): ContributorName[] {
  const { accounts, owners, positions } = state;
  const limit = state.parameters[market]!.positionLimitLots;
  let total = 0;
  let own = 0;
  for (let at = owners.account[accounts.owner[account as AccountRow]!]!; at !== NONE; at = accounts.ownerNext[at]!) {
    const position = getPosition(state, at, market as MarketRow);
    const signedLots = position === NONE ? 0 : positions.signedLots[position]!;
    total += signedLots;
    if (at === account) own = signedLots;
  }
  return own * Math.sign(total) < limit && Math.abs(total) >= limit ? ["positionOfSubaccounts"] : [];
}

/** Funding that each market has due. */
function readDue({ marketNames, markets }: State): number[] {
  const due: number[] = [];
  for (let row = 0; row < marketNames.length; row++) due.push(markets.fundingDue[row as MarketRow]!);
  return due;
}
