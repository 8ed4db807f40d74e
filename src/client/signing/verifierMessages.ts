import type { BackendName } from "./backends.ts";

/** To a worker: transactions as `writeTransaction` writes them. One whose signature is not 65 bytes comes without. */
export interface Batch {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly count: number;
}

/** First word of a worker: the backend that it loaded, or the one that is missing. */
export type Greeting = { readonly backend: BackendName } | { readonly missing: BackendName };

/** From a worker, for each transaction: 0 or 1 + place of the fault; 32 bytes digest; 20 bytes recovered address. */
export type Findings = Uint8Array<ArrayBuffer>;
export const FINDING_BYTES = 53;
