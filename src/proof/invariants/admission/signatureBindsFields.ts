import { AccountKey } from "../../../protocol/accountKey.ts";
import { DOMAINS } from "../../../protocol/action.ts";
import { type ActionName, actions } from "../../../protocol/actions/index.ts";
import type { Bytes32, Field, Fields } from "../../../protocol/fields.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import { type Transaction, type TxHeader, ZERO_BYTES32 } from "../../../protocol/transaction.ts";
import { createDigester, type Digester } from "../../../protocol/typedDataDigest.ts";
import { digestOf } from "../../../venue/engine/state/digest.ts";
import { computeGenesisHash } from "../../../venue/engine/state/genesisHash.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { defineInvariant, type Step } from "../machinery/defineInvariant.ts";
import { plainDigest } from "./plainDigest.ts";

/** How many committed transactions of a block get their ids computed again. */
const PLAIN = 3;

/** What a check remembers: actions whose fields were changed, hashes of texts, and the hash of the last genesis. */
interface Seen {
  readonly actions: Set<ActionName>;
  readonly hashes: Map<string, string>;
  genesis: Genesis | undefined;
  genesisHash: Bytes32;
}

export const signatureBindsFields = defineInvariant<Seen>({
  id: "signatureBindsFields",
  sentence:
    "A transaction is signed as EIP-712, which the check encodes from scratch. A change of any field of header or payload changes the digest.",
  rules: ["TX-1", "TX-3", "NUM-5"],
  catalogue: ["T07"],
  when: "block",
  heavy: true,
  lasting: true,
  start: () => ({ actions: new Set(), hashes: new Map(), genesis: undefined, genesisHash: ZERO_BYTES32 }),
  sweep(state, step, seen) {
    const { transactions } = step.block;
    const strange = findStrangeId(state, step, seen);
    if (strange !== undefined) return strange;
    // One transaction a block, of an action not yet checked: digests of all would cost more than the block itself.
    const places = transactions.flatMap(({ action }, at) => (seen.actions.has(action) ? [] : [at]));
    if (places.length === 0) return undefined;
    const place = places[step.turn % places.length]!;
    const transaction = transactions[place]!;
    step.met++;
    seen.actions.add(transaction.action);
    const unbound = findUnbound(DIGESTER, transaction);
    return unbound === undefined
      ? undefined
      : `transaction ${place}: ${unbound} can change without changing the digest`;
  },
});

/** The first of these committed transactions whose id on this chain differs from that of the plain encoder. */
function findStrangeId(state: State, step: Step, seen: Seen): string | undefined {
  const { transactions } = step.block;
  const { codes } = step.result.receipts;
  const committed = transactions.flatMap((transaction, at) => (codes[at]! >= 0 ? [transaction] : []));
  const { genesis } = state;
  if (seen.genesis !== genesis) {
    seen.genesis = genesis;
    seen.genesisHash = computeGenesisHash(genesis);
  }
  const domain = { chainId: genesis.chainId, genesisHash: seen.genesisHash };
  for (let turn = 0; turn < Math.min(PLAIN, committed.length); turn++) {
    const transaction = committed[(step.turn + turn) % committed.length]!;
    step.met++;
    if (digestOf(state, transaction) !== plainDigest(transaction, domain, seen.hashes))
      return `${transaction.action} with nonce ${transaction.header.nonce} has an id that is not its EIP-712 digest`;
  }
  return undefined;
}

/** The comparison works in any domain. */
const DIGESTER = createDigester({ chainId: 1, genesisHash: ZERO_BYTES32 });

/** The name of the first field of a transaction that its digest does not bind. */
export function findUnbound(digester: Pick<Digester, "digestOf">, transaction: Transaction): string | undefined {
  const digest = digester.digestOf(transaction);
  const seen = new Map<string, string>();
  for (const { name, changed } of listChanged(transaction)) {
    const other = digester.digestOf(changed);
    if (other === digest) return name;
    // Ten times a number and a tenth of it differ from each other, too.
    if (seen.get(other) === name) return name;
    seen.set(other, name);
  }
  return undefined;
}

