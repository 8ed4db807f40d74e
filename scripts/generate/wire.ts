/** Renders `docs/reference/wire.md` from the descriptors: what a client in any language has to write and sign. */
import { LIMIT } from "../../src/math/fixed.ts";
import { type ActionDescriptor, DOMAINS } from "../../src/protocol/action.ts";
import { ACTION_NAMES, actions } from "../../src/protocol/actions/index.ts";
import { TRANSACTION_TEXT_MOST } from "../../src/protocol/codecText.ts";
import { VALIDITY_SPAN } from "../../src/protocol/createTransaction.ts";
import { describeUse, describeWhere } from "../../src/protocol/describeRules.ts";
import type { FieldRule } from "../../src/protocol/fieldRules.ts";
import { DECIMALS, type Field, type Fields, type RecordField, TEXT_MOST } from "../../src/protocol/fields.ts";
import { HEADER_FIELDS } from "../../src/protocol/header.ts";
import { ENVELOPE_VERSION, PROTOCOL_VERSION } from "../../src/protocol/transaction.ts";
import {
  DOMAIN_MEMBERS,
  encodeType,
  SIGNING_NAME,
  SIGNING_VERSION,
  typedDataTypes,
  typeOfField,
} from "../../src/protocol/typedData.ts";
import { SIGNATURE_FAULTS } from "../../src/signing/recover.ts";

export const path = "docs/reference/wire.md";

