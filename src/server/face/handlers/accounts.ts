import { type ActionName, actions } from "../../../protocol/actions/index.ts";
import { decodePayload } from "../../../protocol/codec.ts";
import { isValidationError } from "../../../protocol/errors.ts";
import type { Address } from "../../../protocol/fields.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { withAsOf } from "../../host/asOf.ts";
import { invalidField } from "../problems/problems.ts";
import { checkReader, type Reader, readAddress, readReader, requireReader } from "../services/access.ts";
import type { Services } from "../services/services.ts";
import { listAccountsOf } from "../views/accounts.ts";
import { viewBalance } from "../views/balances.ts";
import { viewNonce } from "../views/nonce.ts";
import { listOpenPositions, viewPosition } from "../views/positions.ts";
import { viewPreview } from "../views/preview.ts";
import { viewRisk } from "../views/risk.ts";
import type { HandlersOf } from "./handler.ts";
import { findMarket } from "./markets.ts";

/** A request about an address, from a client that may read it. */
interface AccountCall {
  readonly params: { readonly address: string };
  readonly query: { readonly subaccount?: number; readonly market?: string };
  readonly headers: Readonly<Record<string, string>>;
}

/** The scope of a permitted request about an account. */
export interface AccountScope {
  readonly address: Address;
  readonly accounts: readonly AccountRow[];
  /** The requested market, undefined for all. */
  readonly market: number | undefined;
  /** The answer is for this reader alone. */
  readonly guarded: boolean;
  readonly reader: Reader;
}

/** @throws {ProblemError} VALIDATION_ERROR, SESSION_REQUIRED, UNAUTHORIZED; NOT_FOUND for an unknown market */
export function openAccount(services: Services, state: State, { params, query, headers }: AccountCall): AccountScope {
  const address = readAddress(params.address, "path.address");
  const reader = readReader(services, headers);
  requireReader(reader, address);
  const guarded = !reader.isUnlimited;
  const market = query.market === undefined ? undefined : findMarket(state, query.market);
  return { address, accounts: listAccountsOf(state, address, query.subaccount), market, guarded, reader };
}

export const accountHandlers = {
  listBalances: (services, call) => {
    const { host, config } = services;
    const { accounts, guarded } = openAccount(services, host.state, call);
    const balances = accounts.map((account) => viewBalance(host.state, account, config.kind !== "mainnet"));
    return { status: 200, body: withAsOf(host, balances), guarded };
  },

  listPositions: (services, call) => {
    const { positions: pasts, state, asOf } = services.history.read();
    const { accounts, market, guarded } = openAccount(services, state, call);
    const positions = accounts
      .flatMap((account) => listOpenPositions(state, account))
      .filter((at) => market === undefined || state.positions.market[at]! === market)
      .map((at) => viewPosition(state, at, pasts.find(state.positions.account[at]!, state.positions.market[at]!)));
    return { status: 200, body: { data: positions, asOf }, guarded };
  },

  listRisk: (services, call) => {
    const { state } = services.host;
    const { accounts, guarded } = openAccount(services, state, call);
    const data = accounts.map((account) => viewRisk(state, account));
    return { status: 200, body: withAsOf(services.host, data), guarded };
  },

  getNonce: (services, { params, query, headers }) => {
    const { host } = services;
    const account = readAddress(params.address, "path.address");
    const signer = readAddress(query.signer, "query.signer");
    const { subaccount, domain } = query;
    const nonce = viewNonce(host, { account, subaccount, signer, domain });
    // Nonces are public: a signer needs them. Transaction ids are for the account and its signer.
    const isOwn = readReader(services, headers).sees(account, signer);
    return { status: 200, body: withAsOf(host, isOwn ? nonce : { ...nonce, pending: [] }), volatile: true };
  },

  previewAction: (services, { params, body, headers }) => {
    const { host } = services;
    const address = readAddress(params.address, "path.address");
    const guarded = checkReader(services, headers, address);
    const { action, subaccount = 0 } = body;
    if (actions[action].domain === "system") {
      throw invalidField("body.action", "action", "only an authority may sign this action");
    }
    const payload = readPayload(action, body.payload);
    return {
      status: 200,
      body: withAsOf(host, viewPreview(host.state, { address, subaccount, action, payload })),
      volatile: true,
      guarded,
    };
  },
} satisfies HandlersOf<"listBalances" | "listPositions" | "listRisk" | "getNonce" | "previewAction">;

/** @throws {ProblemError} VALIDATION_ERROR */
function readPayload<A extends ActionName>(action: A, json: unknown) {
  try {
    return decodePayload(action, json, "body.payload");
  } catch (error) {
    if (!isValidationError(error)) throw error;
    throw invalidField(error.path, error.fault, `${error.reason}; ${error.hint}`);
  }
}
