import type { Json, JsonObject } from "../../../client/api/jsonSchema.ts";
import { escapeHtml, inline } from "./markup.ts";
import { describeType } from "./schemaText.ts";
import { style } from "./style.ts";

interface Operation extends JsonObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly responses: Readonly<Record<string, Response>>;
}
interface Response extends JsonObject {
  readonly description: string;
}
interface Parameter extends JsonObject {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonObject;
}

const METHODS = ["get", "post", "delete"] as const;

/**
 * An OpenAPI document as one page: every operation with its parameters and answers, every schema with its fields. It
 * needs neither script nor network, and supports light and dark mode.
 */
export function renderReference(document: JsonObject): string {
  const info = document["info"] as { title: string; version: string; description: string };
  const tags = document["tags"] as unknown as readonly { name: string; description: string }[];
  const schemas = (document["components"] as JsonObject)["schemas"] as Readonly<Record<string, JsonObject>>;
  const operations = listOperations(document);
  const shared = (document["components"] as JsonObject)["responses"] as Readonly<Record<string, Response>>;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(info.title)} API ${escapeHtml(info.version)}</title>
<style>${style}</style>
</head>
<body>
<nav aria-label="Contents">
<p><strong>${escapeHtml(info.title)}</strong> ${escapeHtml(info.version)}</p>
${tags.map(({ name }) => renderContents(name, operations)).join("\n")}
<h2><a href="#schemas">Schemas</a></h2>
</nav>
<main>
<h1>${escapeHtml(info.title)} API</h1>
${renderMarkdown(info.description)}
<p><a href="openapi.json">The document itself</a>, OpenAPI 3.1. Paths start with <code>/api/v1</code>.</p>
${tags.map((tag) => renderTag(tag, operations, shared)).join("\n")}
<section id="schemas"><h2>Schemas</h2>
${Object.entries(schemas)
  .map(([name, schema]) => renderSchema(name, schema))
  .join("\n")}
</section>
</main>
</body>
</html>
`;
}

interface Entry {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

function listOperations(document: JsonObject): Entry[] {
  const paths = document["paths"] as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const operation = methods[method];
      return operation === undefined ? [] : [{ path, method, operation }];
    }),
  );
}

function renderContents(tag: string, operations: readonly Entry[]): string {
  const items = operations
    .filter(({ operation }) => operation.tags.includes(tag))
    .map(({ operation, method, path }) => {
      const name = `<span class="${method}">${method.toUpperCase()}</span> ${escapeHtml(path)}`;
      return `<li><a href="#${operation.operationId}">${name}</a></li>`;
    });
  return `<h2><a href="#tag-${tag}">${escapeHtml(tag)}</a></h2>\n<ul>${items.join("")}</ul>`;
}

function renderTag(
  { name, description }: { name: string; description: string },
  operations: readonly Entry[],
  shared: Readonly<Record<string, Response>>,
): string {
  const own = operations.filter(({ operation }) => operation.tags.includes(name));
  return `<section id="tag-${name}"><h2>${escapeHtml(name)}</h2><p>${inline(description)}</p>
${own.map((entry) => renderOperation(entry, shared)).join("\n")}
</section>`;
}

function renderOperation({ path, method, operation }: Entry, shared: Readonly<Record<string, Response>>): string {
  const { operationId, summary, description, responses } = operation;
  const parameters = (operation["parameters"] ?? []) as unknown as readonly Parameter[];
  const body = operation["requestBody"] as { content: Record<string, { schema: JsonObject }> } | undefined;
  return `<article id="${operationId}">
<h3><span class="${method}">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></h3>
<p><strong>${inline(summary)}.</strong> ${inline(String(description ?? ""))} <small>${operationId}</small></p>
${parameters.length === 0 ? "" : renderParameters(parameters)}
${body === undefined ? "" : `<h4>Body</h4><p>${describeType(Object.values(body.content)[0]!.schema)}</p>`}
<h4>Answers</h4>
<table><tbody>${Object.entries(responses)
    .map(([status, response]) => renderResponse(status, findShared(response, shared)))
    .join("")}</tbody></table>
</article>`;
}

function findShared(response: Response, shared: Readonly<Record<string, Response>>): Response {
  const { $ref } = response;
  return typeof $ref === "string" ? shared[$ref.slice($ref.lastIndexOf("/") + 1)]! : response;
}

function renderParameters(parameters: readonly Parameter[]): string {
  const rows = parameters.map(({ name, in: place, required, description, schema }) => {
    const type = `${describeType(schema)}${required ? "" : " <small>optional</small>"}`;
    return `<tr><td><code>${escapeHtml(name)}</code> <small>${place}</small></td><td>${type}</td><td>${inline(description)}</td></tr>`;
  });
  return `<table><tbody>${rows.join("")}</tbody></table>`;
}

function renderResponse(status: string, { description, content }: Response): string {
  const [schema] = Object.values((content ?? {}) as Readonly<Record<string, { schema: JsonObject }>>);
  const type = schema === undefined ? "" : describeType(schema.schema);
  return `<tr><td><code>${status}</code></td><td>${type}</td><td>${inline(description)}</td></tr>`;
}

function renderSchema(name: string, schema: JsonObject): string {
  const description = inline(String(schema["description"] ?? ""));
  const properties = schema["properties"] as Readonly<Record<string, JsonObject>> | undefined;
  const required = new Set((schema["required"] ?? []) as readonly string[]);
  const inside =
    properties === undefined
      ? `<p>${describeType(schema, true)}</p>`
      : `<table><tbody>${renderFields(properties, required, "")}</tbody></table>`;
  return `<details id="schema-${name}"><summary><code>${escapeHtml(name)}</code> ${description}</summary>${inside}</details>`;
}

/** Fields of an object, including those of nested objects without a name. */
function renderFields(
  properties: Readonly<Record<string, JsonObject>>,
  required: ReadonlySet<string>,
  path: string,
): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const isOptional = !required.has(name);
      const type = `${describeType(schema)}${isOptional ? " <small>optional</small>" : ""}`;
      const row = `<tr><td><code>${escapeHtml(path + name)}</code></td><td>${type}</td><td>${inline(String(schema["description"] ?? ""))}</td></tr>`;
      return row + renderInner(schema, `${path}${name}`);
    })
    .join("");
}

function renderInner(schema: JsonObject, path: string): string {
  const of = (value: Json | undefined) => value as JsonObject | undefined;
  const parts = (schema["anyOf"] as readonly JsonObject[] | undefined) ?? [schema];
  return parts
    .map((part) => {
      const items = Array.isArray(part["items"]) ? undefined : of(part["items"]);
      const inner = of(part["properties"]) === undefined ? items : part;
      const properties = of(inner?.["properties"]) as Readonly<Record<string, JsonObject>> | undefined;
      if (properties === undefined) return "";
      const required = new Set((inner!["required"] ?? []) as readonly string[]);
      return renderFields(properties, required, `${path}${inner === items ? "[]" : ""}.`);
    })
    .join("");
}

/** Renders paragraphs and lists, the two forms of descriptions. */
function renderMarkdown(text: string): string {
  return text
    .split("\n\n")
    .map((block) => {
      const lines = block.split("\n");
      if (!lines.every((line) => line.startsWith("* "))) return `<p>${inline(block)}</p>`;
      return `<ul>${lines.map((line) => `<li>${inline(line.slice(2))}</li>`).join("")}</ul>`;
    })
    .join("\n");
}
