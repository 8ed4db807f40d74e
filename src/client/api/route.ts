import type { Static, TObject, TSchema } from "typebox";
import type { ProblemCode } from "./problem.ts";

export type Method = "GET" | "POST" | "DELETE";

/**
 * One operation of the REST interface, written once. The server validates with its schemas, and the OpenAPI document is
 * generated from them. The SDK's types derive from them, and the contract fuzzer draws requests from them.
 */
export interface Route {
  readonly method: Method;
  /** Appended to the prefix, with parameters in braces: `/markets/{market}/book`. */
  readonly path: string;
  readonly tag: string;
  /** One line. */
  readonly summary: string;
  /** Further text, in Markdown. */
  readonly description?: string;
  readonly params?: TObject;
  readonly query?: TObject;
  /** Request headers that this operation reads, lower case. */
  readonly headers?: TObject;
  readonly body?: TSchema;
  /** Longest body, in bytes; 65,536 by default. */
  readonly bodyMost?: number;
  /** Bodies of successful answers, by status; `null` for an empty body. */
  readonly responses: Readonly<Record<number, TSchema | null>>;
  /** Of successful answers; `application/json` by default. */
  readonly contentType?: string;
  /** Errors of this operation, in addition to those of every operation. */
  readonly problems?: readonly ProblemCode[];
  /** What it costs of a client's allowance. */
  readonly weight: number;
}

/** Problems of operations that need a session if the network shows accounts to their owners only. */
export const GUARDED = ["SESSION_REQUIRED", "UNAUTHORIZED"] as const satisfies readonly ProblemCode[];

/** Checks the shape and keeps the exact types. */
export function defineRoute<const R extends Route>(route: R): R {
  return route;
}

type StaticOr<S, Otherwise> = S extends TSchema ? Static<S> : Otherwise;
export type ParamsOf<R extends Route> = StaticOr<R["params"], Record<never, never>>;
export type QueryOf<R extends Route> = StaticOr<R["query"], Record<never, never>>;
export type BodyOf<R extends Route> = StaticOr<R["body"], undefined>;
/** Body of successful answers. */
export type ResultOf<R extends Route> = StaticOr<R["responses"][keyof R["responses"]], undefined>;
