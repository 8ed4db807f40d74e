import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AnyStrategy } from "../../src/client/strategy/strategy.ts";
import { readCodeBlocks } from "./pages.ts";
import { projectRoot, writeFiles } from "./project.ts";

/** The strategy that docs/guides/ten-minutes.md shows, loaded as it is written there. */
export async function readGuideStrategy(): Promise<AnyStrategy> {
  const block = readCodeBlocks("docs/guides/ten-minutes.md").find(({ file }) => file === "sma.ts")!;
  const text = block.text.replace(
    '"perplab/strategy"',
    JSON.stringify(pathToFileURL(join(projectRoot, "src/client/strategy/index.ts")).href),
  );
  const folder = mkdtempSync(join(tmpdir(), "perplab-guide-"));
  try {
    writeFiles(folder, { "package.json": '{ "type": "module" }', "sma.ts": text });
    const module = (await import(pathToFileURL(join(folder, "sma.ts")).href)) as { default: AnyStrategy };
    return module.default;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
