/** Writes the OpenAPI document of the REST interface, from the table of routes. */
import { createOpenApi } from "../../src/api/openapi.ts";

export const path = "docs/reference/openapi.json";

export function render(): string {
  return JSON.stringify(createOpenApi(), null, 2);
}
