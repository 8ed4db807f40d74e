/** The files of every action: its definition, its handler, its model. */
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ActionDescriptor } from "../src/protocol/action.ts";

/** Something that the writer of a source file left out. */
export class SourceFault extends Error {
  override readonly name = "SourceFault";
}

const root = join(import.meta.dirname, "..");

/** One part of an action, a file each, named after the action. */
interface Part {
  readonly folder: string;
  readonly what: string;
  /** Part of the text of every such file, and of no other in the folder. */
  readonly mark: string;
}

const DEFINITION: Part = { folder: "src/protocol/actions", what: "a definition", mark: "= defineAction(" };
const HANDLER: Part = { folder: "src/venue/engine/actions", what: "a handler", mark: "= defineHandler<" };
const MODEL: Part = { folder: "src/proof/model/actions", what: "a model", mark: ': ModelAction<"' };
const PARTS: readonly Part[] = [DEFINITION, HANDLER, MODEL];

/** Names of the actions that have this part. */
function listNames({ folder, mark }: Part): string[] {
  return globSync(`${folder}/*.ts`, { cwd: root })
    .filter((file) => readFileSync(join(root, file), "utf8").includes(mark))
    .map((file) => basename(file, ".ts"))
    .sort();
}

/** What is wrong with the files of actions: one sentence each, which names the file. */
export function findFileFaults(): string[] {
  const present = PARTS.map((part) => ({ part, names: listNames(part) }));
  const all = [...new Set(present.flatMap(({ names }) => names))].sort();
  return all.flatMap((name) =>
    present
      .filter(({ names }) => !names.includes(name))
      .map(({ part }) => `the action ${name} has no ${part.what.slice(2)}: write ${part.folder}/${name}.ts`),
  );
}

/** Actions that no scenario uses, in the long form or as the sentence of their definition: a sentence each. */
export function findUnused(definitions: readonly ActionDescriptor[]): string[] {
  const texts = globSync("scenarios/**/*.yaml", { cwd: root }).map((file) => readFileSync(join(root, file), "utf8"));
  return definitions.flatMap(({ name, sentence }) => {
    const words = sentence?.replace(/ ?\{.*$/, "");
    const forms = [`\\b${name}:`, ...(words === undefined ? [] : [`: ${words}\\b`])];
    const isUsed = texts.some((text) => new RegExp(forms.join("|")).test(text));
    return isUsed
      ? []
      : [`no scenario uses the action ${name}: write scenarios/actions/${name}.yaml, or one that says what it shows`];
  });
}

/**
 * The definitions, by their codes.
 *
 * @throws {SourceFault} if a file does not define the action of its name, or codes are not 0, 1, 2 and so on, each once
 */
export async function loadDefinitions(): Promise<readonly ActionDescriptor[]> {
  const found = await Promise.all(
    listNames(DEFINITION).map(async (name) => {
      const file = `${DEFINITION.folder}/${name}.ts`;
      const loaded = (await import(pathToFileURL(join(root, file)).href)) as Record<string, ActionDescriptor>;
      const action = loaded[name];
      if (action?.name !== name) throw new SourceFault(`${file} must export the definition of ${name} as ${name}`);
      return action;
    }),
  );
  found.sort((one, other) => one.code - other.code);
  found.forEach(({ name, code }, place) => {
    const holder = found[place - 1];
    if (holder?.code === code)
      throw new SourceFault(`${name} and ${holder.name} have the code ${code}: write the next free one`);
    if (code !== place) throw new SourceFault(`${name} has the code ${code}: write ${place}, the next free one`);
  });
  return found;
}