const row = (...cells: string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
const table = (head: string[], rows: string[][]) =>
  [row(...head), row(...head.map(() => "---")), ...rows.map((cells) => row(...cells))].join("\n");
const code = (text: string) => `\`${text}\``;

/** What a field is in JSON, and in which unit. */
function describeJson(field: Field): string {
  switch (field.kind) {
    case "text":
    case "market":
      return field.optional ? "text, may be empty" : "text";
    case "word":
      return field.words
        .map((word, place) => `${code(`"${word}"`)}${place === 0 && field.required !== true ? " (empty)" : ""}`)
        .join(", ");
    case "price":
    case "size":
    case "amount":
    case "rate": {
      const { kind } = field;
      const unit = { price: "USD per unit of base", size: "units of base", amount: "USD", rate: "ratio" }[kind];
      const sign = field.signed ? ", may be negative" : "";
      return `decimal text, at most ${DECIMALS[kind]} digits after the point, ${unit}${sign}${field.optional ? '; empty for none, never `"0"`' : ""}`;
    }
    case "id":
      return field.optional ? 'whole number as text; `"0"` for none' : "whole number as text, from 1";
    case "count":
      return "whole number";
    case "time":
      return "whole number up to 9e15";
    case "flag":
      return "`true` or `false`";
    case "address":
      return "`0x` and 40 lower-case hex digits";
    case "bytes32":
      return "`0x` and 64 lower-case hex digits";
    case "bytes":
      return "`0x` and pairs of lower-case hex digits";
    case "list":
      return `list of at most ${field.most}: ${describeJson(field.item as Field)}`;
    case "record":
      return `object ${Object.entries(field.members as Fields)
        .map(([name, member]) => `${code(name)}: ${describeJson(member)}`)
        .join("; ")}`;
  }
}

const HEADER_JSON = {
  text: `text`,
  integer: "whole number",
  "decimal string": "whole number as text",
  address: "`0x` and 40 lower-case hex digits",
  bytes32: "`0x` and 64 lower-case hex digits",
  word: DOMAINS.map((word) => code(`"${word}"`)).join(", "),
} as const;

/** Rows of ACT-3: fields that are needed or refused. */
function describeRules(of: string, rules: readonly FieldRule[]): string {
  if (rules.length === 0) return "";
  const rows = rules.map((rule) => [code(rule.field), describeUse(rule), describeWhere(rule), code(rule.code)]);
  const title = of === "" ? "Fields that are needed or refused:" : `In each entry of \`${of}\`:`;
  return `\n${title}\n\n${table(["field", "is", "where", "code"], rows)}\n`;
}

/** The same of the records in a list. */
function describeRecord(name: string, field: Field): string {
  if (field.kind !== "list" || (field.item as Field).kind !== "record") return "";
  return describeRules(name, (field.item as RecordField).rules);
}

function describeAction(action: ActionDescriptor): string {
  const fields = Object.entries(action.fields);
  const types = typedDataTypes(action.name as (typeof ACTION_NAMES)[number]);
  const signer =
    action.authority === undefined ? `scope ${code(action.scope)}` : `signed by the ${code(action.authority)} key`;
  const domain = action.domain === "any" ? "any nonce domain" : `nonce domain ${code(action.domain)}`;
  const rows = fields.map(([name, field]) => [code(name), code(typeOfField(field)), describeJson(field), field.doc]);
  return `### ${action.name}

${action.doc} Code ${ACTION_NAMES.indexOf(action.name as (typeof ACTION_NAMES)[number])}; ${domain}; ${signer}.

${rows.length === 0 ? "No fields: the payload is `{}`." : table(["field", "signed as", "JSON", "meaning"], rows)}
${describeRules("", action.rules)}${fields.map(([name, field]) => describeRecord(name, field)).join("")}
\`\`\`text
${encodeType(action.primaryType, types)}
\`\`\`
`;
}

export function render(): string {
  return `<!-- Generated from src/protocol by \`npm run generate\`. Do not edit. -->
# The wire

How a transaction is written, signed and named. Protocol version ${PROTOCOL_VERSION}, envelope version ${ENVELOPE_VERSION}.
Examples with every intermediate value, at least three for each action, are in \`test/vectors\`.

## A transaction in JSON

An object of exactly four members: \`action\` (the name of an action below), \`header\`, \`payload\` and \`signature\`. At most
${TRANSACTION_TEXT_MOST} characters. Every member of header and payload is always present, and none besides: absent is the empty text or zero.
A key stands once. Numbers are plain: no point, no exponent. Whatever differs is refused with \`VALIDATION_ERROR\`, which
names the place, before anything is hashed.

- **Text** is at most ${TEXT_MOST} printable ASCII characters.
- **Decimal text** is canonical: \`-?(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?\`, no \`-0\`, no exponent, no trailing zeros. More
  digits than the scale keeps are refused, never rounded.
- **Whole numbers**, and decimals counted in their smallest digit, are at most ${LIMIT} in magnitude.
- **Words** are written exactly as listed. The first word is the empty one where the list says so.

A field that an action refuses must be empty, and one that it needs may not be
([ACT-3](../spec/actions.md#act-3-a-field-is-honoured-or-refused)); otherwise the transaction is rejected with the code. A field
of which the tables say nothing is honoured.

## Header

First member, \`TxHeader header\`, of every signed message, in this order.

${table(
  ["field", "signed as", "JSON", "meaning"],
  HEADER_FIELDS.map(({ name, type, json, doc }) => [code(name), code(type), HEADER_JSON[json], doc]),
)}

A transaction may stand in blocks from \`validFrom\` to \`validUntil\`, which are at most ${VALIDITY_SPAN} apart unless genesis says otherwise.

## Signature

EIP-712 typed data. The domain is \`${encodeType("EIP712Domain", { EIP712Domain: DOMAIN_MEMBERS })}\` with name
\`"${SIGNING_NAME}"\`, version \`"${SIGNING_VERSION}"\`, the chain id of genesis, and the hash of genesis as salt. The primary type is the action's
name with a capital letter; its members are the header, then the fields in the order below. Values are signed as they
stand in JSON: a price is the text \`"60000.5"\`.

The digest, without the signature, is the **id** of the transaction. A signature is 65 bytes: r, s and v, as \`0x\` and 130
lower-case hex digits. It counts if none of these holds, tried in this order:

${table(
  ["fault", "when"],
  SIGNATURE_FAULTS.map((fault) => [
    code(fault),
    {
      SIGNATURE_LENGTH: "not 65 bytes",
      SIGNATURE_V: "v is neither 27 nor 28",
      SIGNATURE_RANGE: "r or s is not from 1 to n - 1, n being the order of secp256k1",
      SIGNATURE_HIGH_S: "s is above n / 2",
      SIGNATURE_UNRECOVERABLE: "no key makes it",
      SIGNER_MISMATCH: "the address recovered is not `header.signer`",
    }[fault],
  ]),
)}

## Actions

${ACTION_NAMES.map((name) => describeAction(actions[name])).join("\n")}`;
}
