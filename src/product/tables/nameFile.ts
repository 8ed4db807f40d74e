/**
 * The system's error of a write, with the path of its file. A write by handle fails without naming its file, so that a
 * full disk would be reported without a place.
 */
export function nameFile(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !("syscall" in error) || "path" in error) return error;
  return Object.assign(error, { path });
}
