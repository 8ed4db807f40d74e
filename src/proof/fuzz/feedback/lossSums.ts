/**
 * Second contributors of a liquidation, of a shared loss and of a settlement: who held what, and who paid (LIQ, MKT).
 */
import { NONE } from "../../../ground/collections/table.ts";
import type { Lots } from "../../../ground/math/fixed.ts";
import { BALANCE_CAUSE, CLOSE_KIND, LIQUIDATION_STAGE, type VenueEvent } from "../../../protocol/events.ts";
import { MARGIN_MODE, ROLE } from "../../../protocol/words.ts";
import { DEPTH, getWorseInitial, measure } from "../../../venue/engine/margin/health.ts";
import type { AccountRow, MarketRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../../venue/engine/state/state.ts";
import { computeMaintenance, getNotionalAtMark } from "../../../venue/engine/valuation/notional.ts";
import type { ContributorName } from "./contributors.ts";

/** Causes with which a settlement covers a margin account. */
const COVERS: readonly number[] = [BALANCE_CAUSE.insurance, BALANCE_CAUSE.socialized, BALANCE_CAUSE.badDebt];

/** An open position when the risk pass began. */
interface Held {
  readonly market: number;
  readonly signedLots: number;
  readonly isCross: boolean;
}

/** Follows the events of one block. */
export class LossSums {
  /** Open positions by account, directly before the risk pass. */
  #held = new Map<number, Held[]>();
  /** Deficits of the block that the fund did not pay, by account. */
  readonly #uncovered = new Map<number, number>();
  /** Margin account whose deficit is handled, market of its largest position, and who paid. */
  #debtor = NONE as number;
  #market = NONE as number;
  #payers = 0;
  #isPaused = false;

  begin(): void {
    if (this.#held.size > 0) this.#held = new Map();
    this.#uncovered.clear();
    this.#isPaused = false;
  }

  /** Takes the positions down directly before the risk pass. */
  beforeRiskPass({ positions }: State): void {
    this.#held = new Map();
    for (let at = 0 as PositionRow; at < positions.rows.high; at++) {
      const signedLots = positions.signedLots[at]!;
      if (signedLots === 0 || !positions.rows.isLive(at)) continue;
      const list = this.#held.get(positions.account[at]!) ?? [];
      list.push({ market: positions.market[at]!, signedLots, isCross: positions.mode[at] === MARGIN_MODE.cross });
      this.#held.set(positions.account[at]!, list);
    }
  }

  /** Side of a position when the risk pass began. */
  isLong(account: number, market: number): boolean {
    return this.#held.get(account)?.some((one) => one.market === market && one.signedLots > 0) === true;
  }

  add(state: State, event: VenueEvent): ContributorName[] {
    switch (event.kind) {
      case "liquidationStarted":
        return event.marginAccount === NONE ? this.#checkStart(state, event.account, event.equity) : [];
      case "liquidationStage":
        if (event.stage !== LIQUIDATION_STAGE.socialized) return [];
        this.#debtor = event.account;
        this.#market = event.market;
        this.#payers = 0;
        return [];
      case "lossSocialized":
        this.#owe(event.amount);
        return [
          ...(++this.#payers === 2 ? (["lossOfHolders"] as const) : []),
          ...(this.#heldElsewhere(event.account) ? (["lossOfMarkets"] as const) : []),
        ];
      case "badDebtChanged":
        if (event.delta > 0 && event.account === this.#debtor) this.#owe(event.delta);
        return [];
      case "withdrawalsPaused":
        this.#isPaused = true;
        return [];
      default:
        return [];
    }
  }

  /** After a transaction or a step: a pause by the sum of several deficits. */
  finish({ outflow }: State): ContributorName[] {
    if (!this.#isPaused) return [];
    this.#isPaused = false;
    let most = 0;
    for (const amount of this.#uncovered.values()) most = Math.max(most, amount);
    return this.#uncovered.size > 1 && BigInt(most) <= outflow.deficitThreshold ? ["deficitsOfAccounts"] : [];
  }

  #owe(amount: number): void {
    this.#uncovered.set(this.#debtor, (this.#uncovered.get(this.#debtor) ?? 0) + amount);
  }

  /** The greatest maintenance margin of one position would not have liquidated the account. */
  #checkStart({ parameters, markets }: State, account: number, equity: number): ContributorName[] {
    let [count, most] = [0, 0];
    for (const { market, signedLots, isCross } of this.#held.get(account) ?? []) {
      if (!isCross) continue;
      const rules = parameters[market]!;
      const notional = getNotionalAtMark(markets, rules, market as MarketRow, Math.abs(signedLots));
      most = Math.max(most, computeMaintenance(rules, notional));
      count++;
    }
    return count > 1 && equity >= most ? ["maintenanceOfMarkets"] : [];
  }

  /** A payer that held the opposite side of the debtor, but not in the market of its largest position. */
  #heldElsewhere(account: number): boolean {
    const debtor = this.#held.get(this.#debtor) ?? [];
    const opposite = (this.#held.get(account) ?? []).filter(({ market, signedLots }) =>
      debtor.some((one) => one.market === market && one.signedLots > 0 !== signedLots > 0),
    );
    return opposite.length > 0 && opposite.every(({ market }) => market !== this.#market);
  }
}

/** A backstop took a part of a position: its other markets kept it from one more lot. */
export function checkTakeover(state: State, event: VenueEvent): ContributorName[] {
  if (event.kind !== "deleveraged" || event.way !== CLOSE_KIND.takeover) return [];
  const { positions } = state;
  const backstop = state.backstops.find(({ account }) => account === event.counterparty);
  const market = event.market as MarketRow;
  const position = getPosition(state, event.counterparty as AccountRow, market);
  if (backstop === undefined || position === NONE) return [];
  const row = position as PositionRow;
  const signedLots = positions.signedLots[row]!;
  if (signedLots === 0) return [];
  const { overflow, equity, initial, marketInitial } = measure(state, backstop.account, DEPTH.orders, market);
  const next = (signedLots + Math.sign(signedLots)) as Lots;
  const lacking = initial - marketInitial + getWorseInitial(state, row, next, positions.leverage[row]!);
  const available = equity - backstop.reserve;
  const others = initial - marketInitial;
  return !overflow && available < lacking && available >= lacking - others ? ["backstopOfMarkets"] : [];
}

/** After a settlement: accounts that paid a haircut, accounts that were covered, and one that was not flat. */
export function checkSettlement(state: State, events: readonly VenueEvent[]): ContributorName[] {
  if (!events.some(({ kind }) => kind === "marketSettled")) return [];
  const [payers, covered] = [new Set<string>(), new Set<string>()];
  const holders = new Set<number>();
  for (const event of events) {
    if (event.kind === "settlementHaircut") payers.add(`${event.account} ${event.marginAccount}`);
    if (event.kind === "balanceChanged" && event.delta > 0 && COVERS.includes(event.cause))
      covered.add(`${event.account} ${event.marginAccount}`);
    if (event.kind === "positionChanged") holders.add(event.account);
  }
  const isOpen = (account: number) => {
    const { accounts, positions } = state;
    const row = account as AccountRow;
    if (accounts.collateral[row]! >= 0 || accounts.role[row] === ROLE.house) return false;
    for (let at = accounts.position[row]!; at !== NONE; at = positions.next[at]!) {
      if (positions.signedLots[at] !== 0 && positions.mode[at] === MARGIN_MODE.cross) return true;
    }
    return false;
  };
  return [
    ...(payers.size > 1 ? (["haircutOfGainers"] as const) : []),
    ...(covered.size > 1 ? (["haircutOfDeficits"] as const) : []),
    ...([...holders].some(isOpen) ? (["settledOfMarkets"] as const) : []),
  ];
}
