"use strict";

// Loads the command line: the sources in a clone, the build in the package. Kept apart from perplab.js, because a Node
// that is too old could not even read `import()`.

const fs = require("node:fs");
const { enableCompileCache } = require("node:module");
const os = require("node:os");
const path = require("node:path");
const { pathToFileURL } = require("node:url");

const root = path.join(__dirname, "..");
const source = path.join(root, "src", "cli", "main.ts");
const isClone = fs.existsSync(source);

// Node 22 calls the stripping of types experimental on every start; it is the supported way to run a clone.
if (isClone) {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith("Type Stripping is an experimental feature")) emitWarning(warning, ...rest);
  };
}

// What was compiled once starts in half the time the next time. Where it cannot be kept, nothing is lost. Threads learn of
// it from the environment alone.
process.env.NODE_COMPILE_CACHE ||= path.join(os.tmpdir(), "node-compile-cache");
enableCompileCache(process.env.NODE_COMPILE_CACHE);
require("./imports.js");

import(pathToFileURL(isClone ? source : path.join(root, "dist", "cli", "main.js")).href).then(
  ({ main }) => main(process.argv.slice(2)),
  (error) => {
    if (error.code === "ERR_MODULE_NOT_FOUND" && isClone && !fs.existsSync(path.join(root, "node_modules"))) {
      process.stderr.write(`perplab: its libraries are not installed: run \`npm ci\` in ${root}.\n`);
      process.exitCode = 2;
      return;
    }
    throw error;
  },
);
