import { type TSchema, Type } from "typebox";
import { LIMIT } from "../../../ground/math/fixed.ts";
import { type ActionDescriptor, DOMAINS } from "../../../protocol/action.ts";
import { ACTION_NAMES, type ActionName, actions, type JsonPayloads } from "../../../protocol/actions/index.ts";
import { describeField } from "../../../protocol/describeRules.ts";
import type { FieldRule } from "../../../protocol/fieldRules.ts";
import { DECIMALS, type Field, type Fields, TEXT_MOST } from "../../../protocol/fields.ts";
import { HEADER_FIELDS, HEADER_TYPE } from "../../../protocol/header.ts";
import {
  ENVELOPE_VERSION,
  type JsonHeader,
  type SignedTransaction as SignedTransactionJson,
} from "../../../protocol/transaction.ts";
import {
  DOMAIN_MEMBERS,
  encodeType,
  SIGNING_NAME,
  SIGNING_VERSION,
  typedDataTypes,
  typeOfField,
} from "../../../protocol/typedData.ts";
import {
  ADDRESS_PATTERN,
  BYTES32_PATTERN,
  decimalMost,
  decimalPattern,
  TEXT_PATTERN,
  wholePattern,
} from "./wireForms.ts";

/*
 * The wire schema of signed transactions, generated from the table of actions. It accepts what `decodeTransaction`
 * accepts, and a test compares the two. Each field names its type in the signed message, and each action its whole
 * type text. So a client in any language signs from the served document alone.
 */

const strict = { additionalProperties: false } as const;

/** Units of each decimal kind. */
const UNITS = { price: "USD per unit of base", size: "Units of base", amount: "USD", rate: "A ratio" } as const;

/** @param type in the signed message */
function withType(schema: TSchema, type: string): TSchema {
  return Object.assign(schema, { "x-eip712-type": type });
}

const uint = (bits: 16 | 32, description: string) =>
  Type.Integer({ minimum: 0, maximum: 2 ** bits - 1, format: `uint${bits}`, description });
/** A height or a time. The signed message has 64 bits for it; the venue stores at most `LIMIT`. */
const long = (description: string) => Type.Integer({ minimum: 0, maximum: LIMIT, format: "uint64", description });
/** An id or a nonce: 64 bits in the signed message, text in JSON. */
const longText = (least: 0 | 1, description: string) =>
  Type.String({ pattern: wholePattern(least), format: "uint64", description });

function schemaOfField(field: Field): TSchema {
  return withType(formOfField(field), typeOfField(field));
}

function formOfField(field: Field): TSchema {
  const description = field.doc;
  switch (field.kind) {
    case "text":
    case "market":
      return Type.String({
        minLength: field.optional ? 0 : 1,
        maxLength: TEXT_MOST,
        pattern: TEXT_PATTERN,
        description,
      });
    case "word":
      // The word that an absent field means, where it may be absent in a client's call.
      return Type.Enum([...field.words], {
        description,
        ...(field.required === true ? {} : { "x-empty": field.words[0] }),
      });
    case "price":
    case "size":
    case "amount":
    case "rate": {
      const { kind, optional, signed } = field;
      const decimals = DECIMALS[kind];
      const most = decimalMost(decimals);
      const range = signed ? `from -${most} to ${most}` : `at most ${most}`;
      const none = optional ? ' Empty for none, never `"0"`.' : "";
      return Type.String({
        pattern: decimalPattern({ decimals, optional, signed }),
        description: `${description} ${UNITS[kind]}: a canonical decimal, ${range}, at most ${decimals} digits after the point.${none}`,
        "x-decimals": decimals,
        "x-maximum": most,
      });
    }
    case "id":
      return longText(field.optional ? 0 : 1, description);
    case "count":
      return uint(32, description);
    case "time":
      return long(description);
    case "flag":
      return Type.Boolean({ description });
    case "bytes32":
      return Type.String({ pattern: BYTES32_PATTERN, description });
    case "address":
      return Type.String({ pattern: ADDRESS_PATTERN, description });
    case "bytes":
      return Type.String({ pattern: "^0x([0-9a-f]{2})*$", description });
    case "list":
      return Type.Array(schemaOfField(field.item as Field), { maxItems: field.most, description });
    case "record":
      return Type.Object(schemasOfFields(field.members as Fields, field.rules), {
        ...strict,
        // A name of its own: the resource `Order` is different from the struct.
        $id: `${field.name}Struct`,
        description,
      });
  }
}

/** @param rules add to a field's description when the field is required or refused (ACT-3) */
function schemasOfFields(fields: Fields, rules: readonly FieldRule[]): Record<string, TSchema> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const doc = `${field.doc} ${describeField(name, rules)}`.trimEnd();
      return [name, schemaOfField({ ...field, doc } as Field)];
    }),
  );
}

