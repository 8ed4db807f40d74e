import { EVENT_CODES, LIQUIDATION_STAGE } from "../../../protocol/events.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import { openOf } from "../../../venue/engine/state/walk.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import type { Moment } from "../machinery/moment.ts";
import { near } from "../machinery/tally.ts";

/** A margin account; `market` is that of an isolated position, -1 for cross. */
interface Name {
  account: number;
  market: number;
}

export const lossBorneByOpposite = defineInvariant({
  id: "lossBorneByOpposite",
  sentence:
    "Only margin accounts that held the opposite side of the liquidated margin account when the pass began pay a share of its loss.",
  rules: ["LIQ-6"],
  catalogue: ["L11"],
  when: "events",
  kinds: ["liquidationStage", "lossSocialized"],
  slack: "lots",
  start: (): Name => ({ account: -1, market: -1 }),
  event(moment, at, debtor) {
    const { data } = moment;
    const { stage, account, marginAccount } = AT.liquidationStage;
    if (data[at] === EVENT_CODES.liquidationStage) {
      if (data[at + stage] !== LIQUIDATION_STAGE.socialized) return undefined;
      debtor.account = data[at + account]!;
      debtor.market = data[at + marginAccount]!;
      return undefined;
    }
    moment.met++;
    const payer = data[at + AT.lossSocialized.account]!;
    const market = data[at + AT.lossSocialized.marginAccount]!;
    const lots = payer === debtor.account ? 0 : countOpposite(moment, debtor, { account: payer, market });
    near(moment, lots - 1);
    return lots > 0
      ? undefined
      : `account ${payer} (${market < 0 ? "cross" : `isolated in market ${market}`}) pays for account ${debtor.account} and held nothing opposite to it`;
  },
});

/** Lots with which a margin account held the opposite side of a debtor's positions when the pass began. */
function countOpposite({ ledger }: Moment, debtor: Name, payer: Name): number {
  const { positions } = ledger.was;
  const held = ({ account, market }: Name) =>
    openOf(ledger.was, account as AccountRow, market < 0 ? undefined : ledger.positionRows.find(account, market));

  const sides = new Map(held(debtor).map((at) => [positions.market[at], positions.signedLots[at]! > 0]));
  let most = 0;
  for (const at of held(payer)) {
    const long = sides.get(positions.market[at]!);
    const lots = positions.signedLots[at]!;
    if (long !== undefined && lots > 0 !== long) most = Math.max(most, Math.abs(lots));
  }
  return most;
}
