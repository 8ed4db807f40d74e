import type { BodyOf, ParamsOf, QueryOf, ResultOf, Route } from "../../client/api/route.ts";
import type { OperationId, Routes } from "../../client/api/routes.ts";
import type { Services } from "./services.ts";

/** A request to a route, read and valid by its schemas. */
export interface Call<R extends Route = Route> {
  readonly params: ParamsOf<R>;
  readonly query: QueryOf<R>;
  readonly body: BodyOf<R>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The path as it was asked for, prefix and query included. */
  readonly path: string;
  readonly requestId: string;
  /** Who asks, for limits: an address of the network. */
  readonly client: string;
}

/** An answer that is no error; errors are thrown as `ProblemError`. */
export interface Answer<R extends Route = Route> {
  readonly status: keyof R["responses"] & number;
  readonly body: ResultOf<R>;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** It may change while the height stands, so it gets no ETag and is not kept. */
  readonly volatile?: boolean;
  /** It is for whoever proved who they are, so nobody else is given it from a cache. */
  readonly guarded?: boolean;
  /** Tells answers of one path apart that differ by reader. It becomes a part of the ETag. */
  readonly variant?: string;
}

/** Behaviour of a route, whatever carries it. */
export type Handler<R extends Route> = (services: Services, call: Call<R>) => Answer<R> | Promise<Answer<R>>;

export type HandlersOf<Id extends OperationId> = { readonly [K in Id]: Handler<Routes[K]> };
export type Handlers = HandlersOf<OperationId>;
