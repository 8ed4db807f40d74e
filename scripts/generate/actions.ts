/**
 * Renders the tables of actions from the files that are there: definitions, handlers, models. It comes first, since
 * everything else that is generated loads them, and loads nothing but definitions itself.
 */
import { findFileFaults, findUnused, loadDefinitions, SourceFault } from "../actionFiles.ts";

const faults = findFileFaults();
if (faults.length > 0) throw new SourceFault(faults.join("\n"));
const definitions = await loadDefinitions();
const unused = findUnused(definitions);
if (unused.length > 0) throw new SourceFault(unused.join("\n"));
const names = definitions.map(({ name }) => name);
const withEvents = definitions.filter(({ events }) => Object.keys(events).length > 0).map(({ name }) => name);

const header = (folder: string) => `// Generated from the files of ${folder} by \`npm run generate\`. Do not edit.`;
const capital = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
/** An import of every action's file, and of others by their names, sorted as the linter wants them. */
const imports = (of: (name: string) => string, others: Readonly<Record<string, string>> = {}, from = names) =>
  [...from.map((name): [string, string] => [name, of(name)]), ...Object.entries(others)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([file, what]) => `import ${what} from "./${file}.ts";`)
    .join("\n");

export const outputs = [
  {
    path: "src/protocol/actions/table.ts",
    render: () => `${header("src/protocol/actions")}
${imports((name) => `{ ${name} }`)}

/** Every action, in the order of their codes. */
export const actions = {
${names.map((name) => `  ${name},`).join("\n")}
} as const;
`,
  },
  {
    path: "src/protocol/actions/events.ts",
    render: () => `${header("src/protocol/actions")}
${imports((name) => `{ ${name} }`, {}, withEvents)}

/** Events that one action alone emits. */
export const actionEvents = {
${withEvents.map((name) => `  ...${name}.events,`).join("\n")}
};
`,
  },
  {
    path: "src/venue/engine/actions/index.ts",
    render: () => `${header("src/venue/engine/actions")}
import { ACTION_NAMES, type ActionName } from "../../../protocol/actions/index.ts";
import type { AnyHandler } from "../handler/defineHandler.ts";
${imports((name) => `{ handle${capital(name)} }`)}

const handlers: Readonly<Record<ActionName, AnyHandler>> = {
${names.map((name) => `  ${name}: handle${capital(name)},`).join("\n")}
};

/** Handlers by the code that a decoded transaction carries. */
export const HANDLERS: readonly AnyHandler[] = ACTION_NAMES.map((name) => handlers[name]);
`,
  },
  {
    path: "src/proof/model/actions/table.ts",
    render: () => `${header("src/proof/model/actions")}
import type { ActionName } from "../../../protocol/actions/index.ts";
${imports((name) => `{ ${name} }`, { handler: "type { ModelAction }" })}

/** Every action of the model. */
export const TABLE: { readonly [A in ActionName]: ModelAction<A> } = {
${names.map((name) => `  ${name},`).join("\n")}
};
`,
  },
];
