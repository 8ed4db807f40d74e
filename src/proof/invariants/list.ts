import { agentWithinGrant } from "./admission/agentWithinGrant.ts";
import { appliedIsSane } from "./admission/appliedIsSane.ts";
import { committedBelongs } from "./admission/committedBelongs.ts";
import { committedIsValid } from "./admission/committedIsValid.ts";
import { faucetIsOn } from "./admission/faucetIsOn.ts";
import { grantOrdersWithin } from "./admission/grantOrdersWithin.ts";
import { grantStatesGoForward } from "./admission/grantStatesGoForward.ts";
import { grantsWithin } from "./admission/grantsWithin.ts";
import { grantUseIsOrders } from "./admission/grantUseIsOrders.ts";
import { movesExactly } from "./admission/movesExactly.ts";
import { nonceIsEmitted } from "./admission/nonceIsEmitted.ts";
import { nonceOnce } from "./admission/nonceOnce.ts";
import { refusalHolds } from "./admission/refusalHolds.ts";
import { rejectedChangesNothing } from "./admission/rejectedChangesNothing.ts";
import { replayRefused } from "./admission/replayRefused.ts";
import { signatureBindsFields } from "./admission/signatureBindsFields.ts";
import { systemBySystem } from "./admission/systemBySystem.ts";
import { accountsAddUp } from "./chain/accountsAddUp.ts";
import { blocksFollow } from "./chain/blocksFollow.ts";
import { continuity } from "./chain/continuity.ts";
import { eventFold } from "./chain/eventFold.ts";
import { eventsAreComplete } from "./chain/eventsAreComplete.ts";
import { eventsReportChanges } from "./chain/eventsReportChanges.ts";
import { eventsWellFormed } from "./chain/eventsWellFormed.ts";
import { forksAreIndependent } from "./chain/forksAreIndependent.ts";
import { headFromEffects } from "./chain/headFromEffects.ts";
import { headMoves } from "./chain/headMoves.ts";
import { indexes } from "./chain/indexes.ts";
import { invalidLeavesNoTrace } from "./chain/invalidLeavesNoTrace.ts";
import { oneReceiptEach } from "./chain/oneReceiptEach.ts";
import { rolesNeverChange } from "./chain/rolesNeverChange.ts";
import { roundTrip } from "./chain/roundTrip.ts";
import { storable } from "./chain/storable.ts";
import { systemFirst } from "./chain/systemFirst.ts";
import { fundingArithmetic } from "./funding/fundingArithmetic.ts";
import { fundingCapped } from "./funding/fundingCapped.ts";
import { fundingOnce } from "./funding/fundingOnce.ts";
import { fundingPool } from "./funding/fundingPool.ts";
import { fundingRates } from "./funding/fundingRates.ts";
import { fundingSign } from "./funding/fundingSign.ts";
import { fundsWhereAllowed } from "./funding/fundsWhereAllowed.ts";
import { openedPaysNothing } from "./funding/openedPaysNothing.ts";
import { poolWithoutInterest } from "./funding/poolWithoutInterest.ts";
import { predictedAsPaid } from "./funding/predictedAsPaid.ts";
import { settledBeforeChange } from "./funding/settledBeforeChange.ts";
import { settlingOrder } from "./funding/settlingOrder.ts";
import { endsOnce } from "./intents/endsOnce.ts";
import { entryKeepsLegs } from "./intents/entryKeepsLegs.ts";
import { firesArmed } from "./intents/firesArmed.ts";
import { intentTriggers } from "./intents/intentTriggers.ts";
import { slicesWithin } from "./intents/slicesWithin.ts";
import { trailFollows } from "./intents/trailFollows.ts";
import { triggerCorner } from "./intents/triggerCorner.ts";
import { backstopCoversMargin } from "./liquidation/backstopCoversMargin.ts";
import { bankruptcyPriceIsExact } from "./liquidation/bankruptcyPriceIsExact.ts";
import { closesOpposite } from "./liquidation/closesOpposite.ts";
import { deficitToTheUnit } from "./liquidation/deficitToTheUnit.ts";
import { deleveragedByRank } from "./liquidation/deleveragedByRank.ts";
import { fullPass } from "./liquidation/fullPass.ts";
import { houseIsExempt } from "./liquidation/houseIsExempt.ts";
import { insuranceByCause } from "./liquidation/insuranceByCause.ts";
import { insuranceWithinCaps } from "./liquidation/insuranceWithinCaps.ts";
import { liquidationFeeWithin } from "./liquidation/liquidationFeeWithin.ts";
import { liquidationPriceIsFirst } from "./liquidation/liquidationPriceIsFirst.ts";
import { liquidationStepKeepsRatio } from "./liquidation/liquidationStepKeepsRatio.ts";
import { liquidationStepsMakeProgress } from "./liquidation/liquidationStepsMakeProgress.ts";
import { lossBorneByOpposite } from "./liquidation/lossBorneByOpposite.ts";
import { noFlatDebt } from "./liquidation/noFlatDebt.ts";
import { noMissedLiquidation } from "./liquidation/noMissedLiquidation.ts";
import { onlyBelowMaintenance } from "./liquidation/onlyBelowMaintenance.ts";
import { onlyTheNamed } from "./liquidation/onlyTheNamed.ts";
import { ordersGoFirst } from "./liquidation/ordersGoFirst.ts";
import { queueHasReason } from "./liquidation/queueHasReason.ts";
import { recordEndsInTime } from "./liquidation/recordEndsInTime.ts";
import { recordStages } from "./liquidation/recordStages.ts";
import { shareWithinSurplus } from "./liquidation/shareWithinSurplus.ts";
import { solventPays } from "./liquidation/solventPays.ts";
import { stageHasReason } from "./liquidation/stageHasReason.ts";
import { takeoverByRule } from "./liquidation/takeoverByRule.ts";
import { twinsInOrder } from "./liquidation/twinsInOrder.ts";
import { worstFirst } from "./liquidation/worstFirst.ts";
import type { Invariant, When } from "./machinery/defineInvariant.ts";
import { collateralHelps } from "./margin/collateralHelps.ts";
import { equityFromScratch } from "./margin/equityFromScratch.ts";
import { leverageWithin } from "./margin/leverageWithin.ts";
import { marginAfterAction } from "./margin/marginAfterAction.ts";
import { modeChangeIsClean } from "./margin/modeChangeIsClean.ts";
import { outflowLeavesFree } from "./margin/outflowLeavesFree.ts";
import { outflowWithinCaps } from "./margin/outflowWithinCaps.ts";
import { reserves } from "./margin/reserves.ts";
import { roundedAgainst } from "./margin/roundedAgainst.ts";
import { tierEdges } from "./margin/tierEdges.ts";
import { tiersAreSound } from "./margin/tiersAreSound.ts";
import { amendKeepsTerms } from "./orders/amendKeepsTerms.ts";
import { bestPriceFirst } from "./orders/bestPriceFirst.ts";
import { bookUncrossed } from "./orders/bookUncrossed.ts";
import { cancelNamesCause } from "./orders/cancelNamesCause.ts";
import { expiredAreGone } from "./orders/expiredAreGone.ts";
import { expiredNeverTrades } from "./orders/expiredNeverTrades.ts";
import { fillArithmetic } from "./orders/fillArithmetic.ts";
import { fillAtMakersPrice } from "./orders/fillAtMakersPrice.ts";
import { fillIsPositive } from "./orders/fillIsPositive.ts";
import { fillNeverPays } from "./orders/fillNeverPays.ts";
import { fillOrKillWhole } from "./orders/fillOrKillWhole.ts";
import { fillsWithinBand } from "./orders/fillsWithinBand.ts";
import { immediateNeverRests } from "./orders/immediateNeverRests.ts";
import { killedForAReason } from "./orders/killedForAReason.ts";
import { levelsAsNamed } from "./orders/levelsAsNamed.ts";
import { makerAfterFill } from "./orders/makerAfterFill.ts";
import { noSelfTrade } from "./orders/noSelfTrade.ts";
import { oldestFirst } from "./orders/oldestFirst.ts";
import { openOrdersWithin } from "./orders/openOrdersWithin.ts";
import { orderArithmetic } from "./orders/orderArithmetic.ts";
import { orderIdsAreNew } from "./orders/orderIdsAreNew.ts";
import { postOnlyNeverTakes } from "./orders/postOnlyNeverTakes.ts";
import { reduceOnlyEnters } from "./orders/reduceOnlyEnters.ts";
import { reduceOnlyReduces } from "./orders/reduceOnlyReduces.ts";
import { reduceOnlyWithin } from "./orders/reduceOnlyWithin.ts";
import { restsOnGrid } from "./orders/restsOnGrid.ts";
import { takerWithinLimit } from "./orders/takerWithinLimit.ts";
import { entryPriceHolds } from "./positions/entryPriceHolds.ts";
import { equityIgnoresTrades } from "./positions/equityIgnoresTrades.ts";
import { fillMovesValue } from "./positions/fillMovesValue.ts";
import { flatIsEmpty } from "./positions/flatIsEmpty.ts";
import { netZero } from "./positions/netZero.ts";
import { openInterest } from "./positions/openInterest.ts";
import { openInterestWithin } from "./positions/openInterestWithin.ts";
import { positionWithin } from "./positions/positionWithin.ts";
import { realizedByRule } from "./positions/realizedByRule.ts";
import { settledIsOver } from "./positions/settledIsOver.ts";
import { closedMarketsRest } from "./prices/closedMarketsRest.ts";
import { gatedMakersReduce } from "./prices/gatedMakersReduce.ts";
import { markNearIndex } from "./prices/markNearIndex.ts";
import { movesWithinClamp } from "./prices/movesWithinClamp.ts";
import { oracleIsPositive } from "./prices/oracleIsPositive.ts";
import { reduceOnlyMarkets } from "./prices/reduceOnlyMarkets.ts";
import { restartStopsRisk } from "./prices/restartStopsRisk.ts";
import { statusSteps } from "./prices/statusSteps.ts";
import { bounds } from "./value/bounds.ts";
import { conservation } from "./value/conservation.ts";

