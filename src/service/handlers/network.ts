import type { HandlersOf } from "../handler.ts";
import { withAsOf } from "../views/asOf.ts";
import { viewStatus } from "../views/status.ts";

export const networkHandlers = {
  getStatus: (services) => ({ status: 200, body: withAsOf(services.host, viewStatus(services)), volatile: true }),
} satisfies HandlersOf<"getStatus">;
