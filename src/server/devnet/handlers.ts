import type { DevnetRoutes } from "../../client/api/routes/devnet.ts";
import type { Bytes32 } from "../../protocol/fields.ts";
import { computeRoot } from "../../venue/engine/commitment/root.ts";
import type { Answer, Call } from "../face/handlers/handler.ts";
import { contract } from "../face/pages/contract.ts";
import { invalidField } from "../face/problems/problems.ts";
import { readAddress } from "../face/services/access.ts";
import { withAsOf } from "../host/asOf.ts";
import type { VenueHost } from "../host/host.ts";
import type { DevnetControl } from "./control.ts";
import type { FaultPlan } from "./faults/plan.ts";

/** Dependencies of control. */
export interface DevnetServices {
  readonly host: VenueHost;
  readonly control: DevnetControl;
  readonly faults: FaultPlan;
}

type DevnetHandler<Id extends keyof DevnetRoutes> = (
  services: DevnetServices,
  call: Call<DevnetRoutes[Id]>,
) => Answer<DevnetRoutes[Id]> | Promise<Answer<DevnetRoutes[Id]>>;
type DevnetHandlers = { readonly [Id in keyof DevnetRoutes]: DevnetHandler<Id> };

/** Control may act between two blocks, so no answer is cached. */
function answer<D>({ host }: DevnetServices, data: D) {
  return { status: 200, body: withAsOf(host, data), volatile: true } as const;
}

interface AccountBody {
  readonly account: string;
  readonly subaccount?: number;
}
const whom = ({ account, subaccount }: AccountBody) => ({ account: readAddress(account, "body.account"), subaccount });

/** Implementation of control, by operation id. */
export const devnetHandlers = {
  getDevnet: (services) => answer(services, services.control.status()),

  getDevnetContract: () => ({
    status: 200,
    body: contract.control as unknown as Record<string, unknown>,
    volatile: true,
  }),

  mineBlocks: async (services, { body }) => answer(services, await services.control.mine(body)),

  setBlockMode: (services, { body }) => {
    services.control.setBlocks(body);
    return answer(services, services.control.status());
  },

  moveTime: async (services, { body }) => {
    const { control } = services;
    const { advanceMs, toMs, toNextFunding, ...options } = body;
    requireOne({ advanceMs, toMs, toNextFunding });
    const timeMs =
      advanceMs !== undefined
        ? await control.advance(advanceMs, options)
        : toMs !== undefined
          ? await control.advanceTo(toMs, options)
          : await control.advanceToFunding(toNextFunding!, options);
    return answer(services, { timeMs });
  },

  setClock: (services, { body }) => {
    services.control.setClock(body);
    return answer(services, services.control.status());
  },

  reportPrices: async (services, { body }) => {
    const { control } = services;
    const { market, price, path, stepMs, ...options } = body;
    requireOne({ price, path });
    const done =
      price !== undefined
        ? await control.report(market, price, options)
        : await control.reportPath(market, path!, stepMs);
    return answer(services, done);
  },

  setStaleness: async (services, { body: { market, afterMs, ...options } }) =>
    answer(services, await services.control.setStaleness(market, afterMs, options)),

  setMarketPrices: async (services, { body: { market, price, ...options } }) =>
    answer(services, await services.control.setPrice(market, price, options)),

  setCollateral: async (services, { body }) =>
    answer(services, await services.control.setCollateral(whom(body), body.amount, body)),

  setPosition: async (services, { body }) => {
    const { market, size, price } = body;
    const done = await services.control.setPosition(whom(body), market, size, price);
    if (done === undefined) throw invalidField("body.size", "same", "is what the position is already");
    return answer(services, done);
  },

  impersonate: async (services, { body }) =>
    answer(services, await services.control.impersonate(whom(body), body.action, body.payload, body)),

  signSystem: async (services, { body }) =>
    answer(services, await services.control.system(body.action, body.payload, body)),

  listSnapshots: (services) => answer(services, services.control.snapshots()),

  takeSnapshot: (services, { body }) => answer(services, services.control.snapshot(body.name)),

  revert: async (services, { body }) => answer(services, await services.control.revert(body.to)),

  dumpVenue: (services) => {
    const { host, control } = services;
    const { state, genesis, domain } = host;
    return answer(services, {
      dump: Buffer.from(control.dump()).toString("base64"),
      network: genesis.network,
      genesisHash: domain.genesisHash,
      height: state.height,
      stateRoot: computeRoot(state),
    });
  },

  loadVenue: async (services, { body }) =>
    answer(services, await services.control.load(Buffer.from(body.dump, "base64"))),

  dropTransaction: async (services, { params }) => {
    await services.control.drop(params.txId as Bytes32);
    return answer(services, { txId: params.txId, dropped: true });
  },
  listFaults: (services) => answer(services, services.faults.list()),

  addFault: (services, { body }) => answer(services, services.faults.add(body)),

  clearFaults: (services) => {
    services.faults.clear();
    return answer(services, services.faults.list());
  },

  removeFault: (services, { params }) => {
    services.faults.remove(params.fault);
    return answer(services, services.faults.list());
  },
} satisfies DevnetHandlers;

/** Alternative members, of which a request has exactly one. */
function requireOne(ways: Readonly<Record<string, unknown>>): void {
  const given = Object.values(ways).filter((value) => value !== undefined).length;
  if (given === 1) return;
  throw invalidField("body", "oneOf", `takes one of ${Object.keys(ways).join(", ")}, not ${given}`);
}
