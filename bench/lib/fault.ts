import { ClusterError } from "../../src/product/cluster/queue/errors.ts";

/**
 * Prints an error of the queue with its place and advice, and ends the process with code 1.
 *
 * @throws any other error, as it is
 */
export function endWithFault(error: unknown): never {
  if (!(error instanceof ClusterError)) throw error;
  const { code, message, place, hint } = error;
  console.error(
    `${code} ${place === undefined ? "" : `${place}: `}${message}${hint === undefined ? "" : `\n  ${hint}`}`,
  );
  process.exit(1);
}
