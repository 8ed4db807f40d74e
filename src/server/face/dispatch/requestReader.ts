import type { TObject, TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import type { Route } from "../../../client/api/route.ts";
import { parseStrictJson } from "../../../protocol/codecText.ts";
import { isValidationError } from "../../../protocol/errors.ts";
import { invalidField, ProblemError } from "../problems/problems.ts";
import { findSchemaFaults } from "../problems/schemaFaults.ts";

/** Default of the longest body, in bytes. */
export const BODY_MOST = 65_536;

/** Members of a request that a route reads, checked and converted. */
export interface ReadRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Part of the request with the fault. */
type Part = "path" | "query" | "header" | "body";

/**
 * Reads requests of one route. Strict: an unknown member is refused, as is a duplicate one. Only whole numbers and
 * `true` or `false` of a query are converted. Validators are compiled when first needed.
 */
export class RequestReader {
  readonly #route: Route;
  readonly #validators = new Map<Part, Validator>();
  /** Whether the handler checks the body itself. */
  readonly #ownBody: boolean;

  constructor(route: Route, ownBody: boolean) {
    this.#route = route;
    this.#ownBody = ownBody;
  }

  /**
   * @param query   text after the question mark
   * @param headers names in lower case
   * @throws {ProblemError} MALFORMED_REQUEST, VALIDATION_ERROR
   */
  read(
    params: Readonly<Record<string, string>>,
    query: string,
    headers: Readonly<Record<string, string>>,
    body: string | undefined,
  ): ReadRequest {
    const { route } = this;
    if (route.headers !== undefined) this.#checkHeaders(route.headers, headers);
    return {
      params: route.params === undefined ? params : this.#check("path", route.params, params),
      query: this.#readQuery(query),
      body: this.#readBody(body),
    };
  }

  get route(): Route {
    return this.#route;
  }

  #readQuery(text: string): Readonly<Record<string, unknown>> {
    const schema = this.#route.query;
    const members = splitQuery(text);
    const known: Readonly<Record<string, TSchema>> = schema?.properties ?? {};
    const query: Record<string, unknown> = {};
    for (const [name, value] of members) {
      const member = Object.hasOwn(known, name) ? known[name] : undefined;
      if (member === undefined) throw unknownMember("query", name, known);
      query[name] = convert(value, member);
    }
    return schema === undefined ? query : this.#check("query", schema, query);
  }

  /** Checks only the headers that this operation reads; clients send many others. */
  #checkHeaders(schema: TObject, given: Readonly<Record<string, string>>): void {
    const headers: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(schema.properties)) {
      const value = given[name];
      if (value !== undefined) headers[name] = convert(value, member);
    }
    this.#check("header", schema, headers);
  }

  #readBody(text: string | undefined): unknown {
    const schema = this.#route.body;
    if (schema === undefined) {
      if (text === undefined || text === "") return undefined;
      throw new ProblemError("MALFORMED_REQUEST", "This operation takes no body; send none.", { reason: "BODY" });
    }
    if (text === undefined || text === "") throw missingBody(schema);
    const body = readJson(text, this.route.bodyMost ?? BODY_MOST);
    if (this.#ownBody) return body;
    const known = (schema as Partial<TObject>).properties;
    if (known !== undefined && typeof body === "object" && body !== null) {
      for (const name of Object.keys(body)) if (!Object.hasOwn(known, name)) throw unknownMember("body", name, known);
    }
    return this.#check("body", schema, body);
  }

  #check<Value>(part: Part, schema: TSchema, value: Value): Value {
    let validator = this.#validators.get(part);
    if (validator === undefined) {
      validator = Compile(schema);
      this.#validators.set(part, validator);
    }
    if (!validator.Check(value)) throw describeFault(part, validator, value);
    return value;
  }
}

/**
 * Parses a body with the strict reader of the wire: no duplicate key, whole numbers only, bounded depth.
 *
 * @throws {ProblemError} MALFORMED_REQUEST
 */
function readJson(text: string, most: number): unknown {
  try {
    return parseStrictJson(text, most);
  } catch (error) {
    if (!isValidationError(error)) throw error;
    throw malformedBody(error.path, error.fault, error.reason, error.hint);
  }
}

function missingBody(schema: TSchema): ProblemError {
  const { required = [] } = schema as { readonly required?: readonly string[] };
  const members = required.length === 0 ? "" : ` with ${required.join(", ")}`;
  const errors = ["body", ...required.map((name) => `body.${name}`)].map((pointer) => ({
    pointer,
    rule: "missingField",
    message: "is missing",
  }));
  return new ProblemError("MALFORMED_REQUEST", `The body is missing; send a JSON object${members}.`, {
    reason: "BODY",
    errors,
  });
}

function malformedBody(path: string, rule: string, reason: string, hint: string): ProblemError {
  const pointer = path === "" ? "body" : `body.${path}`;
  const detail = `The body cannot be read: ${reason}${path === "" ? "" : ` (${pointer})`}; ${hint}.`;
  const errors = [{ pointer, rule, message: reason }];
  const kind = rule === "tooLarge" ? { reason: "TOO_LARGE", status: 413 } : { reason: "JSON" };
  return new ProblemError("MALFORMED_REQUEST", detail, { ...kind, errors });
}

/** Members of a query in their order; a duplicate is refused. A plus sign is literal, not a space. */
function splitQuery(text: string): [string, string][] {
  if (text === "") return [];
  const members = text.split("&").map((member): [string, string] => {
    const at = member.indexOf("=");
    const [name, value] = at < 0 ? [member, ""] : [member.slice(0, at), member.slice(at + 1)];
    try {
      return [decodeURIComponent(name), decodeURIComponent(value)];
    } catch {
      throw new ProblemError("MALFORMED_REQUEST", "The query is not percent-encoded text.", { reason: "ENCODING" });
    }
  });
  const names = new Set<string>();
  for (const [name] of members) {
    if (names.has(name)) throw invalidField(`query.${show(name)}`, "duplicate", "is given twice; write it once");
    names.add(name);
  }
  return members;
}

/** Converts text to its schema's type, if it is the type's canonical text. Other texts stay, and fail the check. */
function convert(text: string, schema: TSchema): unknown {
  const { type } = schema as { readonly type?: string };
  if (type === "integer") return /^(0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : text;
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  return text;
}

function unknownMember(part: Part, name: string, known: Readonly<Record<string, unknown>>): ProblemError {
  const names = Object.keys(known).join(", ");
  return invalidField(`${part}.${show(name)}`, "unknownField", `is not known; known are ${names || "none"}`);
}

/** A name from the request, shortened for an answer. */
function show(name: string): string {
  return name.length > 48 ? `${name.slice(0, 45)}...` : name;
}

function describeFault(part: Part, validator: Validator, value: unknown): ProblemError {
  const errors = findSchemaFaults(validator, value)
    .slice(0, 8)
    .map(({ path, rule, message }) => ({ pointer: [part, ...path].map(show).join("."), rule, message }));
  const first = errors[0] ?? { pointer: part, rule: "schema", message: "does not fit its schema" };
  const detail = `\`${first.pointer}\` ${first.message}.`;
  return new ProblemError("VALIDATION_ERROR", detail, { errors: errors.length === 0 ? [first] : errors });
}
