// Preloaded (`node --import`) where a test asks which modules a program loads: one address a line, on standard error.
import { registerHooks } from "node:module";

registerHooks({
  load(url, context, nextLoad) {
    if (url.startsWith("file:")) process.stderr.write(`${url}\n`);
    return nextLoad(url, context);
  },
});
