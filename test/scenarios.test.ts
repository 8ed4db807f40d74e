import { join } from "node:path";
import { expect, test } from "vitest";
import { readTextFile } from "../src/product/scenario/parse/include.ts";
import { createReadLine } from "../src/product/scenario/reporters/excerpt.ts";
import { renderPretty } from "../src/product/scenario/reporters/pretty.ts";
import { findScenarioFiles } from "../src/product/scenario/run/findFiles.ts";
import { runScenarioFile } from "../src/product/scenario/run/runScenario.ts";
import { projectRoot } from "./helpers/project.ts";

const plain = (text: string) => text;
const paint = { red: plain, green: plain, yellow: plain, dim: plain, bold: plain };
const folder = join(projectRoot, "scenarios").replaceAll("\\", "/");

test.each(findScenarioFiles([folder]).files.map((file) => [file.slice(folder.length + 1), file]))(
  "%s",
  (_name, file) => {
    const result = runScenarioFile(file);
    const report = renderPretty([result], paint, createReadLine(readTextFile));
    expect(result.status, report).toBe("passed");
  },
);
