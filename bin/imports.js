"use strict";

// Makes the imports of perplab's own modules short for Node, which otherwise spends most of a start on finding files. Loaded
// before the command line (load.js), and with `--require` in its threads.
//
//   - A relative path with its ending has one meaning. Node's own search reads package.json files and follows links first.
//   - Large libraries come bundled (libraries.js).
//
// Imports of other modules, a user's strategy for example, are not touched.

const { registerHooks } = require("node:module");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { LIBRARIES, findBundles } = require("./libraries.js");

const root = `${pathToFileURL(path.join(__dirname, "..")).href}/`;
const folders = [`${root}src/`, `${root}dist/`];
let bundles;

registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL = "" } = context;
    if (folders.some((folder) => parentURL.startsWith(folder))) {
      const url = specifier.startsWith(".") ? join(parentURL, specifier) : findBundle(specifier);
      if (url !== undefined) return { url, format: formatOf(url), shortCircuit: true };
    }
    return nextResolve(specifier, context);
  },
});

/** The address of a module by its path from another one; undefined if it is no plain path to a module of ours. */
function join(parentURL, specifier) {
  if (!specifier.endsWith(".ts") && !specifier.endsWith(".js")) return undefined;
  let folder = parentURL.lastIndexOf("/");
  let at = specifier.startsWith("./") ? 2 : 0;
  for (; specifier.startsWith("../", at); at += 3) folder = parentURL.lastIndexOf("/", folder - 1);
  const rest = specifier.slice(at);
  const isPlain = at > 0 && !/(?:^|\/)\.|[?#%\\]/.test(rest);
  return isPlain ? `${parentURL.slice(0, folder + 1)}${rest}` : undefined;
}

function findBundle(specifier) {
  if (!LIBRARIES.includes(specifier)) return undefined;
  bundles ??= new Map([...findBundles()].map(([library, file]) => [library, pathToFileURL(file).href]));
  return bundles.get(specifier);
}

function formatOf(url) {
  return url.endsWith(".ts") ? "module-typescript" : "module";
}