/** Payload of each action. */
export const payloadSchemas = Object.fromEntries(
  ACTION_NAMES.map((name) => {
    const { doc, fields, primaryType, rules } = actions[name];
    return [
      name,
      Type.Object(schemasOfFields(fields, rules), { ...strict, $id: `${primaryType}Payload`, description: doc }),
    ];
  }),
) as unknown as Readonly<Record<ActionName, TSchema>>;

const SIGNING = `A complete signed transaction; \`action\` says which.

The signature is of EIP-712 typed data. The domain is \`signingDomain\` of \`/status\`. The primary type and its whole type text are \`x-eip712\` of the action; \`x-eip712-type\` of each field is its type in the message. The members of the message are \`header\`, then the fields of \`payload\`. A \`string\` is signed as the text in JSON, a \`uint64\` written as text as its number. The digest is the transaction's id.`;

const headerForms: Readonly<Record<keyof JsonHeader, TSchema>> = {
  network: Type.String({
    minLength: 1,
    maxLength: TEXT_MOST,
    pattern: TEXT_PATTERN,
    description: "Name of the network.",
  }),
  protocolVersion: uint(16, "Version of the rules."),
  envelopeVersion: Type.Integer({
    minimum: ENVELOPE_VERSION,
    maximum: ENVELOPE_VERSION,
    format: "uint16",
    description: "Version of the envelope.",
  }),
  account: Type.String({ pattern: ADDRESS_PATTERN, description: "Acting account." }),
  subaccount: uint(32, "Its subaccount."),
  signer: Type.String({ pattern: ADDRESS_PATTERN, description: "Who signs." }),
  authorization: Type.String({
    pattern: BYTES32_PATTERN,
    description: "Authorization under which an agent signs; zero when the owner signs.",
  }),
  nonceDomain: Type.Enum([...DOMAINS], { description: "Class of actions whose nonces count together." }),
  nonce: longText(0, "Nonce in the lane (account, subaccount, signer, domain)."),
  validFrom: long("First height at which it may commit."),
  validUntil: long("Last height at which it may commit."),
  replaces: Type.String({
    pattern: BYTES32_PATTERN,
    description: "Pending transaction of the same lane and nonce that it replaces; zero for none.",
  }),
  clientTxId: Type.String({
    maxLength: TEXT_MOST,
    pattern: TEXT_PATTERN,
    description: "Own name for the transaction.",
  }),
};

export const TxHeader = Type.Unsafe<JsonHeader>(
  Type.Object(
    // In the order of the signed message.
    Object.fromEntries(HEADER_FIELDS.map(({ name, type }) => [name, withType(headerForms[name], type)])),
    {
      ...strict,
      $id: HEADER_TYPE,
      description: "Header of a transaction (TX-1). Every field is always present.",
      "x-eip712-type": HEADER_TYPE,
    },
  ),
);

const signature = Type.String({
  pattern: "^0x[0-9a-f]{130}$",
  description: "65 bytes: r, s, v; v is 27 or 28, s is low (TX-4).",
});

/**
 * What a client needs of an action in addition to its fields: the type to sign, and which signers and lanes it takes.
 */
function signingOf(name: ActionName): Readonly<Record<string, unknown>> {
  const { primaryType, domain, scope, authority } = actions[name] as ActionDescriptor;
  return {
    "x-eip712": { primaryType, encodeType: encodeType(primaryType, typedDataTypes(name)) },
    "x-nonce-domains": domain === "any" ? DOMAINS.filter((one) => one !== "system") : [domain],
    ...(authority === undefined ? { "x-scope": scope } : { "x-authority": authority }),
  };
}

/** A complete signed transaction: the body of a submission. */
export const SignedTransaction = Type.Unsafe<SignedTransactionJson>(
  Type.Union(
    ACTION_NAMES.map((name) =>
      Type.Object(
        { action: Type.Literal(name), header: TxHeader, payload: payloadSchemas[name], signature },
        {
          ...strict,
          $id: `Signed${actions[name].primaryType}`,
          description: actions[name].doc,
          ...signingOf(name),
        },
      ),
    ),
    {
      $id: "SignedTransaction",
      description: SIGNING,
      "x-eip712-domain": {
        name: SIGNING_NAME,
        version: SIGNING_VERSION,
        encodeType: encodeType("EIP712Domain", { EIP712Domain: DOMAIN_MEMBERS }),
      },
    },
  ),
);

/** Any payload, as answers carry it. */
export const Payload = Type.Unsafe<JsonPayloads[ActionName]>(
  Type.Record(Type.String(), Type.Unknown(), {
    $id: "Payload",
    description: "Fields of the action, as they were signed; see the signed transactions.",
  }),
);
