/** Writes `src/sdk/operations/table.ts`: what a client needs of the table of routes, without their schemas. */
import { OPERATION_IDS, routes } from "../../src/api/routes.ts";

export const path = "src/sdk/operations/table.ts";

export function render(): string {
  const rows = OPERATION_IDS.map((id) => `  ${id}: { method: "${routes[id].method}", path: "${routes[id].path}" },`);
  return `// Generated from src/api/routes.ts by \`npm run generate\`. Do not edit.
import type { Routes } from "../../api/routes.ts";

/** Method and path of every operation, by operation id. The schemas stay behind: a client has their types alone. */
export const operations = {
${rows.join("\n")}
} as const satisfies { readonly [Id in keyof Routes]: Pick<Routes[Id], "method" | "path"> };
`;
}
