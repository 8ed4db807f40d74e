/** How one member of the header is written. */
export interface HeaderField {
  readonly name: string;
  /** Type in the signed message. */
  readonly type: "string" | "uint16" | "uint32" | "uint64" | "address" | "bytes32";
  /** Type in JSON. */
  readonly json: "text" | "integer" | "decimal string" | "address" | "bytes32" | "word";
  readonly doc: string;
}

/** The header, in the order of the signed message (TX-1). It is first in every primary type. */
export const HEADER_FIELDS = [
  { name: "network", type: "string", json: "text", doc: "Name of the network, from genesis." },
  { name: "protocolVersion", type: "uint16", json: "integer", doc: "Version of the rules." },
  { name: "envelopeVersion", type: "uint16", json: "integer", doc: "Version of the signed envelope." },
  { name: "account", type: "address", json: "address", doc: "Acting account; for system actions, the authority." },
  { name: "subaccount", type: "uint32", json: "integer", doc: "Acting subaccount; 0 for system actions." },
  { name: "signer", type: "address", json: "address", doc: "Whose key signs: the account's owner, or an agent." },
  { name: "authorization", type: "bytes32", json: "bytes32", doc: "Grant of the agent; zero when the owner signs." },
  { name: "nonceDomain", type: "string", json: "word", doc: "Lane in which the nonce counts." },
  { name: "nonce", type: "uint64", json: "decimal string", doc: "Nonce in its lane; each commits once." },
  { name: "validFrom", type: "uint64", json: "integer", doc: "First block that may include it." },
  { name: "validUntil", type: "uint64", json: "integer", doc: "Last block that may include it." },
  {
    name: "replaces",
    type: "bytes32",
    json: "bytes32",
    doc: "Id of the pending transaction that it replaces, or zero.",
  },
  { name: "clientTxId", type: "string", json: "text", doc: "Own name for the transaction; may be empty." },
] as const satisfies readonly HeaderField[];

/** Name of the header's struct in the signed message. */
export const HEADER_TYPE = "TxHeader";
