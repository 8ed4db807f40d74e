import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

export const realizedByRule = defineInvariant({
  id: "realizedByRule",
  sentence:
    "An increase realises nothing. A reduction releases cost pro rata, a close all of it. A reversal closes the whole old size and opens the rest at the fill's price.",
  rules: ["POS-2", "NUM-2"],
  catalogue: ["P04"],
  when: "events",
  kinds: ["positionChanged"],
  event(moment, at) {
    const { data, ledger } = moment;
    const { account, market, size, cost, realized } = AT.positionChanged;
    const row = ledger.positionRows.find(data[at + account]!, data[at + market]!);
    const before = row < 0 ? 0 : ledger.now.positions.signedLots[row];
    const paid = row < 0 ? 0 : ledger.now.positions.cost[row];
    const after = data[at + size]!;
    const lots = after - before;
    const reported = data[at + realized]!;
    const name = `account ${data[at + account]} in market ${data[at + market]}`;
    if (before === 0 || before > 0 === lots > 0)
      return reported === 0 ? undefined : `${name}: an increase realised ${reported}`;
    moment.met++;
    const value = data[at + cost]! - paid - reported;
    const right = -realize(BigInt(before), BigInt(paid), BigInt(lots), BigInt(value));
    return right === BigInt(reported)
      ? undefined
      : `${name}: ${lots} of ${before} lots at cost ${paid} for ${value} realise ${right}, not ${reported}`;
  },
});

/** The loss: value and released cost of the closed part. Both quotients round toward zero. */
function realize(signedLots: bigint, cost: bigint, lots: bigint, value: bigint): bigint {
  const next = signedLots + lots;
  if (next === 0n) return value + cost;
  const held = signedLots < 0n ? -signedLots : signedLots;
  const traded = lots < 0n ? -lots : lots;
  if (next > 0n === signedLots > 0n) return value + (cost * traded) / held;
  return (value * held) / traded + cost;
}
