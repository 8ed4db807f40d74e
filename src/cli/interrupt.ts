const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs `cleanUp` if the process is interrupted (Ctrl-C) during some work, or if a strategy ends it. After a signal the
 * process ends by that signal, as it would have without. `cleanUp` is synchronous.
 *
 * @returns to be called when the work is over
 */
export function onInterrupt(cleanUp: () => void): () => void {
  const off = () => {
    for (const signal of SIGNALS) process.off(signal, stop);
    process.off("exit", cleanUp);
  };
  const stop = (signal: NodeJS.Signals) => {
    off();
    cleanUp();
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  process.on("exit", cleanUp);
  return off;
}
