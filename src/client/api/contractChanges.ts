import type { Json, JsonObject } from "./jsonSchema.ts";

/**
 * Lists the breaking changes between two contracts, in words; empty if every client of the earlier one still works.
 *
 * A request may become freer, never stricter: no new required member, no narrower type, no word removed. An answer may
 * gain members, never lose one or make it optional, and no type may widen. A new word in an answer is allowed, since
 * the contract asks clients to expect unknown words.
 */
export function listBreakingChanges(before: JsonObject, after: JsonObject): string[] {
  const breaks: string[] = [];
  const seen = new Set<string>();
  const old = operationsOf(before);
  const now = operationsOf(after);
  for (const [place, { name, operation }] of old) {
    const next = now.get(place)?.operation;
    if (next === undefined) breaks.push(`${name}: the operation is gone`);
    else compareOperations(name, operation, next, { before, after, breaks, seen });
  }
  return breaks;
}

interface Context {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly breaks: string[];
  /** Pairs of schemas that were compared, to report a schema with many uses once. */
  readonly seen: Set<string>;
}

type Way = "sent" | "answered";

/** Operations by method and path, with the name that the document gives them. */
function operationsOf(document: JsonObject): Map<string, { readonly name: string; readonly operation: JsonObject }> {
  const operations = new Map<string, { readonly name: string; readonly operation: JsonObject }>();
  for (const [path, methods] of Object.entries(document["paths"] as JsonObject)) {
    for (const [method, operation] of Object.entries(methods as JsonObject)) {
      const name = `${method.toUpperCase()} ${path}`;
      operations.set(withPlaces(name), { name, operation: operation as JsonObject });
    }
  }
  return operations;
}

/** A path with numbered parameters: requests do not carry their names, so `/blocks/{height}` is `/blocks/{1}`. */
function withPlaces(path: string): string {
  let place = 0;
  return path.replace(/\{\w+\}/g, () => `{${++place}}`);
}

function compareOperations(name: string, before: JsonObject, after: JsonObject, context: Context): void {
  const { breaks } = context;
  if (before["operationId"] !== after["operationId"]) breaks.push(`${name}: its operation id changed`);
  const old = parametersOf(before);
  const now = parametersOf(after);
  for (const [place, parameter] of old) {
    const next = now.get(place);
    if (next === undefined) breaks.push(`${name}: ${place} is no longer accepted`);
    else compare(`${name}: ${place}`, parameter["schema"], next["schema"], "sent", context);
  }
  for (const [place, parameter] of now) {
    if (parameter["required"] === true && old.get(place)?.["required"] !== true) {
      breaks.push(`${name}: ${place} is required now`);
    }
  }
  const body = schemaOf(before["requestBody"]);
  const nextBody = schemaOf(after["requestBody"]);
  if (body === undefined && nextBody !== undefined) breaks.push(`${name}: a body is required now`);
  if (body !== undefined && nextBody === undefined) breaks.push(`${name}: a body is no longer accepted`);
  else if (body !== undefined) compare(`${name}: body`, body, nextBody!, "sent", context);
  for (const [status, response] of Object.entries(before["responses"] as JsonObject)) {
    const next = (after["responses"] as JsonObject)[status];
    if (next === undefined) {
      if (Number(status) < 300) breaks.push(`${name}: status ${status} is no longer answered`);
      continue;
    }
    const schema = schemaOf(resolve(response, context.before));
    const nextSchema = schemaOf(resolve(next, context.after));
    if (schema !== undefined && nextSchema === undefined) breaks.push(`${name}: ${status} no longer has a body`);
    else if (schema !== undefined) compare(`${name}: ${status}`, schema, nextSchema!, "answered", context);
  }
}

function parametersOf(operation: JsonObject): Map<string, JsonObject> {
  const list = (operation["parameters"] ?? []) as readonly JsonObject[];
  let place = 0;
  return new Map(
    list.map((parameter) => {
      const name = parameter["in"] === "path" ? ++place : parameter["name"];
      return [`${parameter["in"]}.${name}`, parameter];
    }),
  );
}

function schemaOf(holder: Json | undefined): Json | undefined {
  const content = (holder as JsonObject | undefined)?.["content"] as JsonObject | undefined;
  return (Object.values(content ?? {})[0] as JsonObject | undefined)?.["schema"];
}

/** Members that bound a value: in a request, a tighter bound rejects what was accepted before. */
const BOUNDS = { minimum: 1, minLength: 1, minItems: 1, maximum: -1, maxLength: -1, maxItems: -1 } as const;

