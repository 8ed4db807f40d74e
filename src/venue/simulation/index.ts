/**
 * A venue driven from code, the loop that every program runs, the pending pool and block builder, and the block log
 * that replays to the same venue.
 */
export type { BlockView, EventView, ReceiptView } from "./driver/blockView.ts";
export { DriverError, type DriverErrorCode, isDriverError } from "./driver/errors.ts";
export type { DriverAccount, DriverMarket, DriverOptions } from "./driver/options.ts";
export type { DriverPayload } from "./driver/payload.ts";
export type { SubmitOptions, Submitted } from "./driver/submitted.ts";
export {
  type AccountCalls,
  type AccountDriver,
  createVenueDriver,
  type SystemCalls,
  type VenueDriver,
} from "./driver/venueDriver.ts";
export type { EventValue } from "./explain/eventValues.ts";
export type { OrderResult } from "./explain/receiptText.ts";
export {
  Fork,
  type Forked,
  type ForkOptions,
  forkLog,
  type InjectedReceipt,
  type Injection,
} from "./fork/forkLog.ts";
export { BlockLog, type BlockLogOptions } from "./log/blockLog.ts";
export { isLogError, LogError, type LogErrorCode } from "./log/errors.ts";
export {
  BlockLogReader,
  type BlockRecord,
  type LogRecord,
  type RootRecord,
  type TornTail,
} from "./log/readBlockLog.ts";
export { replayLog, type VerifiedLog, type VerifyOptions, type VerifyProgress, verifyLog } from "./log/verifyLog.ts";
export type { Observer, SealedBlock } from "./observer.ts";
export { type AccountDifference, diffVenues, type Pair, type VenueDifference } from "./outcome/diffVenues.ts";
export type { Fairness, Outcome } from "./outcome/outcome.ts";
export { OutcomeRecorder } from "./outcome/recordOutcome.ts";
export { type BuildOptions, buildBlock } from "./pool/buildBlock.ts";
export { POOL_CODES, type PoolCode } from "./pool/errors.ts";
export { laneOf, type Pending } from "./pool/lanes.ts";
export { checkPending, type Offer, PendingPool, type PoolOptions } from "./pool/pendingPool.ts";
export { type BuilderPolicy, cancelsFirst, delayTakers, fifo, readPolicy } from "./pool/policy.ts";
export { openSignatures, type Signatures, signingDomainOf } from "./signatures.ts";
export { Simulation } from "./simulation.ts";
