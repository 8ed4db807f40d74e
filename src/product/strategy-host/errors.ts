/** Failures of a conversation with a strategy in another language. */
export type StrategyHostErrorCode =
  | "CLIENT_GONE" // the client closed its end, or ended
  | "MESSAGE_INVALID"; // a message that the protocol does not have, or not at this place

/** `place` names the message, `hint` says what to do. */
export class StrategyHostError extends Error {
  override readonly name = "StrategyHostError";
  readonly code: StrategyHostErrorCode;
  readonly place: string | undefined;
  readonly hint: string | undefined;

  constructor(code: StrategyHostErrorCode, reason: string, { place, hint }: { place?: string; hint?: string } = {}) {
    super(reason);
    this.code = code;
    this.place = place;
    this.hint = hint;
  }
}

/** Narrows by name and code. */
export function isStrategyHostError(error: unknown, code?: StrategyHostErrorCode): error is StrategyHostError {
  return error instanceof StrategyHostError && (code === undefined || error.code === code);
}

/** The error of a message that the client may not send here. */
export function invalidMessage(reason: string, place?: string): StrategyHostError {
  return new StrategyHostError("MESSAGE_INVALID", reason, {
    ...(place === undefined ? {} : { place }),
    hint: "docs/reference/strategy-protocol.md has every message and when it may be sent",
  });
}
