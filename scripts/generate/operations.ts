/** Writes `src/client/sdk/operations/*Table.ts`: the part of the route tables that a client needs, without schemas. */
import type { Route } from "../../src/client/api/route.ts";
import { devnetRoutes } from "../../src/client/api/routes/devnet.ts";
import { routes } from "../../src/client/api/routes.ts";

interface Table {
  readonly path: string;
  readonly source: string;
  readonly type: string;
  readonly name: string;
  readonly doc: string;
  readonly rows: Readonly<Record<string, Route>>;
}

const TABLES: readonly Table[] = [
  {
    path: "src/client/sdk/operations/table.ts",
    source: "routes.ts",
    type: "Routes",
    name: "operations",
    doc: "Method, path and required body members of every operation, by id. A client has the schemas as types alone.",
    rows: routes,
  },
  {
    path: "src/client/sdk/operations/devnetTable.ts",
    source: "routes/devnet.ts",
    type: "DevnetRoutes",
    name: "devnetOperations",
    doc: "Method, path and required body members of every control of a development venue, by operation id.",
    rows: devnetRoutes,
  },
];

export const outputs = TABLES.map((table) => ({ path: table.path, render: () => renderTable(table) }));

function renderTable({ source, type, name, doc, rows }: Table): string {
  const lines = Object.entries(rows).map(
    ([id, { method, path, body }]) => `  ${id}: { method: "${method}", path: "${path}"${bodyOf(body)} },`,
  );
  return `// Generated from src/client/api/${source} by \`npm run generate\`. Do not edit.
import type { ${type} } from "../../api/${source}";

/** ${doc} */
export const ${name} = {
${lines.join("\n")}
} as const satisfies { readonly [Id in keyof ${type}]: Pick<${type}[Id], "method" | "path"> & { readonly body?: readonly string[] } };
`;
}

/** Members that a body must have; a route without a body has no such list. */
function bodyOf(schema: Route["body"]): string {
  if (schema === undefined) return "";
  const { required = [] } = schema as { readonly required?: readonly string[] };
  return `, body: [${required.map((name) => `"${name}"`).join(", ")}]`;
}
