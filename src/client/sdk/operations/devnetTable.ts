// Generated from src/client/api/routes/devnet.ts by `npm run generate`. Do not edit.
import type { DevnetRoutes } from "../../api/routes/devnet.ts";

/** Method, path and required body members of every control of a development venue, by operation id. */
export const devnetOperations = {
  getDevnet: { method: "GET", path: "/devnet" },
  getDevnetContract: { method: "GET", path: "/devnet/openapi.json" },
  mineBlocks: { method: "POST", path: "/devnet/mine", body: [] },
  setBlockMode: { method: "POST", path: "/devnet/mode", body: ["mode"] },
  moveTime: { method: "POST", path: "/devnet/time", body: [] },
  setClock: { method: "POST", path: "/devnet/clock", body: ["kind"] },
  reportPrices: { method: "POST", path: "/devnet/oracle", body: ["market"] },
  setStaleness: { method: "POST", path: "/devnet/staleness", body: ["market", "afterMs"] },
  setMarketPrices: { method: "POST", path: "/devnet/prices", body: ["market", "price"] },
  setCollateral: { method: "POST", path: "/devnet/collateral", body: ["account", "amount"] },
  setPosition: { method: "POST", path: "/devnet/position", body: ["account", "market", "size"] },
  impersonate: { method: "POST", path: "/devnet/impersonate", body: ["account", "action"] },
  signSystem: { method: "POST", path: "/devnet/system", body: ["action"] },
  listSnapshots: { method: "GET", path: "/devnet/snapshots" },
  takeSnapshot: { method: "POST", path: "/devnet/snapshots", body: [] },
  revert: { method: "POST", path: "/devnet/revert", body: ["to"] },
  dumpVenue: { method: "GET", path: "/devnet/dump" },
  loadVenue: { method: "POST", path: "/devnet/load", body: ["dump"] },
  dropTransaction: { method: "DELETE", path: "/devnet/pending/{txId}" },
  listFaults: { method: "GET", path: "/devnet/faults" },
  addFault: { method: "POST", path: "/devnet/faults", body: ["kind"] },
  clearFaults: { method: "DELETE", path: "/devnet/faults" },
  removeFault: { method: "DELETE", path: "/devnet/faults/{fault}" },
} as const satisfies {
  readonly [Id in keyof DevnetRoutes]: Pick<DevnetRoutes[Id], "method" | "path"> & {
    readonly body?: readonly string[];
  };
};
