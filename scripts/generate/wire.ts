/** Renders `docs/reference/wire.md` from the descriptors: what a client in any language must write and sign. */
import { API_PREFIX, SOCKET_PATH } from "../../src/client/api/endpoint.ts";
import { WAIT_MS_MOST } from "../../src/client/api/routes/network.ts";
import { routes } from "../../src/client/api/routes.ts";
import { KEY_LEAST, KEY_MOST } from "../../src/client/api/schemas/submission.ts";
import { CHANNEL_NAMES, type ChannelKey, channels } from "../../src/client/api/socket/channels.ts";
import { CLIENT_MESSAGE_MOST, clientOperations, SOCKET_ERRORS } from "../../src/client/api/socket/messages.ts";
import { SIGNATURE_FAULTS } from "../../src/client/signing/recover.ts";
import { LIMIT } from "../../src/ground/math/fixed.ts";
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

export const path = "docs/reference/wire.md";

const row = (...cells: string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
const table = (head: string[], rows: string[][]) =>
  [row(...head), row(...head.map(() => "---")), ...rows.map((cells) => row(...cells))].join("\n");
const code = (text: string) => `\`${text}\``;

/** Members of a subscription that name the subject of a channel. */
const CHANNEL_NEEDS: Readonly<Record<ChannelKey, string>> = {
  none: "",
  market: "`market`",
  book: "`market`, perhaps `depth`",
  account: "`address`",
};

/** The form of a field in JSON, and its unit. */
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
No key occurs twice. Numbers are plain: no point, no exponent. Any other text is refused with \`VALIDATION_ERROR\`, which
names the place, before anything is hashed.

- **Text** is at most ${TEXT_MOST} printable ASCII characters.
- **Decimal text** is canonical: \`-?(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?\`, no \`-0\`, no exponent, no trailing zeros. More
  digits than the scale keeps are refused, never rounded.
- **Whole numbers**, and decimals counted in their smallest digit, are at most ${LIMIT} in magnitude.
- **Words** are written exactly as listed, never as the empty text. A word marked (empty) counts as an empty field: an action
  that refuses the field takes it.

A field that an action refuses must be empty, and one that it needs may not be
([ACT-3](../spec/actions.md#act-3-a-field-is-honoured-or-refused)); otherwise the transaction is rejected with the code. A field
without an entry in the tables is honoured.

## Header

First member, \`TxHeader header\`, of every signed message, in this order.

${table(
  ["field", "signed as", "JSON", "meaning"],
  HEADER_FIELDS.map(({ name, type, json, doc }) => [code(name), code(type), HEADER_JSON[json], doc]),
)}

A transaction may commit in blocks from \`validFrom\` to \`validUntil\`, which are at most ${VALIDITY_SPAN} apart unless genesis says otherwise.

## Signature

EIP-712 typed data. The domain is \`${encodeType("EIP712Domain", { EIP712Domain: DOMAIN_MEMBERS })}\` with name
\`"${SIGNING_NAME}"\`, version \`"${SIGNING_VERSION}"\`, the chain id of genesis, and the hash of genesis as salt. The primary type is the action's
name with a capital letter; its members are the header, then the fields in the order below. Values are signed as
written in JSON: a price is the text \`"60000.5"\`.

The digest, without the signature, is the **id** of the transaction. A signature is 65 bytes: r, s and v, as \`0x\` and 130
lower-case hex digits. It is valid unless one of these faults applies, checked in this order:

${table(
  ["fault", "when"],
  SIGNATURE_FAULTS.map((fault) => [
    code(fault),
    {
      SIGNATURE_LENGTH: "not 65 bytes",
      SIGNATURE_V: "v is neither 27 nor 28",
      SIGNATURE_RANGE: "r or s is not from 1 to n - 1, n being the order of secp256k1",
      SIGNATURE_HIGH_S: "s is above n / 2",
      SIGNATURE_UNRECOVERABLE: "no key produces it",
      SIGNER_MISMATCH: "the address recovered is not `header.signer`",
    }[fault],
  ]),
)}

## Submission

\`POST ${API_PREFIX}${routes.submitTransaction.path}\` takes one transaction as its body, with two headers:

- \`Content-Type: application/json\`
- \`Idempotency-Key\`: ${KEY_LEAST} to ${KEY_MOST} letters, digits, \`.\`, \`_\`, \`:\`, \`-\`. One key belongs to one transaction; its id without \`0x\` is a
  good key. After a timeout the same bytes are sent again under the same key.

202 means that the transaction is stored and pending. \`GET ${API_PREFIX}${routes.getConfirmation.path}\` returns its outcome;
\`waitMs\` waits up to ${WAIT_MS_MOST} ms for it. [Errors](problems.md) have a code and a reason.

The next nonce of a lane is \`data.pendingNext\` of

\`\`\`text
GET ${API_PREFIX}${routes.getNonce.path}?signer=<address>&subaccount=<number>&domain=<nonce domain>
\`\`\`

Here \`address\` is \`header.account\`, and all three members of the query are required.
\`GET ${API_PREFIX}${routes.getStatus.path}\` returns what the header and the signing domain need: network, versions, height, chain id and salt.

## OpenAPI

\`GET ${API_PREFIX}${routes.getOpenApi.path}\` has the same rules for programs. Each signed transaction has \`x-eip712\` with the primary type and the
type text below, \`x-nonce-domains\`, and \`x-scope\` or \`x-authority\`. Each field has \`x-eip712-type\`; decimals have \`x-decimals\` and
\`x-maximum\`. The patterns refuse what the venue refuses. The package has the documents and the examples:
\`perplab/openapi.json\`, \`perplab/asyncapi.json\`, \`perplab/vectors/<action>.json\`.

## Streams

A WebSocket at \`${SOCKET_PATH}\` carries messages in JSON, one a frame, of at most ${CLIENT_MESSAGE_MOST} bytes from the client. The venue greets with
\`welcome\`; the client then sends operations, each with an \`id\` of its own that the answer carries:

\`\`\`json
{ "op": "subscribe", "id": 1, "channel": "book", "market": "BTC-PERP", "depth": 10 }
\`\`\`

${table(
  ["op", "members", "does"],
  Object.entries(clientOperations).map(([op, schema]) => [
    code(op),
    Object.keys(schema.properties)
      .filter((name) => name !== "op" && name !== "id")
      .map((name) => code(name))
      .join(", "),
    (schema as { readonly description?: string }).description ?? "",
  ]),
)}

- The answer is \`subscribed\` with the name of the stream, or \`error\` with a code. A \`snapshot\` follows, then at most one \`delta\` a block.
- \`seq\` is the height of the block. A delta whose \`prevSeq\` is above the last \`seq\` that was handled shows a gap. A \`heartbeat\` has the
  last \`seq\` of every stream, so a gap at the end shows, too.
- After a gap or a lost connection, subscribe again with \`"resume": { "epoch", "seq", "hash" }\` of the last message that was handled. The
  missed deltas follow. \`RESUME_UNAVAILABLE\` asks for a subscription without it; \`CHAIN_CHANGED\` means that everything received is void.
- \`resync\` voids what a stream has sent so far, and a snapshot follows.
- A delta of a book has the levels that changed; size \`"0"\` removes one. \`checksum\` is the CRC-32 of the ten best asks, then the ten best
  bids: of each level price and size without the point and without leading zeros.
- A confirmation of a transaction is in \`transactions\` of its account.

${table(
  ["channel", "needs", "what"],
  CHANNEL_NAMES.map((name) => [code(name), CHANNEL_NEEDS[channels[name].about], channels[name].doc]),
)}

${table(
  ["error", "when"],
  Object.entries(SOCKET_ERRORS).map(([name, meaning]) => [code(name), meaning]),
)}

\`perplab/asyncapi.json\` has the members of every message.

## Indexing

\`GET ${API_PREFIX}${routes.getGenesis.path}\` returns genesis: its hash, and the text of which the hash is the SHA-256. Its effects are
\`GET ${API_PREFIX}/blocks/0/events\`; each later block has its own. Applied in order, the [events](events.md) give the whole state. At some
heights \`stateRoot\` of \`GET ${API_PREFIX}${routes.getBlock.path}\` is the SHA-256 of the canonical form
([DET-3](../spec/determinism.md#det-3-two-forms-of-bytes)), so an indexer can check itself. \`hash\` and \`parentHash\` link the blocks; the parent of
block 0 is genesis. \`oldestHeight\` of \`/status\` is above 1 where old blocks were pruned.

In REST, an event has the names of accounts, markets and grants instead of their numbers, and decimals instead of lots, ticks and
quote units. Words of 32 bits that form an address or an id are one field: \`address\`, \`agent\` or \`authorizationId\`.

## Finality

One process orders transactions and decides on them: \`network.consensus\` of \`/status\` is \`none\`, and \`/validators\`, where exposed, has
one member. A committed outcome is stored and its \`finality\` is \`final\`. On a development venue it is \`revertible\`: a revert, reset or
load replaces blocks and raises \`network.epoch\`. A transaction of a replaced block is \`dropped\`; its nonce is free again.

## Actions

${ACTION_NAMES.map((name) => describeAction(actions[name])).join("\n")}`;
}
