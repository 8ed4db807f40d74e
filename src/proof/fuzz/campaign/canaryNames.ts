/** Names of the planted faults that a search must find; `canaries.ts` implements them. */
export const CANARY_NAMES = ["freeUnit", "lateTrigger", "keptReserve"] as const;
export type CanaryName = (typeof CANARY_NAMES)[number];
