/** Sums of days and hours by contributor, as events report them: use of grants, withdrawals, and volumes. */
import { NONE } from "../../../ground/collections/table.ts";
import type { RejectionNumbers } from "../../../protocol/rejections.ts";
import { OUTFLOW_WINDOW, OUTFLOW_WINDOWS } from "../../../protocol/words.ts";
import { dayOf, VOLUME_DAYS } from "../../../venue/engine/matching/volume.ts";
import type { AccountRow, AuthorizationRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { ContributorName } from "./contributors.ts";

const HOUR_MS = 3_600_000;

interface Use {
  day: number;
  used: number;
  /** By account and market of the transactions. */
  readonly by: Map<string, number>;
}

/** Use of grants by day (AUT). */
export class GrantDays {
  readonly #uses = new Map<number, Use>();

  /** An order entered. @param used sum of the day afterwards */
  add(state: State, grant: number, day: number, used: number, where: string): ContributorName[] {
    const before = this.#uses.get(grant);
    const use = before !== undefined && before.day === day ? before : { day, used: 0, by: new Map<string, number>() };
    const most = state.authorizations.maxDailyNotional[grant as AuthorizationRow]!;
    const isRenewed = before !== undefined && before.day < day && before.used + used > most;
    use.by.set(where, (use.by.get(where) ?? 0) + used - use.used);
    use.used = used;
    this.#uses.set(grant, use);
    return isRenewed ? ["grantDayOfDays"] : [];
  }

  /** An order was refused by the limit of the day. */
  refuse(grant: number, where: string, numbers: RejectionNumbers): ContributorName[] {
    const use = this.#uses.get(grant);
    const own = use?.by.get(where) ?? 0;
    const others = use === undefined || use.used !== numbers["used"] ? 0 : use.used - own;
    const fits = Number(numbers["used"]) - others + Number(numbers["notional"]) <= Number(numbers["most"]);
    return others > 0 && fits ? ["grantDayOfMarkets"] : [];
  }
}

interface Window {
  used: number;
  /** What was withdrawn in the window before. */
  before: number;
  readonly by: Map<number, number>;
}

/** Withdrawals by hour and day (MRG-5). */
export class Outflows {
  readonly #windows: readonly Window[] = OUTFLOW_WINDOWS.map(() => ({ used: 0, before: 0, by: new Map() }));
  #hour = -1;
  #ofHour = 0;

  open(place: number): void {
    const window = this.#windows[place]!;
    window.before = window.used;
    window.used = 0;
    window.by.clear();
  }

  add(state: State, account: number, amount: number): ContributorName[] {
    let isRenewed = false;
    state.outflow.windows.forEach((rules, place) => {
      if (rules.startMs < 0) return;
      const window = this.#windows[place]!;
      if (window.before > 0 && BigInt(window.before + window.used + amount) > rules.computeCap()) isRenewed = true;
      window.used += amount;
      window.by.set(account, (window.by.get(account) ?? 0) + amount);
    });
    this.#ofHour = this.#getOfHour(state) + amount;
    this.#hour = Math.floor(state.timeMs / HOUR_MS);
    return isRenewed ? ["outflowOfDays"] : [];
  }

  refuse(state: State, account: number, numbers: RejectionNumbers): ContributorName[] {
    const place = OUTFLOW_WINDOWS.indexOf(numbers["window"] as (typeof OUTFLOW_WINDOWS)[number]);
    if (place < 0) return [];
    const { used, by } = this.#windows[place]!;
    const lacking = Number(numbers["amount"]) - Number(numbers["left"]);
    const found: ContributorName[] = [];
    if (used - (by.get(account) ?? 0) >= lacking) found.push("outflowOfAccounts");
    if (place === OUTFLOW_WINDOW.day && used - this.#getOfHour(state) >= lacking) found.push("outflowOfHours");
    return found;
  }

  #getOfHour({ timeMs }: State): number {
    return this.#hour === Math.floor(timeMs / HOUR_MS) ? this.#ofHour : 0;
  }
}

/** Volumes of the subaccounts of an owner (ORD-7); the venue keeps those of owners. */
export class Volumes {
  readonly #owners = new Map<number, { day: number; volume: number }>();
  /** By account: pairs of a day and a volume. */
  readonly #accounts = new Map<number, [day: number, volume: number][]>();

  /** @param volume of the owner on the day, this fill included */
  add({ accounts }: State, account: number, day: number, volume: number): void {
    const owner = accounts.owner[account as AccountRow]!;
    const before = this.#owners.get(owner);
    const own = this.#accounts.get(account) ?? [];
    own.push([day, volume - (before?.day === day ? before.volume : 0)]);
    this.#accounts.set(account, own);
    this.#owners.set(owner, { day, volume });
  }

  /** Fee tier of a fill. */
  check(state: State, market: number, account: number): ContributorName[] {
    const { feeTiers } = state.parameters[market as MarketRow]!;
    if (feeTiers.length === 0 || account < 0) return [];
    const owner = state.accounts.owner[account as AccountRow]!;
    const past = state.owners.volumePast[owner]!;
    const tierOf = (volume: number) => feeTiers.findLastIndex(({ from }) => from <= volume);
    const tier = tierOf(past);
    if (tier < 0) return [];
    const today = dayOf(state.timeMs);
    const first = today - VOLUME_DAYS;
    const { volumes } = state;
    let [most, oldest] = [0, 0];
    for (let at = state.owners.volume[owner]!; at !== NONE; at = volumes.older[at]!) {
      const day = volumes.day[at]!;
      if (day >= today || day < first) continue;
      most = Math.max(most, volumes.volume[at]!);
      if (day === first) oldest = volumes.volume[at]!;
    }
    const found: ContributorName[] = [];
    if (tierOf(most) !== tier) found.push("volumeOfDays");
    if (tierOf(past - oldest) !== tier) found.push("volumeOfOldestDay");
    if (tierOf(past - this.#sumOthers(state, account, first, today)) !== tier) found.push("volumeOfSubaccounts");
    return found;
  }

  #sumOthers({ accounts }: State, account: number, first: number, today: number): number {
    const owner = accounts.owner[account as AccountRow]!;
    let sum = 0;
    for (const [other, days] of this.#accounts) {
      if (other === account || accounts.owner[other as AccountRow] !== owner) continue;
      for (const [day, volume] of days) if (day >= first && day < today) sum += volume;
    }
    return sum;
  }
}
