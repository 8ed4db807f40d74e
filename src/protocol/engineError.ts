/** Failures of the engine that are not trading outcomes. `details` is typed by `code`. */
interface Details {
  /** A block that breaks NET-2. Nothing changed. */
  INVALID_BLOCK: { readonly height: number; readonly fault: string };
  /** A genesis that cannot start a venue. */
  INVALID_GENESIS: { readonly place: string; readonly fault: string };
  /** A text or bytes that are not an image or canonical form, or are of another version. */
  INVALID_SNAPSHOT: { readonly fault: string };
  /** A change that a fork cannot make. */
  INVALID_FORK: { readonly parameter: string; readonly reason: string };
  /** A fault in perplab: a statement that must always hold did not. */
  INVARIANT_VIOLATED: { readonly invariant: string; readonly height: number; readonly observed: string };
}

export type EngineErrorCode = keyof Details;

export class EngineError<C extends EngineErrorCode = EngineErrorCode> extends Error {
  override readonly name = "EngineError";
  readonly code: C;
  readonly details: Readonly<Details[C]>;

  constructor(code: C, message: string, details: Details[C], options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

/** Narrows by code. Works across two copies of the package, where `instanceof` does not. */
export function isEngineError<C extends EngineErrorCode>(error: unknown, code: C): error is EngineError<C> {
  return error instanceof Error && error.name === "EngineError" && (error as EngineError).code === code;
}
