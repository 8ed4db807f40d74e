import { agentWithinGrant } from "./admission/agentWithinGrant.ts";
import { appliedIsSane } from "./admission/appliedIsSane.ts";
import { committedBelongs } from "./admission/committedBelongs.ts";
import { committedIsValid } from "./admission/committedIsValid.ts";
import { faucetIsOn } from "./admission/faucetIsOn.ts";
import { grantStatesGoForward } from "./admission/grantStatesGoForward.ts";
import { movesExactly } from "./admission/movesExactly.ts";
import { nonceIsEmitted } from "./admission/nonceIsEmitted.ts";
import { refusalHolds } from "./admission/refusalHolds.ts";
import { replayRefused } from "./admission/replayRefused.ts";
import { signatureBindsFields } from "./admission/signatureBindsFields.ts";
import { systemBySystem } from "./admission/systemBySystem.ts";
import { bookUncrossed } from "./bookUncrossed.ts";
import { bounds } from "./bounds.ts";
import { accountsAddUp } from "./chain/accountsAddUp.ts";
import { blocksFollow } from "./chain/blocksFollow.ts";
import { eventsReportChanges } from "./chain/eventsReportChanges.ts";
import { eventsWellFormed } from "./chain/eventsWellFormed.ts";
import { forksAreIndependent } from "./chain/forksAreIndependent.ts";
import { headFromEffects } from "./chain/headFromEffects.ts";
import { headMoves } from "./chain/headMoves.ts";
import { invalidLeavesNoTrace } from "./chain/invalidLeavesNoTrace.ts";
import { oneReceiptEach } from "./chain/oneReceiptEach.ts";
import { rolesNeverChange } from "./chain/rolesNeverChange.ts";
import { systemFirst } from "./chain/systemFirst.ts";
import { conservation } from "./conservation.ts";
import { continuity } from "./continuity.ts";
import { deficitToTheUnit } from "./deficitToTheUnit.ts";
import type { Invariant, When } from "./defineInvariant.ts";
import { equityFromScratch } from "./equityFromScratch.ts";
import { eventFold } from "./eventFold.ts";
import { eventsAreComplete } from "./eventsAreComplete.ts";
import { fillArithmetic } from "./fillArithmetic.ts";
import { fullPass } from "./fullPass.ts";
import { fundingCapped } from "./funding/fundingCapped.ts";
import { fundingOnce } from "./funding/fundingOnce.ts";
import { fundingSign } from "./funding/fundingSign.ts";
import { fundsWhereAllowed } from "./funding/fundsWhereAllowed.ts";
import { openedPaysNothing } from "./funding/openedPaysNothing.ts";
import { poolWithoutInterest } from "./funding/poolWithoutInterest.ts";
import { predictedAsPaid } from "./funding/predictedAsPaid.ts";
import { settledBeforeChange } from "./funding/settledBeforeChange.ts";
import { settlingOrder } from "./funding/settlingOrder.ts";
import { fundingArithmetic } from "./fundingArithmetic.ts";
import { fundingPool } from "./fundingPool.ts";
import { fundingRates } from "./fundingRates.ts";
import { grantsWithin } from "./grantsWithin.ts";
import { indexes } from "./indexes.ts";
import { insuranceWithinCaps } from "./insuranceWithinCaps.ts";
import { endsOnce } from "./intents/endsOnce.ts";
import { entryKeepsLegs } from "./intents/entryKeepsLegs.ts";
import { firesArmed } from "./intents/firesArmed.ts";
import { slicesWithin } from "./intents/slicesWithin.ts";
import { trailFollows } from "./intents/trailFollows.ts";
import { intentTriggers } from "./intentTriggers.ts";
import { bankruptcyPriceIsExact } from "./liquidation/bankruptcyPriceIsExact.ts";
import { closesOpposite } from "./liquidation/closesOpposite.ts";
import { houseIsExempt } from "./liquidation/houseIsExempt.ts";
import { insuranceByCause } from "./liquidation/insuranceByCause.ts";
import { liquidationFeeWithin } from "./liquidation/liquidationFeeWithin.ts";
import { liquidationPriceIsFirst } from "./liquidation/liquidationPriceIsFirst.ts";
import { liquidationStepsMakeProgress } from "./liquidation/liquidationStepsMakeProgress.ts";
import { noMissedLiquidation } from "./liquidation/noMissedLiquidation.ts";
import { onlyBelowMaintenance } from "./liquidation/onlyBelowMaintenance.ts";
import { onlyTheNamed } from "./liquidation/onlyTheNamed.ts";
import { ordersGoFirst } from "./liquidation/ordersGoFirst.ts";
import { queueHasReason } from "./liquidation/queueHasReason.ts";
import { recordEndsInTime } from "./liquidation/recordEndsInTime.ts";
import { shareWithinSurplus } from "./liquidation/shareWithinSurplus.ts";
import { stageHasReason } from "./liquidation/stageHasReason.ts";
import { twinsInOrder } from "./liquidation/twinsInOrder.ts";
import { worstFirst } from "./liquidation/worstFirst.ts";
import { liquidationStepKeepsRatio } from "./liquidationStepKeepsRatio.ts";
import { makerAfterFill } from "./makerAfterFill.ts";
import { collateralHelps } from "./margin/collateralHelps.ts";
import { leverageWithin } from "./margin/leverageWithin.ts";
import { modeChangeIsClean } from "./margin/modeChangeIsClean.ts";
import { outflowLeavesFree } from "./margin/outflowLeavesFree.ts";
import { roundedAgainst } from "./margin/roundedAgainst.ts";
import { tierEdges } from "./margin/tierEdges.ts";
import { tiersAreSound } from "./margin/tiersAreSound.ts";
import { marginAfterAction } from "./marginAfterAction.ts";
import { noFlatDebt } from "./noFlatDebt.ts";
import { nonceOnce } from "./nonceOnce.ts";
import { openInterest } from "./openInterest.ts";
import { orderArithmetic } from "./orderArithmetic.ts";
import { amendKeepsTerms } from "./orders/amendKeepsTerms.ts";
import { bestPriceFirst } from "./orders/bestPriceFirst.ts";
import { cancelNamesCause } from "./orders/cancelNamesCause.ts";
import { expiredAreGone } from "./orders/expiredAreGone.ts";
import { expiredNeverTrades } from "./orders/expiredNeverTrades.ts";
import { fillAtMakersPrice } from "./orders/fillAtMakersPrice.ts";
import { fillIsPositive } from "./orders/fillIsPositive.ts";
import { fillNeverPays } from "./orders/fillNeverPays.ts";
import { fillOrKillWhole } from "./orders/fillOrKillWhole.ts";
import { fillsWithinBand } from "./orders/fillsWithinBand.ts";
import { immediateNeverRests } from "./orders/immediateNeverRests.ts";
import { killedForAReason } from "./orders/killedForAReason.ts";
import { noSelfTrade } from "./orders/noSelfTrade.ts";
import { oldestFirst } from "./orders/oldestFirst.ts";
import { openOrdersWithin } from "./orders/openOrdersWithin.ts";
import { orderIdsAreNew } from "./orders/orderIdsAreNew.ts";
import { postOnlyNeverTakes } from "./orders/postOnlyNeverTakes.ts";
import { reduceOnlyEnters } from "./orders/reduceOnlyEnters.ts";
import { reduceOnlyReduces } from "./orders/reduceOnlyReduces.ts";
import { restsOnGrid } from "./orders/restsOnGrid.ts";
import { takerWithinLimit } from "./orders/takerWithinLimit.ts";
import { outflowWithinCaps } from "./outflowWithinCaps.ts";
import { entryPriceHolds } from "./positions/entryPriceHolds.ts";
import { equityIgnoresTrades } from "./positions/equityIgnoresTrades.ts";
import { fillMovesValue } from "./positions/fillMovesValue.ts";
import { flatIsEmpty } from "./positions/flatIsEmpty.ts";
import { netZero } from "./positions/netZero.ts";
import { openInterestWithin } from "./positions/openInterestWithin.ts";
import { positionWithin } from "./positions/positionWithin.ts";
import { realizedByRule } from "./positions/realizedByRule.ts";
import { closedMarketsRest } from "./prices/closedMarketsRest.ts";
import { gatedMakersReduce } from "./prices/gatedMakersReduce.ts";
import { markNearIndex } from "./prices/markNearIndex.ts";
import { movesWithinClamp } from "./prices/movesWithinClamp.ts";
import { oracleIsPositive } from "./prices/oracleIsPositive.ts";
import { reduceOnlyMarkets } from "./prices/reduceOnlyMarkets.ts";
import { restartStopsRisk } from "./prices/restartStopsRisk.ts";
import { statusSteps } from "./prices/statusSteps.ts";
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
  noFlatDebt,
  orderArithmetic,
  fillArithmetic,
  solventPays,
  insuranceWithinCaps,
  settledIsOver,
  outflowWithinCaps,
  recordStages,
  takeoverByRule,
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