interface Changed {
  readonly name: string;
  readonly changed: Transaction;
}

/** The transaction once for each of its fields, with another value in it. */
function* listChanged(transaction: Transaction): Generator<Changed> {
  const { header, action } = transaction;
  for (const [name, changed] of Object.entries(changeHeader(header)))
    yield { name: `header.${name}`, changed: { ...transaction, header: { ...header, ...changed } } };
  const payload = transaction.payload as Readonly<Record<string, unknown>>;
  for (const [name, field] of Object.entries(actions[action].fields as Fields)) {
    for (const value of changeValue(field, payload[name])) {
      const changed = { ...transaction, payload: { ...payload, [name]: value } } as Transaction<ActionName>;
      yield { name: `${action}.${name}`, changed };
    }
  }
}

function changeHeader(header: TxHeader): { readonly [name: string]: Partial<TxHeader> } {
  const { account } = header;
  const domain = DOMAINS[(DOMAINS.indexOf(header.nonceDomain) + 1) % DOMAINS.length]!;
  return {
    network: { network: `${header.network}x` },
    protocolVersion: { protocolVersion: header.protocolVersion + 1 },
    envelopeVersion: { envelopeVersion: header.envelopeVersion + 1 },
    account: { account: new AccountKey(changeHex(account.address), account.subaccount) },
    subaccount: { account: new AccountKey(account.address, (account.subaccount + 1) % 2 ** 32) },
    signer: { signer: changeHex(header.signer) },
    authorization: { authorization: changeHex(header.authorization) },
    nonceDomain: { nonceDomain: domain },
    nonce: { nonce: header.nonce + 1 },
    validFrom: { validFrom: header.validFrom + 1 },
    validUntil: { validUntil: header.validUntil + 1 },
    replaces: { replaces: changeHex(header.replaces) },
    clientTxId: { clientTxId: `${header.clientTxId}x` },
  };
}

/** Other values of a field: one, or one for each part of a composed field. None if only one value is possible. */
function* changeValue(field: Field, value: unknown): Generator<unknown> {
  switch (field.kind) {
    case "text":
    case "market":
      yield `${value}x`;
      return;
    case "word":
      if (field.words.length > 1) yield ((value as number) + 1) % field.words.length;
      return;
    case "flag":
      yield value !== true;
      return;
    case "price":
    case "size":
    case "amount":
    case "rate":
    case "id":
    case "count":
    case "time":
      // Beyond 2^53 the next number would be equal to the number itself.
      yield value === 0 ? 1 : 0;
      yield* scale(value as number);
      return;
    case "address":
    case "bytes32":
      yield changeHex(value as `0x${string}`);
      return;
    case "bytes":
      yield Uint8Array.of(...(value as Uint8Array), 0);
      return;
    case "list": {
      const items = value as readonly unknown[];
      if (items.length === 0) return;
      const rest = items.slice(1);
      yield rest;
      for (const other of changeValue(field.item as Field, items[0])) yield [other, ...rest];
      return;
    }
    case "record": {
      const members = value as Readonly<Record<string, unknown>>;
      for (const [name, member] of Object.entries(field.members as Fields))
        for (const other of changeValue(member, members[name])) yield { ...members, [name]: other };
    }
  }
}

/** Ten times a number, and a tenth: the values that a misplaced decimal point would make of it. */
function* scale(value: number): Generator<number> {
  if (value === 0) return;
  if (Number.isSafeInteger(value * 10)) yield value * 10;
  if (Number.isSafeInteger(value / 10)) yield value / 10;
}

/** The text with another last digit. */
function changeHex<Text extends `0x${string}`>(text: Text): Text {
  return (text.slice(0, -1) + (text.endsWith("0") ? "1" : "0")) as Text;
}
