import { join } from "node:path";
import type { FuzzCase } from "../case/fuzzCase.ts";
import { resolveCase } from "../case/resolveCase.ts";
import { writeCase } from "../case/writeCase.ts";
import { writeAtomic } from "../corpus/atomic.ts";
import { nameOfCase } from "../corpus/corpusFolder.ts";
import type { Found } from "./campaign.ts";
import type { Setup } from "./execute.ts";
import type { Shrunk } from "./failures.ts";

/** Makes a failure small and writes it down. */
export function makeSmall({ given, violation }: Found, _setup: Setup, folder: string): Shrunk {
  const { blocks } = resolveCase(given, violation.height);
  const actions = blocks.flatMap(({ transactions }) => transactions.map(({ action }) => action));
  const path = writeFailure(folder, violation.invariant, given);
  return { violation, transactions: actions.length, actions, path };
}

function writeFailure(folder: string, invariant: string, given: FuzzCase): string {
  const bytes = writeCase(given);
  const path = join(folder, `${invariant}-${nameOfCase(bytes).slice(0, 8)}.case`);
  writeAtomic(path, bytes);
  return path;
}
