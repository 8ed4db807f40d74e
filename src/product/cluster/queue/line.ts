/**
 * A version of the code on a Node line. Jobs of a line are made by workers of the same line, so that results are equal.
 * Each line has its own queue: a worker of another version never takes a job that it cannot make.
 */
export interface Line {
  /** Version of the package, for messages. */
  readonly perplab: string;
  /** SHA-256 of the code that decides results, see `hashCode`. */
  readonly code: string;
  /** Major version of Node. */
  readonly node: number;
}

/** Name of the queue of a line. */
export function queueNameOf({ code, node }: Line): string {
  return `jobs-${code.slice(0, 16)}-node${node}`;
}

/** True for the name of a queue of any line. */
export function isQueueName(name: string): boolean {
  return /^jobs-[0-9a-f]{16}-node\d+$/.test(name);
}

export function isSameLine(a: Line, b: Line): boolean {
  return a.code === b.code && a.node === b.node;
}

export function describeLine({ perplab, code, node }: Line): string {
  return `perplab ${perplab} (code ${code.slice(0, 12)}) on Node ${node}`;
}
