import { checkReader, readAddress } from "../access.ts";
import type { HandlersOf } from "../handler.ts";
import { listAccountsOf } from "../views/accounts.ts";
import { withAsOf } from "../views/asOf.ts";
import { viewBalance } from "../views/balances.ts";
import { viewNonce } from "../views/nonce.ts";
import { listOpenPositions, viewPosition } from "../views/positions.ts";
import { viewRisk } from "../views/risk.ts";
import { findMarket } from "./markets.ts";

export const accountHandlers = {
  listBalances: (services, { params, query, headers }) => {
    const { host, config } = services;
    const address = readAddress(params.address, "path.address");
    const guarded = checkReader(services, headers, address);
    const accounts = listAccountsOf(host.state, address, query.subaccount);
    const balances = accounts.map((account) => viewBalance(host.state, account, config.kind !== "mainnet"));
    return { status: 200, body: withAsOf(host, balances), guarded };
  },

  listPositions: (services, { params, query, headers }) => {
    const { state } = services.host;
    const address = readAddress(params.address, "path.address");
    const guarded = checkReader(services, headers, address);
    const market = query.market === undefined ? undefined : findMarket(state, query.market);
    const positions = listAccountsOf(state, address, query.subaccount)
      .flatMap((account) => listOpenPositions(state, account))
      .filter((at) => market === undefined || state.positions.market[at]! === market)
      .map((at) => viewPosition(state, at));
    return { status: 200, body: withAsOf(services.host, positions), guarded };
  },

  listRisk: (services, { params, query, headers }) => {
    const { host } = services;
    const address = readAddress(params.address, "path.address");
    const guarded = checkReader(services, headers, address);
    const accounts = listAccountsOf(host.state, address, query.subaccount);
    return {
      status: 200,
      body: withAsOf(
        host,
        accounts.map((account) => viewRisk(host.state, account)),
      ),
      guarded,
    };
  },

  getNonce: ({ host }, { params, query }) => {
    const account = readAddress(params.address, "path.address");
    const signer = readAddress(query.signer, "query.signer");
    const { subaccount, domain } = query;
    return {
      status: 200,
      body: withAsOf(host, viewNonce(host, { account, subaccount, signer, domain })),
      volatile: true,
    };
  },
} satisfies HandlersOf<"listBalances" | "listPositions" | "listRisk" | "getNonce">;
