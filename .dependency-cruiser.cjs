// The floors of the house, as docs/architecture.md draws them: a folder of src imports from the floors listed for it
// in scripts/floors.json and from whatever those may import, never upwards and never sideways.
const floors = require("./scripts/floors.json");

const PURE = [
  "ground/math",
  "ground/collections",
  "protocol",
  "client/strategy",
  "venue/engine",
  "venue/formulas",
  "venue/reads",
  "proof/invariants",
  "proof/model",
];

/** Files of a wing that its users import: they name what the rooms of the wing define. */
const WING_INDEX = "^src/venue/index\\.ts$";

/** The folders that `folder` may reach, itself included. */
function reachOf(folder, seen = new Set()) {
  if (seen.has(folder)) return seen;
  if (!(folder in floors)) throw new Error(`scripts/floors.json: no floor "${folder}"`);
  seen.add(folder);
  for (const below of floors[folder]) reachOf(below, seen);
  return seen;
}

const oneOf = (folders) => `^src/(${[...folders].join("|")})/`;

const floorRules = Object.keys(floors).map((folder) => ({
  name: `floor-${folder}`,
  comment: `src/${folder} may import only from: ${[...reachOf(folder)].join(", ")}`,
  severity: "error",
  from: { path: oneOf([folder]) },
  to: { path: "^src/", pathNot: [oneOf(reachOf(folder)), WING_INDEX] },
}));

/** The file of a room that is exported to users. */
const INDEX = [
  "^src/protocol/index\\.ts$",
  "^src/venue/index\\.ts$",
  "^src/(ground|client|venue|product|server|proof)/[^/]+/index\\.ts$",
];

module.exports = {
  forbidden: [
    ...floorRules,
    {
      name: "known-folder",
      comment: "Every folder of src has a floor. Give a new one its line in scripts/floors.json.",
      severity: "error",
      from: { path: "^src/", pathNot: [oneOf(Object.keys(floors)), WING_INDEX] },
      to: {},
    },
    {
      name: "pure-floors-no-runtime",
      comment: "From math to invariants, and in a report, nothing reaches the machine; hashing is the one exception.",
      severity: "error",
      from: { path: oneOf([...PURE, "product/report", "product/strategies"]) },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?crypto$" },
    },
    {
      name: "index-is-for-users",
      comment: "Inside the project, import from the file that defines.",
      severity: "error",
      from: { path: "^src/", pathNot: INDEX },
      to: { path: INDEX },
    },
    {
      name: "model-is-independent",
      comment:
        "The model shares the names of the protocol and not a line of code: what it computes, it computes itself.",
      severity: "error",
      from: { path: "^src/proof/model/" },
      to: { path: "^src/", pathNot: "^src/proof/model/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "no-laboratory",
      comment:
        "Product, server, venue and client run without the wing of proof, but for the statements that it exports.",
      severity: "error",
      from: { path: "^src/(ground|protocol|client|venue|product|server)/" },
      to: { path: "^src/proof/", pathNot: "^src/proof/invariants/statements\\.ts$" },
    },
    {
      name: "laboratory-is-for-the-command-line",
      comment: "Fuzzer and model are imported by the command line and by each other alone.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(cli|proof)/" },
      to: { path: "^src/proof/(fuzz|model)/" },
    },
    {
      name: "no-folder-circles",
      comment:
        "The folders of the engine have an order, for types too: what the state is made of lies below what works on it.",
      severity: "error",
      scope: "folder",
      from: { path: "^src/venue/engine/" },
      to: { path: "^src/venue/engine/", circular: true },
    },
    {
      name: "source-is-independent",
      comment: "What ships does not import what does not.",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^(test|bench|scripts)/" },
    },
    {
      name: "runtime-dependencies",
      comment: "A library used by src belongs in dependencies, not in devDependencies.",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["type-only", "npm-peer"] },
    },
    {
      name: "optional-packages-in-one-place",
      comment: "Packages that a user may lack are loaded where their absence is an error with advice.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/product/cluster/queue/modules\\.ts$" },
      to: { dependencyTypes: ["npm-peer"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "resolvable",
      comment: "An import that does not resolve.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "no-cycles",
      comment: "Two files that need each other are one idea in two places, or two ideas in one. Types may refer back.",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    detectProcessBuiltinModuleCalls: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "types", "default"] },
  },
};
