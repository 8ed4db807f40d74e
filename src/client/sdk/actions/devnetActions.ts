import type { BodyOf, ParamsOf, QueryOf, ResultOf, Route } from "../../api/route.ts";
import type { DevnetRoutes } from "../../api/routes/devnet.ts";
import type { ClientBase } from "../client.ts";
import { devnetOperations } from "../operations/devnetTable.ts";
import { requestOnce } from "../request.ts";

type Members<R extends Route> = ParamsOf<R> & QueryOf<R> & (R extends { readonly body: object } ? BodyOf<R> : unknown);
type Arguments<R extends Route> = Record<never, never> extends Members<R> ? [input?: Members<R>] : [input: Members<R>];

/** A function for every control of a development venue, by its operation id: `client.mineBlocks({ blocks: 3 })`. */
export type DevnetActions = {
  readonly [Id in keyof DevnetRoutes]: (...input: Arguments<DevnetRoutes[Id]>) => Promise<ResultOf<DevnetRoutes[Id]>>;
};

/**
 * Control of a development venue: blocks, time, prices, operator transactions, snapshots. For tests only.
 *
 * @param adminToken the venue's, which it then requires of every client; without one only its own machine may control
 * it
 */
export function devnetActions(adminToken?: string): (client: ClientBase) => DevnetActions {
  return ({ core }) => {
    const { transport, clock, retry } = core;
    const headers = () => (adminToken === undefined ? core.headers() : { authorization: `Bearer ${adminToken}` });
    const requester = { transport, clock, retry, headers };
    const actions = Object.entries(devnetOperations).map(([id, { method, path: pattern }]) => [
      id,
      (input: Readonly<Record<string, unknown>> = {}) => {
        const rest = { ...input };
        const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
          const value = rest[name];
          delete rest[name];
          return encodeURIComponent(String(value));
        });
        // Members that are not in the path are the body of a POST.
        return requestOnce(requester, { method, path, prefix: "", ...(method === "POST" ? { body: rest } : {}) });
      },
    ]);
    return Object.fromEntries(actions) as DevnetActions;
  };
}
