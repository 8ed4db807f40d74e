import type { BodyOf, ParamsOf, QueryOf, ResultOf, Route } from "../../../client/api/route.ts";
import type { OperationId, Routes } from "../../../client/api/routes.ts";
import type { Services } from "../services/services.ts";

/** A request to a route, valid by its schemas. */
export interface Call<R extends Route = Route> {
  readonly params: ParamsOf<R>;
  readonly query: QueryOf<R>;
  readonly body: BodyOf<R>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The requested path, with prefix and query. */
  readonly path: string;
  readonly requestId: string;
  /** Client that the limits count: a network address. */
  readonly client: string;
}

/** A successful answer; errors are thrown as `ProblemError`. */
export interface Answer<R extends Route = Route> {
  readonly status: keyof R["responses"] & number;
  readonly body: ResultOf<R>;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** It may change between blocks, so it gets no ETag and is not cached. */
  readonly volatile?: boolean;
  /** It is for an authenticated reader, so no cache may give it to another client. */
  readonly guarded?: boolean;
  /** Separates answers of one path that differ by reader; part of the ETag. */
  readonly variant?: string;
}

/** Implementation of a route, for any carrier. */
export type Handler<R extends Route> = (services: Services, call: Call<R>) => Answer<R> | Promise<Answer<R>>;

export type HandlersOf<Id extends OperationId> = { readonly [K in Id]: Handler<Routes[K]> };
export type Handlers = HandlersOf<OperationId>;
