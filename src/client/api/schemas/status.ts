import { type Static, Type } from "typebox";
import { AsOf, count, flag, hash, height, nullable, text, timeMs, word } from "./common.ts";

export const NETWORK_KINDS = ["devnet", "testnet", "mainnet"] as const;
/** Access to accounts: every client, or only a client whose session proves that it owns the address. */
export const ACCOUNT_ACCESS = ["public", "session"] as const;

/** How transactions are decided. */
export const CONSENSUS = ["none"] as const;
export const CONSENSUS_DOC = "Consensus: `none` means one process, without other validators.";

const SdkVersions = Type.Object(
  { minimum: text("Oldest version that works."), current: text("Version released with this contract.") },
  { $id: "SdkVersions" },
);

/** What a client must know before it signs. */
export const Status = Type.Object(
  {
    network: Type.Object({
      name: text("Name that transactions carry in their header."),
      chainId: count("Chain id of the signing domain."),
      genesisHash: hash("Identifies the network; the salt of the signing domain."),
      epoch: count("Rises when the chain is replaced: by a revert, a reset or a load."),
      kind: word(NETWORK_KINDS, "What the network is for."),
      open: flag("Whether the network is open to the outside."),
      consensus: word(CONSENSUS, CONSENSUS_DOC),
    }),
    signingDomain: Type.Object(
      {
        name: text("EIP-712 name."),
        version: text("EIP-712 version."),
        chainId: count("EIP-712 chain id."),
        salt: hash("EIP-712 salt."),
      },
      { description: "What signatures are bound to (TX-1)." },
    ),
    versions: Type.Object({
      api: text("Version of the OpenAPI document."),
      openapiSha256: text("Hash of that document as served, hexadecimal."),
      protocol: Type.Array(Type.Integer(), { description: "Protocol versions that are taken in headers." }),
      envelope: Type.Array(Type.Integer(), { description: "Envelope versions that are taken in headers." }),
      sdk: Type.Object(
        { typescript: SdkVersions, python: SdkVersions },
        { description: "Clients that work with this network." },
      ),
    }),
    head: AsOf,
    oldestHeight: height("Blocks and transactions below this height were pruned."),
    mempool: Type.Object({ pending: count("Transactions that wait for a block.") }),
    features: Type.Object({
      agents: flag("Owners may grant authorizations to agents."),
      accountReads: word(ACCOUNT_ACCESS, "Who may read accounts."),
      accountStreams: word(ACCOUNT_ACCESS, "Who may subscribe to channels of accounts."),
      faucet: flag("Simulated collateral may be claimed."),
      validators: flag("The validator set is public."),
      devnet: flag("The venue may be controlled under `/devnet`."),
    }),
    limits: Type.Object({
      profile: text("Name of the rate limits in force."),
      pageMost: count("Most items of a page."),
      bookDepthMost: count("Most levels of a side of a book."),
      confirmationWaitMsMost: count("Longest wait for a confirmation, in milliseconds."),
      validityBlocksMost: count("Longest validity of a transaction, in blocks (VAL)."),
    }),
    collateral: Type.Object({
      asset: text("The settlement asset."),
      decimals: count("Decimals of amounts."),
      simulated: flag("Balances are simulated test assets without redemption value."),
    }),
    urls: nullable(
      Type.Object({ rest: text("Base address of REST."), websocket: text("Address of the WebSocket.") }),
      "Public addresses; null while the network is closed. A client never infers one.",
    ),
    serverTimeMs: timeMs("The server's clock, not the chain's."),
  },
  { $id: "Status", description: "Network and version status." },
);
export type Status = Static<typeof Status>;

export const Validator = Type.Object(
  {
    address: nullable(text("Address of the validator; null where it has none.")),
    name: text("Its name."),
    power: text("Its voting power, a decimal string."),
  },
  { $id: "Validator" },
);
