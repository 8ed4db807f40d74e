import { API_PREFIX, type ApiRequest } from "../../../src/client/api/endpoint.ts";
import type { Route } from "../../../src/client/api/route.ts";
import { routes } from "../../../src/client/api/routes.ts";
import type { Draft, Fact, FactKind, Twist } from "./drafts.ts";

/** Values that the venue has returned so far. */
export type Facts = Readonly<Record<FactKind, readonly string[]>>;

export interface Written {
  readonly request: ApiRequest;
  /** Whether some twist makes it surely wrong. */
  readonly isWrong: boolean;
  /** Whether it is as it should be, in every part. */
  readonly isPlain: boolean;
}

function isFact(value: unknown): value is Fact {
  return typeof value === "object" && value !== null && "fact" in value && "pick" in value;
}

/** In the right form, of something that is not there. */
const NOTHING: Readonly<Record<FactKind, string>> = {
  address: `0x${"0".repeat(40)}`,
  market: "NONE",
  height: "0",
  txId: `0x${"0".repeat(64)}`,
  cursor: "none",
  liquidation: "L-0-0",
  challenge: "none",
};

function fillIn(value: unknown, facts: Facts): unknown {
  if (!isFact(value)) return value;
  const known = facts[value.fact];
  return known.length === 0 ? NOTHING[value.fact] : known[value.pick % known.length]!;
}

/** The request that a draft is, with what is known now. */
export function writeRequest(draft: Draft, facts: Facts): Written {
  const route: Route = routes[draft.operation];
  const read = (given: Readonly<Record<string, unknown>>): [string, unknown][] =>
    Object.entries(given).map(([name, value]) => [name, fillIn(value, facts)]);
  const params = read(draft.params).map(([name, value]): [string, string] => [name, String(value)]);
  const query = read(draft.query).map(([name, value]): [string, string] => [name, String(value)]);
  const headers = Object.fromEntries(read(draft.headers).map(([name, value]) => [name, String(value)]));
  const isObject = typeof draft.body === "object" && draft.body !== null;
  let body: unknown = isObject ? structuredClone(draft.body) : undefined;
  for (const [name, value] of Object.entries((body ?? {}) as object)) (body as Members)[name] = fillIn(value, facts);
  if (draft.operation === "verifyChallenge") (body as Members)["signature"] ??= "0x";

  let method: string = draft.isHead && route.method === "GET" ? "HEAD" : route.method;
  let text: string | undefined;
  let [rawQuery, pathEnd, isWrong] = ["", "", false];
  if (body !== undefined) headers["content-type"] = "application/json";
  const each = <Kind extends Twist["kind"]>(kind: Kind, apply: (twist: Extract<Twist, { kind: Kind }>) => void) => {
    for (const one of draft.twists) if (one.kind === kind) apply(one as Extract<Twist, { kind: Kind }>);
  };
  each("param", ({ pick, text }) => {
    if (params.length > 0) params[pick % params.length]![1] = text;
  });
  each("query", ({ pick, text }) => {
    if (query.length > 0) query[pick % query.length]![1] = text;
  });
  each("unknownQuery", ({ name, value }) => {
    const known = Object.keys(route.query?.properties ?? {});
    query.push([known.includes(name) ? "more" : name, value]);
    isWrong = true;
  });
  each("doubleQuery", () => {
    if (query.length === 0) return;
    query.push(query[0]!);
    isWrong = true;
  });
  each("rawQuery", (twist) => {
    rawQuery = twist.text;
  });
  each("member", ({ pick, value }) => {
    if (body !== undefined) body = edit(body, pick, () => value);
  });
  each("withoutMember", ({ pick }) => {
    if (body !== undefined) body = edit(body, pick, () => undefined);
  });
  each("unknownMember", ({ value }) => {
    if (typeof body !== "object" || body === null || Array.isArray(body)) return;
    (body as Members)["more"] = value ?? 1;
    isWrong = true;
  });
  if (body !== undefined) text = JSON.stringify(body);
  each("doubleMember", () => {
    const first = text === undefined ? null : /^\{("[^"\\]*":)/.exec(text);
    if (first === null) return;
    text = `{${first[1]}1,${text!.slice(1)}`;
    isWrong = true;
  });
  each("body", (twist) => {
    if (route.body === undefined) return;
    text = twist.text;
  });
  each("cutBody", ({ at }) => {
    if (text === undefined || text.length < 2) return;
    text = text.slice(0, at % (text.length - 1));
    isWrong = true;
  });
  each("bodyOfRead", (twist) => {
    if (route.body !== undefined || twist.text === "") return;
    text = twist.text;
    isWrong = true;
  });
  each("contentType", ({ type }) => {
    if (text === undefined) return;
    headers["content-type"] = type;
    isWrong = true;
  });
  each("method", (twist) => {
    method = twist.method;
  });
  each("header", ({ name, text }) => {
    headers[name] = text;
  });
  each("path", ({ add }) => {
    pathEnd = add;
  });
  let path = route.path;
  for (const [name, value] of params) path = path.replace(`{${name}}`, () => encodeText(value));
  const asked = query.map(([name, value]) => `${encodeText(name)}=${encodeText(value)}`);
  if (rawQuery !== "") asked.push(rawQuery);
  const whole = `${API_PREFIX}${path}${pathEnd}${asked.length === 0 ? "" : `?${asked.join("&")}`}`;
  return {
    request: { method, path: whole, headers, ...(text === undefined ? {} : { body: text }) } as ApiRequest,
    // Another method may be another operation, another path another thing.
    isWrong: isWrong && method === route.method && pathEnd === "",
    isPlain: draft.twists.length === 0,
  };
}

type Members = Record<string, unknown>;

/** Percent-encoded; a half of a pair cannot be. */
function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Another value at some place of a JSON value; undefined takes the place away. */
function edit(value: unknown, pick: number, change: () => unknown): unknown {
  if (typeof value !== "object" || value === null) return change();
  const names = Object.keys(value);
  if (names.length === 0) return change();
  const name = names[pick % names.length]!;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Members;
  const rest = Math.floor(pick / names.length);
  const next = rest > 0 ? edit(copy[name], rest, change) : change();
  if (next === undefined) delete copy[name];
  else copy[name] = next;
  return copy;
}
