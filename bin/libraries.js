"use strict";

// Libraries of hundreds of small modules, bundled into one file each. To find a module takes Node longer than to run it:
// `typebox` and `typebox/value` are 679 modules and took a third of the time of a short backtest.

const fs = require("node:fs");
const path = require("node:path");

const root = path.join(__dirname, "..");

/** What is bundled, as it is imported. Parts of one library share their code. */
const LIBRARIES = [
  "typebox",
  "typebox/value",
  "typebox/compile",
  "trading-signals",
  "commander",
  "picocolors",
  "cli-table3",
];

/** The name of a bundle in its folder. */
function fileOf(library) {
  return `${library.replaceAll("/", "-")}.mjs`;
}

/** The folder of the bundles: of the build in the package; in a clone, of the versions that package.json pins. */
function locate() {
  if (!fs.existsSync(path.join(root, "src"))) return path.join(root, "dist", "libraries");
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
  const names = [...new Set(LIBRARIES.map((library) => library.split("/")[0]))];
  const versions = names.map((name) => `${name}-${dependencies[name]}`);
  return path.join(root, "node_modules", ".cache", "perplab", versions.join("_"));
}

/**
 * Bundles the libraries into a folder, which appears when it is complete. Of processes that do so at once, the first one
 * wins.
 */
function bundle(folder) {
  const { buildSync } = require("esbuild");
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  const draft = fs.mkdtempSync(`${folder}-`);
  try {
    buildSync({
      absWorkingDir: root,
      entryPoints: LIBRARIES.map((library) => ({ in: library, out: path.basename(fileOf(library), ".mjs") })),
      outdir: draft,
      outExtension: { ".js": ".mjs" },
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      target: "node22.18",
      // What is CommonJS requires Node's own modules.
      banner: { js: 'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);' },
      logLevel: "silent",
    });
    fs.renameSync(draft, folder);
  } catch (error) {
    fs.rmSync(draft, { recursive: true, force: true });
    if (!fs.existsSync(folder)) throw error;
  }
}

/** The bundles by what is imported, as paths. In a clone the first start makes them; without them it is slower. */
function findBundles() {
  try {
    const folder = locate();
    if (!fs.existsSync(folder)) bundle(folder);
    return new Map(LIBRARIES.map((library) => [library, path.join(folder, fileOf(library))]));
  } catch {
    return new Map();
  }
}

module.exports = { LIBRARIES, findBundles };

// `node bin/libraries.js`: into the build, before it is packed.
if (require.main === module) {
  const folder = path.join(root, "dist", "libraries");
  fs.rmSync(folder, { recursive: true, force: true });
  bundle(folder);
}
