const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs `cleanUp` if the process is interrupted (Ctrl-C) during some work. The process then ends by that signal, as it
 * would have without. `cleanUp` is synchronous.
 *
 * @returns to be called when the work is over
 */
export function onInterrupt(cleanUp: () => void): () => void {
  const off = () => {
    for (const signal of SIGNALS) process.off(signal, stop);
  };
  const stop = (signal: NodeJS.Signals) => {
    off();
    cleanUp();
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  return off;
}
