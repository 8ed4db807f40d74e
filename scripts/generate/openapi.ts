/** Writes the OpenAPI documents of the REST interface and of a devnet's control, from the tables of routes. */
import { createDevnetOpenApi, createOpenApi } from "../../src/client/api/openapi.ts";

export const outputs = [
  { path: "docs/reference/openapi.json", render: () => JSON.stringify(createOpenApi(), null, 2) },
  { path: "docs/reference/openapi.devnet.json", render: () => JSON.stringify(createDevnetOpenApi(), null, 2) },
];
