import type { BacktestError } from "./errors.ts";

/** Why a run ended before its data did, and after which block. */
export type RunStop =
  | {
      /** The account has no position, and less equity than any order needs. */
      readonly reason: "wipedOut";
      readonly height: number;
      readonly timeMs: number;
      /** USD. */
      readonly equity: number;
    }
  | {
      /** A hook threw. */
      readonly reason: "strategyFailed";
      readonly height: number;
      readonly timeMs: number;
      readonly failure: BacktestError;
    };