/**
 * All invariants on transactions and blocks, in the order of checking. Invariants that other checks rely on come
 * first.
 */
export const invariants: readonly Invariant[] = [
  eventsAreComplete,
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
  grantOrdersWithin,
  grantUseIsOrders,
  noFlatDebt,
  orderArithmetic,
  fillArithmetic,
  solventPays,
  insuranceWithinCaps,
  settledIsOver,
  outflowWithinCaps,
  recordStages,
  takeoverByRule,
  backstopCoversMargin,
  liquidationStepKeepsRatio,
  deficitToTheUnit,
  equityFromScratch,
  eventFold,
  roundTrip,
  triggerCorner,
  fullPass,
  continuity,
  bestPriceFirst,
  cancelNamesCause,
  expiredAreGone,
  expiredNeverTrades,
  fillAtMakersPrice,
  fillIsPositive,
  fillOrKillWhole,
  fillsWithinBand,
  immediateNeverRests,
  killedForAReason,
  levelsAsNamed,
  noSelfTrade,
  oldestFirst,
  openOrdersWithin,
  orderIdsAreNew,
  postOnlyNeverTakes,
  reduceOnlyEnters,
  amendKeepsTerms,
  reduceOnlyReduces,
  restsOnGrid,
  takerWithinLimit,
  netZero,
  entryPriceHolds,
  fillMovesValue,
  flatIsEmpty,
  openInterestWithin,
  positionWithin,
  realizedByRule,
  leverageWithin,
  modeChangeIsClean,
  outflowLeavesFree,
  roundedAgainst,
  tierEdges,
  tiersAreSound,
  fundingCapped,
  fundingOnce,
  fundingSign,
  fundsWhereAllowed,
  openedPaysNothing,
  poolWithoutInterest,
  predictedAsPaid,
  settledBeforeChange,
  fillNeverPays,
  closesOpposite,
  liquidationFeeWithin,
  liquidationPriceIsFirst,
  houseIsExempt,
  insuranceByCause,
  noMissedLiquidation,
  onlyBelowMaintenance,
  onlyTheNamed,
  ordersGoFirst,
  queueHasReason,
  recordEndsInTime,
  shareWithinSurplus,
  lossBorneByOpposite,
  deleveragedByRank,
  stageHasReason,
  liquidationStepsMakeProgress,
  twinsInOrder,
  worstFirst,
  bankruptcyPriceIsExact,
  agentWithinGrant,
  appliedIsSane,
  committedBelongs,
  committedIsValid,
  faucetIsOn,
  grantStatesGoForward,
  movesExactly,
  nonceIsEmitted,
  refusalHolds,
  systemBySystem,
  closedMarketsRest,
  restartStopsRisk,
  markNearIndex,
  movesWithinClamp,
  oracleIsPositive,
  reduceOnlyMarkets,
  gatedMakersReduce,
  statusSteps,
  endsOnce,
  entryKeepsLegs,
  slicesWithin,
  firesArmed,
  trailFollows,
  blocksFollow,
  eventsReportChanges,
  eventsWellFormed,
  forksAreIndependent,
  headFromEffects,
  headMoves,
  oneReceiptEach,
  rolesNeverChange,
  systemFirst,
  equityIgnoresTrades,
  collateralHelps,
  settlingOrder,
  replayRefused,
  accountsAddUp,
  invalidLeavesNoTrace,
  signatureBindsFields,
];

/** All invariants, or those of one class. */
export function listInvariants(when?: When): readonly Invariant[] {
  return when === undefined ? invariants : invariants.filter((invariant) => invariant.when === when);
}
