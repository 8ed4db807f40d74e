/** Transactions from JSON and back (TX-4). The binary form of the block log is in `codecBinary.ts`. */
import { LIMIT } from "../ground/math/fixed.ts";
import { AccountKey } from "./accountKey.ts";
import { DOMAINS } from "./action.ts";
import {
  ACTION_CODES,
  ACTION_NAMES,
  type ActionName,
  actions,
  type JsonPayloads,
  type Payloads,
} from "./actions/index.ts";
import { bytesOfHex, formatHex } from "./codecHex.ts";
import {
  COUNT_MOST,
  checkKeys,
  type Decode,
  decodeAddress,
  decodeBytes32,
  decodeFullText,
  decodeHex,
  decodeInteger,
  decoderOfFields,
  decodeText,
  decodeWholeText,
  decodeWord,
  type Encode,
  encoderOfFields,
  refuse,
} from "./codecJson.ts";
import { parseStrictJson, TRANSACTION_TEXT_MOST } from "./codecText.ts";
import { HEADER_FIELDS } from "./header.ts";
import {
  ENVELOPE_VERSION,
  type JsonHeader,
  type SignedTransaction,
  type Transaction,
  type TxHeader,
} from "./transaction.ts";

/** A decoded transaction with the signature it came with. */
export interface Signed<A extends ActionName = ActionName> {
  /** Its verdict is false until the signature stage has checked it (TX-5). */
  readonly transaction: Transaction<A>;
  /** 65 bytes: r, s, v. Not yet checked. */
  readonly signature: Uint8Array;
}

/** Bytes of a signature: r, s, v. */
export const SIGNATURE_BYTES = 65;

const UINT16_MOST = 0xffff;
const ENVELOPE_KEYS = ["action", "header", "payload", "signature"];
const HEADER_KEYS = HEADER_FIELDS.map(({ name }) => name);

const payloadDecoders = Object.fromEntries(
  ACTION_NAMES.map((name) => [name, decoderOfFields(actions[name].fields)]),
) as Readonly<Record<ActionName, Decode>>;
const payloadEncoders = Object.fromEntries(
  ACTION_NAMES.map((name) => [name, encoderOfFields(actions[name].fields)]),
) as Readonly<Record<ActionName, Encode>>;

/**
 * Decodes a JSON value as a signed transaction. Checks form, not trade: what a field must look like, never whether the
 * venue would accept it. The signature is 65 bytes and not yet verified.
 *
 * @throws {ValidationError} on the first place that differs from the wire's description
 */
export function decodeTransaction(json: unknown): Signed {
  checkKeys(json, "", ENVELOPE_KEYS);
  const action = ACTION_NAMES[decodeWord(json.action, "action", ACTION_NAMES)]!;
  return {
    transaction: {
      action,
      code: ACTION_CODES[action],
      header: decodeHeader(json.header),
      payload: decodePayload(action, json.payload),
      verdict: false,
    },
    signature: bytesOfHex(decodeHex(json.signature, "signature", SIGNATURE_BYTES)),
  };
}

/**
 * Decodes JSON text. Stricter than `JSON.parse`: a duplicate key is refused.
 *
 * @param most longest text accepted, in characters
 * @throws {ValidationError}
 */
export function parseTransaction(text: string, most: number = TRANSACTION_TEXT_MOST): Signed {
  return decodeTransaction(parseStrictJson(text, most));
}

/** JSON of a signed transaction; the inverse of `decodeTransaction`. */
export function encodeTransaction<A extends ActionName>({ transaction, signature }: Signed<A>): SignedTransaction<A> {
  const { action, header, payload } = transaction;
  return {
    action,
    header: encodeHeader(header),
    payload: encodePayload(action, payload),
    signature: formatHex(signature),
  };
}

/**
 * Decodes the payload of an action alone.
 *
 * @param path what to call the payload in an error
 * @throws {ValidationError}
 */
export function decodePayload<A extends ActionName>(action: A, json: unknown, path = "payload"): Payloads[A] {
  return payloadDecoders[action](json, path) as Payloads[A];
}

/** JSON of a payload; the inverse of `decodePayload`. */
export function encodePayload<A extends ActionName>(action: A, payload: Payloads[A]): JsonPayloads[A] {
  return payloadEncoders[action](payload) as JsonPayloads[A];
}

/** @throws {ValidationError} */
export function decodeHeader(json: unknown): TxHeader {
  checkKeys(json, "header", HEADER_KEYS);
  const envelopeVersion = decodeInteger(json.envelopeVersion, "header.envelopeVersion", UINT16_MOST);
  if (envelopeVersion !== ENVELOPE_VERSION) {
    refuse("range", "header.envelopeVersion", `version ${envelopeVersion} is not known`, `write ${ENVELOPE_VERSION}`);
  }
  const account = decodeAddress(json.account, "header.account");
  return {
    network: decodeFullText(json.network, "header.network"),
    protocolVersion: decodeInteger(json.protocolVersion, "header.protocolVersion", UINT16_MOST),
    envelopeVersion,
    account: new AccountKey(account, decodeInteger(json.subaccount, "header.subaccount", COUNT_MOST)),
    signer: decodeAddress(json.signer, "header.signer"),
    authorization: decodeBytes32(json.authorization, "header.authorization"),
    nonceDomain: DOMAINS[decodeWord(json.nonceDomain, "header.nonceDomain", DOMAINS)]!,
    nonce: decodeWholeText(json.nonce, "header.nonce", 0),
    validFrom: decodeInteger(json.validFrom, "header.validFrom", LIMIT),
    validUntil: decodeInteger(json.validUntil, "header.validUntil", LIMIT),
    replaces: decodeBytes32(json.replaces, "header.replaces"),
    clientTxId: decodeText(json.clientTxId, "header.clientTxId"),
  };
}

/** JSON of a header; the inverse of `decodeHeader`. */
export function encodeHeader(header: TxHeader): JsonHeader {
  return {
    network: header.network,
    protocolVersion: header.protocolVersion,
    envelopeVersion: header.envelopeVersion,
    account: header.account.address,
    subaccount: header.account.subaccount,
    signer: header.signer,
    authorization: header.authorization,
    nonceDomain: header.nonceDomain,
    nonce: String(header.nonce),
    validFrom: header.validFrom,
    validUntil: header.validUntil,
    replaces: header.replaces,
    clientTxId: header.clientTxId,
  };
}

/** The same transaction with the verdict of the signature stage. */
export function withVerdict<A extends ActionName>(transaction: Transaction<A>, verdict: boolean): Transaction<A> {
  const { action, code, header, payload } = transaction;
  return { action, code, header, payload, verdict };
}
