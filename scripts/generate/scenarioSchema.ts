/** Renders the JSON Schema of scenario files, from the shapes that also check them. */
import { jsonSchemaOf } from "../../src/product/scenario/shape/jsonSchema.ts";
import { scenarioShape } from "../../src/product/scenario/shape/scenarioShape.ts";

export const path = "scenarios/schema/scenario.schema.json";

export function render(): string {
  const title = "A perplab scenario: a flow of transactions and what is expected of it";
  return `${JSON.stringify(jsonSchemaOf(scenarioShape, { title }), null, 2)}\n`;
}
