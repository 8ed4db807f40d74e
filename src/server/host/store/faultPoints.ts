/** Places at which a test or a devnet stops the service, in the order in which a transaction passes them. */
export const FAULT_POINTS = [
  /** The group is about to be written. */
  "beforeWrite",
  /** It is written and not durable. */
  "afterWrite",
  /** It is durable, and nobody has been told. */
  "afterSync",
  /** Its transactions were answered, its block is not applied. */
  "afterAnswer",
  /** The block was applied, and what came out of it is written. */
  "afterApply",
  /** A state is written under another name than its own. */
  "beforeSnapshotRename",
  /** A state has its name. */
  "afterSnapshot",
] as const;
export type FaultPoint = (typeof FAULT_POINTS)[number];
export type OnFaultPoint = (point: FaultPoint) => void;
