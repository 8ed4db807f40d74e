/** Renders `docs/reference/asyncapi.json`: the messages of the streams. */
import { createAsyncApi } from "../../src/client/api/asyncapi.ts";

export const path = "docs/reference/asyncapi.json";

export function render(): string {
  return `${JSON.stringify(createAsyncApi(), null, 2)}\n`;
}
