/** Waits for the time of a fault. */
export type Sleep = (ms: number) => Promise<void>;

export const sleepByTimer: Sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
