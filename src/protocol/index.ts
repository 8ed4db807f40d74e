/** The wire: actions, transactions, their codecs and signed messages. */
export { AccountKey, addressOfWords } from "./accountKey.ts";
export {
  type ActionDescriptor,
  AUTHORITIES,
  type Authority,
  DOMAINS,
  type Domain,
  defineAction,
  type JsonPayloadOf,
  type PayloadOf,
  SCOPES,
  type Scope,
} from "./action.ts";
export {
  ACTION_CODES,
  ACTION_NAMES,
  type ActionName,
  type Actions,
  actions,
  type JsonPayloads,
  type Payloads,
} from "./actions/index.ts";
export {
  decodeHeader,
  decodePayload,
  decodeTransaction,
  encodeHeader,
  encodePayload,
  encodeTransaction,
  parseTransaction,
  SIGNATURE_BYTES,
  type Signed,
  withVerdict,
} from "./codec.ts";
export { AccountKeys, type ReadTransaction, readTransaction, writeTransaction } from "./codecBinary.ts";
export { parseStrictJson, TRANSACTION_TEXT_MOST } from "./codecText.ts";
export { createTransaction, DEFAULT_NETWORK, type TransactionInit, VALIDITY_SPAN } from "./createTransaction.ts";
export { isValidationError, type ValidationDetails, ValidationError, type ValidationFault } from "./errors.ts";
export {
  type Address,
  type Bytes32,
  DECIMALS,
  type Decoded,
  type DecodedFields,
  type Field,
  type Fields,
  type Json,
  type JsonFields,
  type OrderId,
  TEXT_MOST,
} from "./fields.ts";
export { HEADER_FIELDS, HEADER_TYPE, type HeaderField } from "./header.ts";
export { HOUSE_STEP, HOUSE_STEP_WIDTH } from "./houseSteps.ts";
export {
  type Block,
  ENVELOPE_VERSION,
  type JsonHeader,
  PROTOCOL_VERSION,
  type SignedTransaction,
  type Transaction,
  type TxHeader,
  ZERO_BYTES32,
} from "./transaction.ts";
export {
  DOMAIN_MEMBERS,
  encodeType,
  SIGNING_NAME,
  SIGNING_VERSION,
  type SigningDomain,
  type TypedData,
  type TypedDataMember,
  type TypedDataTypes,
  typedDataOf,
  typedDataTypes,
} from "./typedData.ts";
export { createDigester, type Digester, digestOf, type Keccak, plainKeccak } from "./typedDataDigest.ts";
export * from "./words.ts";
