import { bookUncrossed } from "./bookUncrossed.ts";
import { bounds } from "./bounds.ts";
import { conservation } from "./conservation.ts";
import { continuity } from "./continuity.ts";
import { deficitToTheUnit } from "./deficitToTheUnit.ts";
import type { Invariant, When } from "./defineInvariant.ts";
import { equityFromScratch } from "./equityFromScratch.ts";
import { eventFold } from "./eventFold.ts";
import { eventsTellAll } from "./eventsTellAll.ts";
import { fillArithmetic } from "./fillArithmetic.ts";
import { fullPass } from "./fullPass.ts";
import { fundingArithmetic } from "./fundingArithmetic.ts";
import { fundingPool } from "./fundingPool.ts";
import { fundingRates } from "./fundingRates.ts";
import { grantsWithin } from "./grantsWithin.ts";
import { indexes } from "./indexes.ts";
import { insuranceWithinCaps } from "./insuranceWithinCaps.ts";
import { intentTriggers } from "./intentTriggers.ts";
import { makerAfterFill } from "./makerAfterFill.ts";
import { marginAfterAction } from "./marginAfterAction.ts";
import { noFlatDebt } from "./noFlatDebt.ts";
import { nonceOnce } from "./nonceOnce.ts";
import { openInterest } from "./openInterest.ts";
import { orderArithmetic } from "./orderArithmetic.ts";
import { bestPriceFirst } from "./orders/bestPriceFirst.ts";
import { expiredAreGone } from "./orders/expiredAreGone.ts";
import { expiredNeverTrades } from "./orders/expiredNeverTrades.ts";
import { fillAtMakersPrice } from "./orders/fillAtMakersPrice.ts";
import { fillIsPositive } from "./orders/fillIsPositive.ts";
import { fillOrKillWhole } from "./orders/fillOrKillWhole.ts";
import { fillsWithinBand } from "./orders/fillsWithinBand.ts";
import { immediateNeverRests } from "./orders/immediateNeverRests.ts";
import { noSelfTrade } from "./orders/noSelfTrade.ts";
import { oldestFirst } from "./orders/oldestFirst.ts";
import { openOrdersWithin } from "./orders/openOrdersWithin.ts";
import { orderIdsAreNew } from "./orders/orderIdsAreNew.ts";
import { postOnlyNeverTakes } from "./orders/postOnlyNeverTakes.ts";
import { reduceOnlyReduces } from "./orders/reduceOnlyReduces.ts";
import { restsOnGrid } from "./orders/restsOnGrid.ts";
import { takerWithinLimit } from "./orders/takerWithinLimit.ts";
import { outflowWithinCaps } from "./outflowWithinCaps.ts";
import { netZero } from "./positions/netZero.ts";
import { recordStages } from "./recordStages.ts";
import { reduceOnlyWithin } from "./reduceOnlyWithin.ts";
import { rejectedChangesNothing } from "./rejectedChangesNothing.ts";
import { reserves } from "./reserves.ts";
import { roundTrip } from "./roundTrip.ts";
import { settledIsOver } from "./settledIsOver.ts";
import { solventPays } from "./solventPays.ts";
import { storable } from "./storable.ts";
import { takeoverByRule } from "./takeoverByRule.ts";
import { triggerCorner } from "./triggerCorner.ts";
import { turnKeepsRatio } from "./turnKeepsRatio.ts";

/**
 * Everything that holds after every transaction and block, in the order in which it is looked at: first what the others
 * need to be able to look.
 */
export const invariants: readonly Invariant[] = [
  eventsTellAll,
  rejectedChangesNothing,
  marginAfterAction,
  makerAfterFill,
  storable,
  indexes,
  bookUncrossed,
  reserves,
  reduceOnlyWithin,
  intentTriggers,
  openInterest,
  conservation,
  fundingPool,
  fundingArithmetic,
  fundingRates,
  bounds,
  nonceOnce,
  grantsWithin,
  noFlatDebt,
  orderArithmetic,
  fillArithmetic,
  solventPays,
  insuranceWithinCaps,
  settledIsOver,
  outflowWithinCaps,
  recordStages,
  takeoverByRule,
  turnKeepsRatio,
  deficitToTheUnit,
  equityFromScratch,
  eventFold,
  roundTrip,
  triggerCorner,
  fullPass,
  continuity,
  bestPriceFirst,
  expiredAreGone,
  expiredNeverTrades,
  fillAtMakersPrice,
  fillIsPositive,
  fillOrKillWhole,
  fillsWithinBand,
  immediateNeverRests,
  noSelfTrade,
  oldestFirst,
  openOrdersWithin,
  orderIdsAreNew,
  postOnlyNeverTakes,
  reduceOnlyReduces,
  restsOnGrid,
  takerWithinLimit,
  netZero,
];

/** All of them, or those of one class. */
export function listInvariants(when?: When): readonly Invariant[] {
  return when === undefined ? invariants : invariants.filter((invariant) => invariant.when === when);
}
