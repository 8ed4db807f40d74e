/**
 * Renders `docs/reference/sweep.schema.json`: the JSON Schema of a sweep as `perplab sweep --out sweep.json` writes it.
 */
import { sweepSchema } from "../../src/product/research/sweep/sweepSchema.ts";

export const path = "docs/reference/sweep.schema.json";

export function render(): string {
  const { $id, ...schema } = sweepSchema as typeof sweepSchema & { readonly $id: string };
  const head = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id,
    title: "Results of a sweep",
    description:
      "One object: axes, cells in the order of the grid, every metric of each run. Metrics in USD are canonical decimal text, " +
      "others are numbers; times are whole milliseconds since 1970-01-01T00:00:00Z. The version in `schemaVersion` rises with " +
      "every change that breaks a reader.",
  };
  return `${JSON.stringify({ ...head, ...schema }, null, 2)}\n`;
}
