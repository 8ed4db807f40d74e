import { type TSchema, Type } from "typebox";
import { DOMAINS } from "../../protocol/action.ts";
import { ACTION_NAMES, type ActionName, actions, type JsonPayloads } from "../../protocol/actions/index.ts";
import { describeField } from "../../protocol/describeRules.ts";
import type { FieldRule } from "../../protocol/fieldRules.ts";
import { type Field, type Fields, TEXT_MOST } from "../../protocol/fields.ts";
import type { JsonHeader, SignedTransaction as SignedTransactionJson } from "../../protocol/transaction.ts";

/*
 * The wire schema of signed transactions, made of the table of actions: what `decodeTransaction` accepts. Where a schema
 * cannot say something (which words of a name go together), the decoder is stricter.
 */

const strict = { additionalProperties: false } as const;
const WHOLE = "^(0|[1-9][0-9]{0,15})$";
const UNSIGNED = "(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?";

function schemaOfField(field: Field): TSchema {
  const description = field.doc;
  switch (field.kind) {
    case "text":
    case "market": {
      const minLength = field.optional ? 0 : 1;
      return Type.String({ minLength, maxLength: TEXT_MOST, pattern: "^[\\x20-\\x7e]*$", description });
    }
    case "word":
      return Type.Enum([...field.words], { description });
    case "price":
    case "size":
    case "amount":
    case "rate": {
      const digits = `${field.signed ? "-?" : ""}${UNSIGNED}`;
      const pattern = field.optional ? `^(${digits})?$` : `^${digits}$`;
      return Type.String({
        pattern,
        description: `${description} Canonical decimal${field.optional ? " or empty" : ""}.`,
      });
    }
    case "id":
      return Type.String({ pattern: WHOLE, description });
    case "count":
      return Type.Integer({ minimum: 0, maximum: 0xffff_ffff, description });
    case "time":
      return Type.Integer({ minimum: 0, description });
    case "flag":
      return Type.Boolean({ description });
    case "bytes32":
      return Type.String({ pattern: "^0x[0-9a-f]{64}$", description });
    case "address":
      return Type.String({ pattern: "^0x[0-9a-f]{40}$", description });
    case "bytes":
      return Type.String({ pattern: "^0x([0-9a-f]{2})*$", description });
    case "list":
      return Type.Array(schemaOfField(field.item as Field), { maxItems: field.most, description });
    case "record":
      return Type.Object(schemasOfFields(field.members as Fields, field.rules), {
        ...strict,
        $id: field.name,
        description,
      });
  }
}

/** @param rules what else a description says of a field: when it is needed or refused (ACT-3) */
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

export const TxHeader = Type.Unsafe<JsonHeader>(
  Type.Object(
    {
      network: Type.String({ minLength: 1, maxLength: TEXT_MOST, description: "Name of the network." }),
      protocolVersion: Type.Integer({ minimum: 0, maximum: 0xffff, description: "Version of the rules." }),
      envelopeVersion: Type.Integer({ minimum: 0, maximum: 0xffff, description: "Version of the envelope." }),
      account: Type.String({ pattern: "^0x[0-9a-f]{40}$", description: "Acting account." }),
      subaccount: Type.Integer({ minimum: 0, maximum: 0xffff_ffff, description: "Its subaccount." }),
      signer: Type.String({ pattern: "^0x[0-9a-f]{40}$", description: "Who signs." }),
      authorization: Type.String({
        pattern: "^0x[0-9a-f]{64}$",
        description: "Authorization under which an agent signs; zero when the owner signs.",
      }),
      nonceDomain: Type.Enum([...DOMAINS], { description: "Class of actions whose nonces count together." }),
      nonce: Type.String({ pattern: WHOLE, description: "Nonce in the lane (account, subaccount, signer, domain)." }),
      validFrom: Type.Integer({ minimum: 0, description: "First height at which it may commit." }),
      validUntil: Type.Integer({ minimum: 0, description: "Last height at which it may commit." }),
      replaces: Type.String({
        pattern: "^0x[0-9a-f]{64}$",
        description: "Pending transaction of the same lane and nonce that it replaces; zero for none.",
      }),
      clientTxId: Type.String({ maxLength: TEXT_MOST, description: "Own name for the transaction." }),
    },
    { ...strict, $id: "TxHeader", description: "Header of a transaction (TX-1). Every field is always present." },
  ),
);

const signature = Type.String({
  pattern: "^0x[0-9a-f]{130}$",
  description: "65 bytes: r, s, v; v is 27 or 28, s is low (TX-4).",
});

/** A complete signed transaction: the body of a submission. */
export const SignedTransaction = Type.Unsafe<SignedTransactionJson>(
  Type.Union(
    ACTION_NAMES.map((name) =>
      Type.Object(
        { action: Type.Literal(name), header: TxHeader, payload: payloadSchemas[name], signature },
        { ...strict, $id: `Signed${actions[name].primaryType}`, description: actions[name].doc },
      ),
    ),
    { $id: "SignedTransaction", description: "A complete signed transaction; `action` says which." },
  ),
);

/** Any payload, as answers carry it. */
export const Payload = Type.Unsafe<JsonPayloads[ActionName]>(
  Type.Record(Type.String(), Type.Unknown(), {
    $id: "Payload",
    description: "Fields of the action, as they were signed; see the signed transactions.",
  }),
);
