import { type Static, Type } from "typebox";
import { ROLES } from "../../../protocol/words.ts";
import { address, amount, count, flag, hash, nullable, rate, subaccount, text, timeMs, word } from "./common.ts";

const Cap = Type.Object(
  {
    amount: amount("Most in a window; 0 for no bound of this kind."),
    share: rate("Most as a share of what was held."),
  },
  { $id: "OutflowCap" },
);

const GenesisMarket = Type.Object(
  {
    name: text("Name of the market."),
    preset: text("Preset of its parameters."),
    parameters: Type.Record(Type.String(), Type.String(), { description: "Parameters that differ from the preset." }),
  },
  { $id: "GenesisMarket" },
);

const GenesisAccount = Type.Object(
  {
    address: address("Address of the account."),
    subaccount: subaccount(),
    role: word(ROLES, "Role of the account."),
    balance: amount("Collateral that it starts with."),
    lossLimit: Type.Optional(amount("Of a backstop: how much of the balance it may lose.")),
  },
  { $id: "GenesisAccount" },
);

/** Members of the one text of a genesis, in its order. */
const GenesisContent = Type.Object(
  {
    network: text("Name that transactions carry in their header."),
    chainId: count("Chain id of the signing domain."),
    protocolVersion: count("Version of the rules."),
    envelopeVersion: count("Version of the signed envelope."),
    timeMs: timeMs("Time of block 0."),
    authorities: Type.Object(
      {
        oracle: address("Signs prices."),
        faucet: address("Signs simulated collateral."),
        operator: address("Signs everything else of the system."),
      },
      { description: "Keys that sign system transactions (NET-3)." },
    ),
    markets: Type.Array(GenesisMarket, { description: "Markets, in order of creation." }),
    accounts: nullable(
      Type.Array(GenesisAccount, { description: "Accounts, in order of creation." }),
      "Accounts, in order of creation; null where the network shows accounts to their owners only.",
    ),
    insurance: amount("What the insurance fund starts with."),
    features: Type.Object(
      {
        agents: flag("Owners may grant authorizations to agents."),
        faucet: flag("Simulated collateral may be minted."),
        accountReads: flag("The service answers questions about accounts."),
        validators: flag("The validator set is exposed."),
        devnet: flag("The venue may be controlled from outside."),
      },
      { description: "What the venue offers (NET-1)." },
    ),
    validityMax: count("Longest validity of a transaction, in blocks (VAL)."),
    liquidationsMax: count("Most margin accounts that are liquidated in a block (LIQ)."),
    intentsMax: count("Most intents of a subaccount (INT)."),
    nonces: Type.Optional(
      Type.Object(
        { trading: text("`window:N`; `sequential` where the member is absent.") },
        { description: "Scheme of nonces (NON-2)." },
      ),
    ),
    outflow: Type.Object(
      {
        hourly: Cap,
        daily: Cap,
        deficitThreshold: amount("Deficit of a block above which withdrawals are paused."),
        deficitBlocks: count("How many further blocks they are paused."),
      },
      { description: "Caps on withdrawals (MRG-5)." },
    ),
    salt: Type.Optional(text("Chosen at random by a venue in memory, so that its hash is its own.")),
    origin: Type.Optional(hash("Of a fork with a changed genesis: hash of the genesis that it came from (TX-1).")),
  },
  { $id: "GenesisContent", description: "What a chain starts from (NET-1)." },
);

/** What a chain starts from, and the text that its hash is of. */
export const Genesis = Type.Object(
  {
    hash: hash("Identifies the network; the salt of the signing domain."),
    text: nullable(
      text("The one text of the genesis. Its SHA-256 is the hash, except of a fork with `origin`."),
      "The one text of the genesis. Its SHA-256 is the hash, except of a fork with `origin`. Null where `accounts` is.",
    ),
    content: GenesisContent,
  },
  {
    $id: "Genesis",
    description: "What a chain starts from. Its effects are the events of block 0: `/blocks/0/events`.",
  },
);
export type Genesis = Static<typeof Genesis>;
