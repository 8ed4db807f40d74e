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
  type GivenPayloads,
  type JsonPayloads,
  type Payloads,
  type SystemAction,
  type UserAction,
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
export { createPayload, order } from "./createPayload.ts";
export { createTransaction, DEFAULT_NETWORK, type TransactionInit, VALIDITY_SPAN } from "./createTransaction.ts";
export { EngineError, type EngineErrorCode, isEngineError } from "./engineError.ts";
export { isValidationError, type ValidationDetails, ValidationError, type ValidationFault } from "./errors.ts";
export type { ActionEvent, EventDescriptor, EventUnit } from "./event.ts";
export {
  BALANCE_CAUSES,
  CANCEL_CAUSES,
  CLOSE_KINDS,
  EVENT_KINDS,
  type EventKind,
  type EventOf,
  events,
  INSURANCE_CAUSES,
  LIQUIDATION_STAGES,
  type VenueEvent,
} from "./events.ts";
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
export {
  createGenesis,
  DEFAULT_OUTFLOW,
  DEVELOPMENT_AUTHORITIES,
  type Genesis,
  genesisText,
  NO_OUTFLOW_GATES,
  type Outflow,
  type OutflowCap,
} from "./genesis.ts";
export { HEADER_FIELDS, HEADER_TYPE, type HeaderField } from "./header.ts";
export { HOUSE_STEP, HOUSE_STEP_WIDTH } from "./houseSteps.ts";
export type { Tier } from "./marginTiers.ts";
export { marketPresets } from "./marketPresets.ts";
export { isParameterFault, type ParameterFault } from "./parameterFault.ts";
export {
  type MarketParameterName,
  type MarketParameters,
  marketParameters,
  type ParameterTexts,
} from "./parameters.ts";
export { readMarketParameters } from "./readParameters.ts";
export { type ActionResult, ORDER_OUTCOMES, type OrderOutcome, type Receipt, type ReceiptStatus } from "./receipt.ts";
export {
  INVALID_CODES,
  type InvalidCode,
  REJECTION_CODES,
  RESULT_CODES,
  type RejectionCode,
  type RejectionNumbers,
  type ResultCode,
} from "./rejections.ts";
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
export {
  hashDomain,
  hashStruct,
  hashTypedData,
  type TypedDataDomain,
  type TypedMessage,
} from "./typedDataHash.ts";
export * from "./words.ts";
