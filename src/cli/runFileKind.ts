/** What a file says of a run. */
export type RunFileKind = "report" | "block log" | "bundle";

/** What begins with a brace is a report, and a bundle with its name; a log says itself what is wrong with it. */
export async function readRunFileKind(path: string): Promise<RunFileKind> {
  const { open } = await import("node:fs/promises");
  const file = await open(path).catch((cause: NodeJS.ErrnoException) => {
    throw Object.assign(cause, { path });
  });
  try {
    const head = new Uint8Array(64);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    const text = new TextDecoder("latin1").decode(head.subarray(0, bytesRead));
    if (text.startsWith("perpbndl")) return "bundle";
    return /^\s*\{/.test(text) ? "report" : "block log";
  } finally {
    await file.close();
  }
}
