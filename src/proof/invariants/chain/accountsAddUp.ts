import { NONE } from "../../../ground/collections/table.ts";
import { LIMIT } from "../../../ground/math/fixed.ts";
import { EVENT_CODES } from "../../../protocol/events.ts";
import type { AccountRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

/** By account: all that its margin accounts received, less all that they paid. */
interface Balances {
  sums: Float64Array;
}

export const accountsAddUp = defineInvariant<Balances>({
  id: "accountsAddUp",
  sentence:
    "An account holds its deposits, transfers, trading results and funding, less fees and withdrawals. No account withdraws more than that.",
  rules: ["POS-4"],
  catalogue: ["G09", "G05"],
  when: "transaction",
  kinds: ["balanceChanged", "positionChanged", "fundingSettled", "fill"],
  start: readBalances,
  event(moment, at, balances) {
    const { data } = moment;
    switch (data[at]) {
      case EVENT_CODES.balanceChanged:
        add(balances, data[at + AT.balanceChanged.account]!, data[at + AT.balanceChanged.delta]!);
        return undefined;
      case EVENT_CODES.positionChanged:
        add(balances, data[at + AT.positionChanged.account]!, data[at + AT.positionChanged.realized]!);
        return undefined;
      case EVENT_CODES.fundingSettled:
        add(balances, data[at + AT.fundingSettled.account]!, -data[at + AT.fundingSettled.payment]!);
        return undefined;
      default:
        add(balances, data[at + AT.fill.makerAccount]!, -data[at + AT.fill.makerFee]!);
        add(balances, data[at + AT.fill.takerAccount]!, -data[at + AT.fill.takerFee]!);
        return undefined;
    }
  },
  touched(moment, { sums }) {
    const { ledger, state } = moment;
    for (let at = 0; at < ledger.accounts.count; at++) {
      const account = ledger.accounts.list[at]! as AccountRow;
      moment.met++;
      const held = heldBy(state, account);
      // Sums of several margin accounts beyond the storable range are not exact.
      if (Math.abs(held) > LIMIT) continue;
      if (held !== (sums[account] ?? 0))
        return `account ${account} holds ${held}, and its events add up to ${sums[account] ?? 0}`;
    }
    return undefined;
  },
});

function add(balances: Balances, account: number, amount: number): void {
  if (account >= balances.sums.length) {
    const sums = new Float64Array(Math.max(64, account * 2));
    sums.set(balances.sums);
    balances.sums = sums;
  }
  balances.sums[account]! += amount;
}

/** Collateral of all margin accounts of an account. */
function heldBy({ accounts, positions }: State, account: AccountRow): number {
  let held: number = accounts.collateral[account];
  for (let at: PositionRow = accounts.position[account]; at !== NONE; at = positions.next[at])
    held += positions.isolated[at];
  return held;
}

function readBalances(state: State, spare?: Balances): Balances {
  const { high } = state.accounts.rows;
  const fits = spare !== undefined && spare.sums.length >= high;
  const balances = fits ? spare : { sums: new Float64Array(Math.max(64, high)) };
  balances.sums.fill(0, high);
  for (let row = 0 as AccountRow; row < high; row++) balances.sums[row] = heldBy(state, row);
  return balances;
}
