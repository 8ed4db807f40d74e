/** Passes the time that a fault takes. */
export type Sleep = (ms: number) => Promise<void>;

export const sleepByTimer: Sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
