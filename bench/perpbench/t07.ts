import type { ActionName } from "../../src/protocol/actions/index.ts";
import { actions } from "../../src/protocol/actions/index.ts";
import type { Field } from "../../src/protocol/fields.ts";
import type { Block, Transaction } from "../../src/protocol/transaction.ts";
import type { Digester } from "../../src/protocol/typedDataDigest.ts";

/**
 * Whether the digest binds every field of a block's transactions (T07): changed in one field, a transaction has another
 * digest, so a signature is good for one content only. Signatures are not checked for this: the digest is what they sign.
 *
 * @returns the first field that is not bound, in words
 */
export function findUnbound(digester: Digester, block: Block): string | undefined {
  for (const [index, transaction] of block.transactions.entries()) {
    const digest = digester.digestOf(transaction);
    const { fields } = actions[transaction.action];
    for (const [name, field] of Object.entries(fields)) {
      const changed = changeField(transaction, name, field as Field);
      if (changed === undefined || digester.digestOf(changed) !== digest) continue;
      return `transaction ${index}: ${transaction.action}.${name} may change and the digest stays ${digest}`;
    }
  }
  return undefined;
}

function changeField(transaction: Transaction, name: string, field: Field): Transaction | undefined {
  const payload = transaction.payload as Readonly<Record<string, unknown>>;
  const value = changeValue(field, payload[name]);
  if (value === undefined) return undefined;
  return { ...transaction, payload: { ...payload, [name]: value } } as Transaction<ActionName>;
}

/** Another value of a field, undefined for what is made of parts. */
function changeValue(field: Field, value: unknown): unknown {
  switch (field.kind) {
    case "text":
    case "market":
      return `${value}x`;
    case "word":
      return ((value as number) + 1) % field.words.length;
    case "flag":
      return value !== true;
    case "price":
    case "size":
    case "amount":
    case "rate":
    case "id":
    case "count":
    case "time":
      return (value as number) + 1;
    case "address":
    case "bytes32": {
      const text = value as string;
      return text.slice(0, -1) + (text.endsWith("0") ? "1" : "0");
    }
    default:
      return undefined;
  }
}
