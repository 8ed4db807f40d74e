export type DriverErrorCode =
  | "ACCOUNT_NAME" // a text that is not the name of an account
  | "FIELD_UNKNOWN" // an option that the driver does not have
  | "MARKET_MISSING" // no market is named, and the venue has none or several
  | "NOT_IN_BLOCK" // the transaction is in no block yet: call `block()` first
  | "NO_ORDER"; // the transaction created no order

/** A driver was asked for something that it does not have. The venue was not asked. */
export class DriverError extends Error {
  override readonly name = "DriverError";
  readonly code: DriverErrorCode;

  constructor(code: DriverErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Narrows by name and code; it works also where two copies of the package are loaded. */
export function isDriverError(error: unknown, code?: DriverErrorCode): error is DriverError {
  return (
    error instanceof Error &&
    error.name === "DriverError" &&
    (code === undefined || (error as Partial<DriverError>).code === code)
  );
}
