/**
 * What has to be equal for equal results: jobs of one line are made by workers of the same line. Each line has a queue
 * of its own, so that a worker of another version takes no job from a worker that can make it.
 */
export interface Line {
  /** Version of the package, for messages. */
  readonly perplab: string;
  /** `hashCode` of perplab. */
  readonly code: string;
  /** Major version of Node. */
  readonly node: number;
}

/** Name of the queue of a line. */
export function queueNameOf({ code, node }: Line): string {
  return `jobs-${code.slice(0, 16)}-node${node}`;
}

/** Whether a name is of a queue of jobs. */
export function isQueueName(name: string): boolean {
  return /^jobs-[0-9a-f]{16}-node\d+$/.test(name);
}

export function isSameLine(a: Line, b: Line): boolean {
  return a.code === b.code && a.node === b.node;
}

export function describeLine({ perplab, code, node }: Line): string {
  return `perplab ${perplab} (code ${code.slice(0, 12)}) on Node ${node}`;
}
