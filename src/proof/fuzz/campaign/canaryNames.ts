/** Faults that a search has to find when they are planted; `canaries.ts` has them. */
export const CANARY_NAMES = ["freeUnit", "lateTrigger", "keptReserve"] as const;
export type CanaryName = (typeof CANARY_NAMES)[number];
