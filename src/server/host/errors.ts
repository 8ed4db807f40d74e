export type HostErrorCode =
  | "HOST_STOPPED" // it was closed, or its store failed
  | "HEIGHT_NOT_KEPT" // there is no such block, or it was pruned
  | "AUTHORITY_MISSING" // the host holds no key that may sign the action
  | "GENESIS_DIFFERS"; // the venue to load belongs to another network

/** An operation that a host cannot carry out. */
export class HostError extends Error {
  override readonly name = "HostError";
  readonly code: HostErrorCode;

  constructor(code: HostErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Narrows by name and code; works across two copies of the package. */
export function isHostError(error: unknown, code?: HostErrorCode): error is HostError {
  return (
    error instanceof Error &&
    error.name === "HostError" &&
    (code === undefined || (error as Partial<HostError>).code === code)
  );
}
