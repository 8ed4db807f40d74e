/** The loop that every program runs, and the block log that replays to the same venue. */
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
export { openSignatures, type Signatures, signingDomainOf } from "./signatures.ts";
export { Simulation } from "./simulation.ts";
