import type { Report } from "../../../client/strategy/blockFacts.ts";
import type { Cancellation, Funding, IntentChange, Liquidation, TriggerKind } from "../../../client/strategy/facts.ts";
import { fromAmount, fromE8, fromPpb, fromSteps } from "../../../client/strategy/units.ts";
import { CANCEL_CAUSES, type EventOf } from "../../../protocol/events.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { FillInput } from "../../report/input.ts";
import type { OwnIntent } from "./ownOrders.ts";

/** A transaction of the strategy, and the kind of the intent if one placed its order. */
interface Source {
  readonly id: string;
  readonly intent: TriggerKind | undefined;
}

/** The effects of a block on an account, as the hooks of its strategy get them. */
export class AccountReports {
  readonly #seesFunding: boolean;
  #reports = NO_REPORTS;

  /** @param seesFunding whether they have the payments of funding */
  constructor(seesFunding: boolean) {
    this.#seesFunding = seesFunding;
  }

  /** Reports of the block, in the order in which they were added; `NO_REPORTS` without any. */
  get all(): readonly Report[] {
    return this.#reports;
  }

  /** Begins a block. */
  clear(): void {
    this.#reports = NO_REPORTS;
  }

  /** @param remaining of its order, units of base */
  addFill(state: State, fill: FillInput, { id, intent }: Source, remaining: number): void {
    this.#add({
      kind: "fill",
      fill: {
        market: state.marketNames[fill.market]!,
        timeMs: fill.timeMs,
        id,
        side: fill.side,
        price: fromE8(fill.price),
        size: fromE8(fill.size),
        fee: fromAmount(fill.fee),
        role: fill.role,
        remaining,
        liquidation: fill.liquidationId !== null,
        intent,
      },
    });
  }

  /** @param accrued what the account owes more, quote units */
  addFunding(state: State, market: number, rate: number, accrued: number): void {
    if (!this.#seesFunding) return;
    const funding: Funding = {
      market: state.marketNames[market]!,
      timeMs: state.timeMs,
      rate: fromPpb(rate),
      amount: fromAmount(-accrued),
    };
    this.#add({ kind: "funding", funding });
  }

  /** @param own undefined for an order that no transaction of the strategy entered */
  addCancellation(
    state: State,
    { market, remaining, cause }: EventOf<"orderCancelled">,
    own: Source | undefined,
  ): void {
    const cancellation: Cancellation = {
      market: state.marketNames[market]!,
      timeMs: state.timeMs,
      id: own?.id ?? "",
      unfilled: fromSteps(remaining, state.parameters[market]!.lotSize),
      cause: CANCEL_CAUSES[cause]!,
      intent: own?.intent,
    };
    this.#add({ kind: "cancellation", cancellation });
  }

  addIntent(
    state: State,
    market: number,
    { id, kind }: OwnIntent,
    status: IntentChange["status"],
    cause: string | undefined,
  ): void {
    const intent: IntentChange = {
      market: state.marketNames[market]!,
      timeMs: state.timeMs,
      id,
      kind,
      status,
      cause,
    };
    this.#add({ kind: "intent", intent });
  }

  addLiquidation(state: State, market: MarketRow, stage: Liquidation["stage"]): void {
    const liquidation: Liquidation = {
      market: state.marketNames[market]!,
      timeMs: state.timeMs,
      stage,
      mark: fromE8(state.markets.mark[market]!),
    };
    this.#add({ kind: "liquidation", liquidation });
  }

  #add(report: Report): void {
    if (this.#reports === NO_REPORTS) this.#reports = [report];
    else this.#reports.push(report);
  }
}

/** Of a block without effects on the account. */
export const NO_REPORTS: Report[] = [];
