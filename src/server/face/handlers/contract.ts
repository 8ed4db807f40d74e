import { contract } from "../pages/contract.ts";
import type { HandlersOf } from "./handler.ts";

/** The page runs no script and fetches nothing. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Bodies are texts that are written once; carriers send texts unchanged. */
export const contractHandlers = {
  getOpenApi: () => ({ status: 200, body: contract.text as unknown as Record<string, unknown> }),
  getAsyncApi: () => ({ status: 200, body: contract.streams as unknown as Record<string, unknown> }),
  getReference: () => ({
    status: 200,
    body: contract.page,
    headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": PAGE_POLICY },
  }),
} satisfies HandlersOf<"getOpenApi" | "getAsyncApi" | "getReference">;
