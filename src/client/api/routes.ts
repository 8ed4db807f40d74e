import type { Route } from "./route.ts";
import { accountRoutes } from "./routes/accounts.ts";
import { authorizationRoutes } from "./routes/authorizations.ts";
import { contractRoutes } from "./routes/contract.ts";
import { faucetRoutes } from "./routes/faucet.ts";
import { liquidationRoutes } from "./routes/liquidations.ts";
import { marketRoutes } from "./routes/markets.ts";
import { networkRoutes } from "./routes/network.ts";
import { sessionRoutes } from "./routes/session.ts";
import { submissionRoutes } from "./routes/submission.ts";

/** Every operation of the REST interface, by operation id. */
export const routes = {
  ...networkRoutes,
  ...marketRoutes,
  ...accountRoutes,
  ...liquidationRoutes,
  ...authorizationRoutes,
  ...submissionRoutes,
  ...sessionRoutes,
  ...faucetRoutes,
  ...contractRoutes,
} as const satisfies Readonly<Record<string, Route>>;

export type Routes = typeof routes;
export type OperationId = keyof Routes;
export const OPERATION_IDS = Object.keys(routes) as readonly OperationId[];
