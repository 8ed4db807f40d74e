/** Renders `test/vectors`: for each action, transactions with every intermediate value from JSON to signature. */

import { accountFromKey, signTransaction } from "../../src/client/signing/sign.ts";
import {
  ACTION_NAMES,
  type ActionName,
  actions,
  DOMAIN_OF,
  type JsonPayloads,
} from "../../src/protocol/actions/index.ts";
import { decodeHeader, decodePayload, encodeTransaction } from "../../src/protocol/codec.ts";
import { formatHex } from "../../src/protocol/codecHex.ts";
import type { Address, Bytes32 } from "../../src/protocol/fields.ts";
import { HEADER_TYPE } from "../../src/protocol/header.ts";
import { ENVELOPE_VERSION, PROTOCOL_VERSION, type Transaction, ZERO_BYTES32 } from "../../src/protocol/transaction.ts";
import { DOMAIN_MEMBERS, encodeType, type SigningDomain, typedDataOf } from "../../src/protocol/typedData.ts";
import { createDigester } from "../../src/protocol/typedDataDigest.ts";
import { encodePieces, hashStruct, type Types, toHex } from "../../test/reference/typedData.ts";
import { payloadsOf } from "../vectors/payloads.ts";

const domain: SigningDomain = { chainId: 31337, genesisHash: `0x${"5a".repeat(32)}` };
const digester = createDigester(domain);

/** Development keys without any value: the numbers 1, 2 and 3. */
const keys: readonly Bytes32[] = [1, 2, 3].map((number): Bytes32 => `0x${number.toString(16).padStart(64, "0")}`);
const [owner, agent, authority] = keys.map((key) => accountFromKey(key).address) as [Address, Address, Address];

/** One header for every place in a list of payloads: plain, with everything in it, signed by an agent. */
function headerOf(action: ActionName, place: number): Record<string, unknown> {
  const { authority: authorityName } = actions[action];
  const isSystem = authorityName !== undefined;
  const plain = {
    network: "perplab",
    protocolVersion: PROTOCOL_VERSION,
    envelopeVersion: ENVELOPE_VERSION,
    account: isSystem ? authority : owner,
    subaccount: 0,
    signer: isSystem ? authority : owner,
    authorization: ZERO_BYTES32,
    nonceDomain: DOMAIN_OF[action],
    nonce: "1",
    validFrom: 0,
    validUntil: 1200,
    replaces: ZERO_BYTES32,
    clientTxId: "",
  };
  if (place === 0) return plain;
  const full = {
    ...plain,
    nonce: "9000000000000000",
    validFrom: 4294967295,
    validUntil: 4294968495,
    replaces: `0x${"0f".repeat(32)}`,
    clientTxId: `~ ${action} #${place} ${"x".repeat(64)}`.slice(0, 64),
  };
  if (place === 1 || isSystem) return full;
  return { ...full, subaccount: 4294967295, signer: agent, authorization: `0x${"c0ffee".padStart(64, "0")}` };
}

function vectorOf<A extends ActionName>(action: A, payload: JsonPayloads[A], place: number) {
  const header = decodeHeader(headerOf(action, place));
  const transaction = {
    action,
    code: ACTION_NAMES.indexOf(action),
    header,
    payload: decodePayload(action, payload),
    verdict: false,
  } as Transaction<A>;
  const key = keys.find((key) => accountFromKey(key).address === header.signer)!;
  const json = encodeTransaction(signTransaction(transaction, key, digester));
  const { types, primaryType, message } = typedDataOf(json, domain);
  const text = (pieces: ReturnType<typeof encodePieces>) =>
    Object.fromEntries(pieces.map(({ name, word }) => [name, toHex(word)]));
  return {
    privateKey: key,
    transaction: json,
    encodeData: {
      header: text(encodePieces(HEADER_TYPE, message.header as Record<string, unknown>, types as Types)),
      message: text(encodePieces(primaryType, message, types as Types)),
    },
    structHash: toHex(hashStruct(primaryType, message, types as Types)),
    digest: formatHex(digester.digest(transaction)),
    signature: json.signature,
    txId: digester.digestOf(transaction),
  };
}

function renderAction<A extends ActionName>(action: A): string {
  const list = payloadsOf(action);
  const vectors = list.map((payload, place) => vectorOf(action, payload, place));
  const { types, primaryType } = typedDataOf(vectors[0]!.transaction, domain);
  const whole = {
    action,
    domain: { name: "perplab", version: String(ENVELOPE_VERSION), chainId: domain.chainId, salt: domain.genesisHash },
    domainType: encodeType("EIP712Domain", { EIP712Domain: DOMAIN_MEMBERS }),
    domainSeparator: digester.domainSeparator,
    primaryType,
    encodeType: encodeType(primaryType, types),
    types,
    vectors,
  };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

export const outputs = ACTION_NAMES.map((action) => ({
  path: `test/vectors/${action}.json`,
  render: () => renderAction(action),
}));