function compare(
  place: string,
  oldSchema: Json | undefined,
  newSchema: Json | undefined,
  way: Way,
  context: Context,
): void {
  const { breaks } = context;
  const before = resolve(oldSchema, context.before);
  const after = resolve(newSchema, context.after);
  const [old, now] = [JSON.stringify(before), JSON.stringify(after)];
  if (old === now && !old.includes('"$ref"')) return;
  const pair = `${way} ${old} ${now}`;
  if (context.seen.has(pair)) return;
  context.seen.add(pair);
  const options = variantsOf(before);
  const nextOptions = variantsOf(after);
  if (options.length > 1 || nextOptions.length > 1) {
    compareVariants(place, options, nextOptions, way, context);
    return;
  }
  if (before["type"] !== undefined && before["type"] !== after["type"]) {
    breaks.push(`${place}: its type was ${before["type"]} and is ${after["type"] ?? "any"}`);
    return;
  }
  compareWords(place, before, after, way, breaks);
  if (before["pattern"] !== after["pattern"]) breaks.push(`${place}: its pattern changed`);
  if (way === "sent") compareBounds(place, before, after, breaks);
  compareMembers(place, before, after, way, context);
  if (before["items"] !== undefined && typeof before["items"] === "object") {
    compare(`${place}[]`, before["items"], after["items"], way, context);
  }
  const tuple = before["prefixItems"] as readonly Json[] | undefined;
  const nextTuple = (after["prefixItems"] ?? []) as readonly Json[];
  tuple?.forEach((item, at) => {
    compare(`${place}[${at}]`, item, nextTuple[at], way, context);
  });
}

function compareVariants(
  place: string,
  before: readonly JsonObject[],
  after: readonly JsonObject[],
  way: Way,
  context: Context,
): void {
  const { breaks } = context;
  const old = new Map(before.map((option) => [nameOf(option), option]));
  const now = new Map(after.map((option) => [nameOf(option), option]));
  for (const [name, option] of old) {
    const next = now.get(name);
    if (next !== undefined) compare(`${place}<${name}>`, option, next, way, context);
    else if (way === "sent") breaks.push(`${place}: ${name} is no longer accepted`);
  }
  if (way === "sent") return;
  for (const name of now.keys()) {
    if (!old.has(name) && !name.startsWith("#")) breaks.push(`${place}: it may be ${name} now`);
  }
}

/** Name by which variants are matched: their schema name, else their type and constant. */
function nameOf(option: JsonObject): string {
  const { $ref, type } = option;
  if (typeof $ref === "string") return $ref;
  return Object.hasOwn(option, "const") ? JSON.stringify(option["const"]) : String(type ?? "any");
}

function compareWords(place: string, before: JsonObject, after: JsonObject, way: Way, breaks: string[]): void {
  const old = (before["enum"] ?? (Object.hasOwn(before, "const") ? [before["const"]] : undefined)) as
    | readonly Json[]
    | undefined;
  const now = (after["enum"] ?? (Object.hasOwn(after, "const") ? [after["const"]] : undefined)) as
    | readonly Json[]
    | undefined;
  if (old === undefined) {
    if (now !== undefined && way === "sent") breaks.push(`${place}: only some words are accepted now`);
    return;
  }
  if (now === undefined) {
    if (way === "answered") breaks.push(`${place}: it may be any word now`);
    return;
  }
  for (const word of old) if (!now.includes(word)) breaks.push(`${place}: the word ${JSON.stringify(word)} is gone`);
}

function compareBounds(place: string, before: JsonObject, after: JsonObject, breaks: string[]): void {
  for (const [name, sign] of Object.entries(BOUNDS)) {
    const next = after[name];
    if (typeof next !== "number") continue;
    const old = before[name];
    if (typeof old !== "number" || (next - old) * sign > 0) breaks.push(`${place}: ${name} is tighter, ${next}`);
  }
}

function compareMembers(place: string, before: JsonObject, after: JsonObject, way: Way, context: Context): void {
  const { breaks } = context;
  const old = (before["properties"] ?? {}) as JsonObject;
  const now = (after["properties"] ?? {}) as JsonObject;
  const oldRequired = new Set((before["required"] ?? []) as readonly string[]);
  const nowRequired = new Set((after["required"] ?? []) as readonly string[]);
  for (const [name, schema] of Object.entries(old)) {
    const at = `${place}.${name}`;
    if (!Object.hasOwn(now, name)) breaks.push(`${at}: the member is gone`);
    else compare(at, schema, now[name], way, context);
    if (way === "answered" && oldRequired.has(name) && Object.hasOwn(now, name) && !nowRequired.has(name)) {
      breaks.push(`${at}: it may be absent now`);
    }
  }
  if (way === "sent") {
    for (const name of nowRequired) if (!oldRequired.has(name)) breaks.push(`${place}.${name}: it is required now`);
  }
}

function variantsOf(schema: JsonObject): readonly JsonObject[] {
  return (schema["anyOf"] as readonly JsonObject[] | undefined) ?? [schema];
}

/** What a reference of a document points at. */
function resolve(value: Json | undefined, document: JsonObject): JsonObject {
  let found = (value ?? {}) as JsonObject;
  while (typeof found["$ref"] === "string") {
    let at: Json = document;
    for (const name of found["$ref"].slice(2).split("/")) at = ((at as JsonObject)[name] ?? {}) as JsonObject;
    found = at as JsonObject;
  }
  return found;
}
