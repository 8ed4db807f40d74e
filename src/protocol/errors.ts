/** What is wrong with a place of an input. Stable: tests and clients match on it. */
export type ValidationFault =
  | "syntax" // not JSON
  | "tooLarge" // longer than accepted
  | "duplicateKey"
  | "unknownField"
  | "missingField"
  | "wrongType"
  | "malformed" // right type, not the canonical form
  | "precision" // more digits than the scale keeps
  | "range" // beyond the smallest or largest value
  | "empty" // empty where something is needed
  | "unknownWord"; // not one of the listed words

/** Where and why an input was refused, and what to do about it. */
export interface ValidationDetails {
  readonly fault: ValidationFault;
  /** Place in the input, `payload.parameters[2].value` for example; empty for the whole of it. */
  readonly path: string;
  /** What is wrong, a clause without a stop. */
  readonly reason: string;
  /** What to write instead, a clause without a stop. */
  readonly hint: string;
}

/**
 * An input that is not what the wire describes (TX-4). It is refused before anything is hashed, and nothing of it is
 * kept.
 */
export class ValidationError extends Error {
  override readonly name = "ValidationError";
  readonly code = "VALIDATION_ERROR";
  readonly fault: ValidationFault;
  readonly path: string;
  readonly reason: string;
  readonly hint: string;

  constructor({ fault, path, reason, hint }: ValidationDetails) {
    super(`${path === "" ? "transaction" : path}: ${reason}; ${hint}`);
    this.fault = fault;
    this.path = path;
    this.reason = reason;
    this.hint = hint;
  }
}

/** Works across two copies of the package, where `instanceof` does not. */
export function isValidationError(error: unknown): error is ValidationError {
  return (
    error instanceof Error && error.name === "ValidationError" && "code" in error && error.code === "VALIDATION_ERROR"
  );
}
