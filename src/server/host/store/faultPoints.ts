/** Points at which a test or a devnet stops the service, in the order in which a transaction passes them. */
export const FAULT_POINTS = [
  /** Before the group is written. */
  "beforeWrite",
  /** The group is written and not durable. */
  "afterWrite",
  /** The group is durable, and no client has its answer. */
  "afterSync",
  /** Its transactions were answered, its block is not applied. */
  "afterAnswer",
  /** The block was applied, and its result is written. */
  "afterApply",
  /** A state is written under a temporary name. */
  "beforeSnapshotRename",
  /** A state has its final name. */
  "afterSnapshot",
] as const;
export type FaultPoint = (typeof FAULT_POINTS)[number];
export type OnFaultPoint = (point: FaultPoint) => void;
