/** Renders `docs/validation.md` from what `npm run validation` measured. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { renderValidation } from "../../bench/validation/page.ts";
import type { Results } from "../../bench/validation/results.ts";

export const path = "docs/validation.md";

export function render(): string {
  const file = join(import.meta.dirname, "../../docs/evidence/validation.json");
  return renderValidation(JSON.parse(readFileSync(file, "utf8")) as Results);
}
