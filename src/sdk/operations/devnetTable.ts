// Generated from src/api/routes/devnet.ts by `npm run generate`. Do not edit.
import type { DevnetRoutes } from "../../api/routes/devnet.ts";

/** Method and path of every control of a development venue, by operation id. */
export const devnetOperations = {
  getDevnet: { method: "GET", path: "/devnet" },
  getDevnetContract: { method: "GET", path: "/devnet/openapi.json" },
  mineBlocks: { method: "POST", path: "/devnet/mine" },
  setBlockMode: { method: "POST", path: "/devnet/mode" },
  moveTime: { method: "POST", path: "/devnet/time" },
  setClock: { method: "POST", path: "/devnet/clock" },
  reportPrices: { method: "POST", path: "/devnet/oracle" },
  setStaleness: { method: "POST", path: "/devnet/staleness" },
  setMarketPrices: { method: "POST", path: "/devnet/prices" },
  setCollateral: { method: "POST", path: "/devnet/collateral" },
  setPosition: { method: "POST", path: "/devnet/position" },
  impersonate: { method: "POST", path: "/devnet/impersonate" },
  signSystem: { method: "POST", path: "/devnet/system" },
  listSnapshots: { method: "GET", path: "/devnet/snapshots" },
  takeSnapshot: { method: "POST", path: "/devnet/snapshots" },
  revert: { method: "POST", path: "/devnet/revert" },
  dumpVenue: { method: "GET", path: "/devnet/dump" },
  loadVenue: { method: "POST", path: "/devnet/load" },
  dropTransaction: { method: "DELETE", path: "/devnet/pending/{tx_id}" },
  listFaults: { method: "GET", path: "/devnet/faults" },
  addFault: { method: "POST", path: "/devnet/faults" },
  clearFaults: { method: "DELETE", path: "/devnet/faults" },
  removeFault: { method: "DELETE", path: "/devnet/faults/{fault}" },
} as const satisfies { readonly [Id in keyof DevnetRoutes]: Pick<DevnetRoutes[Id], "method" | "path"> };
