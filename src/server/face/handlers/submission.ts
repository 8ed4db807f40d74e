import { API_PREFIX } from "../../../client/api/endpoint.ts";
import type { Accepted } from "../../../client/api/schemas/submission.ts";
import { type ActionName, actions } from "../../../protocol/actions/index.ts";
import { decodeTransaction, type Signed } from "../../../protocol/codec.ts";
import { isValidationError } from "../../../protocol/errors.ts";
import type { Bytes32 } from "../../../protocol/fields.ts";
import { malformedTransaction } from "../problems/malformed.ts";
import type { HandlersOf } from "./handler.ts";
import { checkTaking, problemOfRefusal } from "./refusals.ts";

export const submissionHandlers = {
  submitTransaction: async (services, { headers, body, client }) => {
    checkTaking(services);
    const signed = readTransaction(body);
    const { action, header } = signed.transaction;
    const isCancel = isCancelling(action);
    services.limiter.checkSigner(header.signer, isCancel);
    const found = await services.signatures?.check(signed, client);
    const submitted = await services.host.submit(signed, readKey(headers["idempotency-key"]!), found);
    if (!submitted.accepted) throw problemOfRefusal(submitted);
    if (!submitted.replayed) services.limiter.chargeSigner(header.signer, isCancel);
    return {
      status: 202,
      body: acceptedBody(signed, submitted.id, submitted.receivedAtMs),
      headers: {
        location: `${API_PREFIX}/transactions/${submitted.id}`,
        ...(submitted.replayed ? { "idempotency-replayed": "true" } : {}),
      },
    };
  },
} satisfies HandlersOf<"submitTransaction">;

/** The key without the quotes that may enclose it. */
export function readKey(header: string): string {
  return header.startsWith('"') ? header.slice(1, -1) : header;
}

function readTransaction(json: unknown): Signed {
  try {
    return decodeTransaction(json);
  } catch (error) {
    if (isValidationError(error)) throw malformedTransaction(error);
    throw error;
  }
}

/**
 * Actions that only cancel have an allowance of their own, so that a client over its limit can still leave the market.
 */
function isCancelling(action: ActionName): boolean {
  return actions[action].scope === "cancel";
}

function acceptedBody({ transaction: { header } }: Signed, txId: Bytes32, receivedAtMs: number): Accepted {
  const self = `${API_PREFIX}/transactions/${txId}`;
  return {
    txId,
    status: "pending",
    lane: {
      account: header.account.address,
      subaccount: header.account.subaccount,
      signer: header.signer,
      domain: header.nonceDomain,
      nonce: String(header.nonce),
    },
    validUntil: header.validUntil,
    receivedAtMs,
    links: { self, confirmation: `${self}/confirmation`, receipts: `${self}/receipts`, events: `${self}/events` },
  };
}
