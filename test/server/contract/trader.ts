import { payloadOfGrant } from "../../../src/client/sdk/agents/grant.ts";
import { decodePayload, encodeTransaction, type Signed } from "../../../src/protocol/codec.ts";
import { formatHex } from "../../../src/protocol/codecHex.ts";
import type { Bytes32 } from "../../../src/protocol/fields.ts";
import type { Genesis } from "../../../src/protocol/genesis.ts";
import { orderOf, TestClient } from "../../helpers/host.ts";
import type { SignedAct, TradeStep } from "./trades.ts";

type SignedStep = Signed & { readonly id: Bytes32; readonly key: string };

export type Domain = "trading" | "risk" | "funds" | "admin";
/** A step that is signed. */
export type SigningStep = TradeStep & { readonly act: SignedAct };

const DOMAIN_OF: Readonly<Record<SignedAct, Domain>> = {
  order: "trading",
  cancel: "trading",
  cancelAll: "risk",
  withdraw: "funds",
  leverage: "risk",
  noop: "trading",
  grant: "admin",
};

/** A client that trades, with the nonces that it used. */
export class Trader {
  readonly client: TestClient;
  /** How often each lane was used: its next nonce. */
  readonly nonces: Record<Domain, number> = { trading: 0, risk: 0, funds: 0, admin: 0 };
  /** What was taken, with its answer. */
  readonly taken: { readonly signed: SignedStep; readonly answer: string }[] = [];

  constructor(key: Bytes32, genesis: Genesis) {
    this.client = new TestClient(key, genesis);
  }

  /** Signs a step under the next nonce of its lane, which is used once the venue took it. */
  sign(step: SigningStep, orderIds: readonly string[], other: string): { signed: SignedStep; domain: Domain } {
    const domain = DOMAIN_OF[step.act];
    const next = this.nonces[domain];
    const header = {
      nonceDomain: domain,
      nonce: step.trick === "nonce" && next > 0 ? step.pick % next : next,
      ...(step.trick === "otherNetwork" ? { network: "perplab-mainnet" } : {}),
      // So late that its validity is longer than the venue takes.
      ...(step.trick === "late" ? { validUntil: 50_000_000 } : {}),
    };
    return { signed: this.#sign(step, header, orderIds, other), domain };
  }

  #sign(step: SigningStep, header: object, orderIds: readonly string[], other: string): SignedStep {
    const { client } = this;
    switch (step.act) {
      case "order":
        return client.sign("placeOrder", orderOfStep(step), header);
      case "cancel": {
        const orderId = orderIds.length === 0 ? "1" : orderIds[step.pick % orderIds.length]!;
        return client.sign("cancelOrder", decodePayload("cancelOrder", { orderId, clientOrderId: "" }), header);
      }
      case "cancelAll":
        return client.sign("cancelAll", decodePayload("cancelAll", { market: "", intents: true }), header);
      case "withdraw":
        return client.sign("withdraw", decodePayload("withdraw", { amount: textOfHundredths(step.size) }), header);
      case "leverage":
        return client.sign(
          "setLeverage",
          decodePayload("setLeverage", { market: "BTC-PERP", leverage: 1 + (step.pick % 30) }),
          header,
        );
      case "noop":
        return client.noop(header);
      case "grant": {
        const grant = payloadOfGrant({ agent: other, scopes: ["trade"], expiresAtMs: 1_900_000_000_000 + step.pick });
        return client.sign("grantAuthorization", decodePayload("grantAuthorization", grant), header);
      }
    }
  }
}

/** The order of a step. */
export function orderOfStep({ side, size, offset }: TradeStep) {
  return orderOf(side, textOfHundredths(size), String(60_000 + offset));
}

/** The body of a submission, changed on the way where the step says so. */
export function bodyOf(step: TradeStep, signed: SignedStep): string {
  // biome-ignore lint/suspicious/noExplicitAny: what is changed here has no type any more.
  const json = structuredClone(encodeTransaction(signed)) as any;
  if (step.trick === "signature") {
    const bytes = Uint8Array.from(signed.signature!);
    bytes[step.pick % 65]! ^= 1 << (step.pick % 8);
    json.signature = formatHex(bytes);
  }
  if (step.trick === "payload") json.header.clientTxId = "changed";
  return JSON.stringify(json);
}

function textOfHundredths(count: number): string {
  return String(count / 100);
}
