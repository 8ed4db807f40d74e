import { invariants } from "../../../proof/invariants/statements.ts";
import { DOMAINS } from "../../../protocol/action.ts";
import { actions } from "../../../protocol/actions/index.ts";
import type { Field, Fields } from "../../../protocol/fields.ts";
import { createGenesis } from "../../../protocol/genesis.ts";
import { marketPresets } from "../../../protocol/marketPresets.ts";
import { marketParameters } from "../../../protocol/parameters.ts";
import { ROLES } from "../../../protocol/words.ts";
import { ACCOUNT_NAME } from "../../../venue/simulation/accountNames.ts";
import { WRITTEN } from "../../../venue/simulation/restoreVenue.ts";
import { DURATION, INSTANT } from "../compile/duration.ts";
import { MARKET_NAME } from "../compile/marketNames.ts";
import { aliasOf } from "../compile/payload.ts";
import { EXPECTATIONS } from "../expect/list.ts";
import { outcomeShape } from "../expect/receipts.ts";
import {
  count,
  decimal,
  either,
  flag,
  type Key,
  key,
  list,
  map,
  mapOf,
  requiredKey,
  type Shape,
  text,
  word,
} from "./shape.ts";

const amount: Shape = { kind: "decimal", orAll: true };

/** The values that the fields of an action may have in a file. */
function fieldShape(field: Field): Shape {
  switch (field.kind) {
    case "word":
      return word(field.words);
    case "amount":
    case "price":
    case "size":
    case "rate": {
      const shape = field.kind === "amount" ? amount : decimal;
      return field.optional ? either(shape, text('a decimal in quotes such as "0.5"', /^$/)) : shape;
    }
    case "id":
      return text("$label or an id in quotes", /^(\$[a-zA-Z][\w-]*|[0-9]+)$/);
    case "count":
    case "time":
      return either(count, text("+blocks or +duration", /^\+[0-9]+(ms|s|m|h|d)?$/));
    case "flag":
      return flag;
    case "list":
      return field.item.kind === "record" && Object.keys(field.item.members as Fields).join() === "name,value"
        ? either(
            list(fieldShape(field.item)),
            mapOf("names", /^\w+$/, either(text(), decimal, count), "A value by its name."),
          )
        : list(fieldShape(field.item as Field));
    case "record":
      return payloadShape(field.members as Fields);
    case "text":
    case "market":
    case "address":
    case "bytes32":
    case "bytes":
      return text();
  }
}

/** The long form of an action: its fields, where `Id` may be left out of a name (`order` for `orderId`). */
export function payloadShape(fields: Fields): Shape {
  const keys: Record<string, Key> = {};
  for (const [name, field] of Object.entries(fields)) {
    keys[name] = key(fieldShape(field), field.doc);
    const alias = aliasOf(name);
    if (alias !== name && !Object.hasOwn(fields, alias)) keys[alias] = key(fieldShape(field), field.doc);
  }
  return map(keys);
}

const RULE = /^(NUM|NET|ACC|TX|NON|VAL|ACT|BLK|ORD|POS|PRC|FND|MRG|LIQ|INT|AUT|MKT|EVT|DET)(-[0-9]{1,2})?$/;
const LABEL_NAME = text("a label without $", /^[a-zA-Z][\w-]*$/);
const instant = either(text("2024-01-01T00:00:00Z", INSTANT), count);
const heightOrMore = either(count, text("+blocks or -blocks", /^[+-][0-9]+$/));
const nonceOrMore = either(count, text("+n or -n from the next", /^[+-][0-9]+$/));

/** Parameters of a market as a file writes them. */
const parameterValue = either(text(), count, flag);
const parameterKeys = Object.fromEntries(
  Object.entries(marketParameters).map(([name, { doc }]) => [name, key(parameterValue, doc)]),
);
const tiers = { pattern: /^(tier|feeTier)[1-9][0-9]?$/, called: "tier1, tier2, …", shape: text(), doc: "A tier." };

export const marketShape: Shape = map(
  {
    preset: key(word(Object.keys(marketPresets)), "Preset of the parameters that are not listed; `linear` by default."),
    fees: key(word(["none"]), "`none` sets takerFee and makerFee to 0."),
    leverage: key(count, "One tier with an initial rate of 1 / leverage and half of it for maintenance."),
    ...parameterKeys,
  },
  tiers,
);

const oracleFields = (actions.oracleUpdate as { fields: Fields }).fields;
const { market: _market, ...priceFields } = oracleFields;
const pricesShape: Shape = mapOf(
  "market names",
  MARKET_NAME,
  either(
    decimal,
    map({
      oracle: key(decimal, "Oracle price; the same as `price`."),
      funding: key(decimal, "Recorded funding rate, to be settled in this block."),
      ...Object.fromEntries(
        Object.entries(priceFields).map(([name, field]) => [name, key(fieldShape(field), field.doc)]),
      ),
    }),
  ),
  "The oracle price (and the mark, where the market takes reported marks), or the fields of an oracle update.",
);

const plainValue = [text(), count, flag] as const;
/** A value of genesis: where the default is a map, its keys are those of the default. */
function genesisShape(example: unknown): Shape {
  if (typeof example !== "object" || example === null) return either(...plainValue);
  const entries = Object.entries(example).map(([name, value]) => [name, key(genesisShape(value), "As in genesis.")]);
  return map(Object.fromEntries(entries));
}
const genesisKeys: Record<string, Key> = {
  time: key(instant, "Time of genesis: 2024-01-01T00:00:00Z or milliseconds; 0 by default."),
};
for (const [name, value] of Object.entries(createGenesis())) {
  if (["markets", "accounts", "authorities", "timeMs"].includes(name)) continue;
  genesisKeys[name] = key(genesisShape(value), `As in genesis.`);
}

const accountsShape: Shape = mapOf(
  "account names: small letters, /1 for a subaccount",
  ACCOUNT_NAME,
  map({
    deposit: key(decimal, "Collateral at genesis; an account without one does not exist until it is paid."),
    role: key(word(ROLES), "normal, house or backstop."),
    address: key(
      text("0x and 40 small hex digits", /^0x[0-9a-f]{40}$/),
      "Address of its owner; by default one made of the name.",
    ),
    lossLimit: key(decimal, "Of a backstop: how much of its deposit it may lose; all of it where absent."),
  }),
  "An account.",
);

export const expectShape: Shape = map({
  ...Object.fromEntries(Object.entries(EXPECTATIONS).map(([name, { shape, doc }]) => [name, key(shape, doc)])),
  refused: key(flag, "`true`: the block as a whole is refused (INVALID_BLOCK) and changes nothing."),
});

/** A map that a case sets in whole: fields of an action, parameters of a market. */
const hole = text("a map", /^\$\{\w+\}$/);

const transactionShape: Shape = map(
  {
    from: key(text("the name of an account or authority"), "Who acts; authorities are oracle, operator, faucet."),
    as: key(
      either(LABEL_NAME, list(LABEL_NAME)),
      "Label of the order, intent or grant that it makes; a list names the parts.",
    ),
    expect: key(outcomeShape, "Its outcome; `applied` by default."),
    note: key(text(), "A sentence for the reader."),
    nonce: key(nonceOrMore, "Nonce, or +n or -n from the next one."),
    domain: key(word(DOMAINS), "Nonce lane."),
    validFrom: key(heightOrMore, "Height, or +n or -n from this block."),
    validUntil: key(heightOrMore, "Height, or +n or -n from this block."),
    signer: key(text("the name of an account"), "Who signs; the owner by default."),
    authorization: key(text("$label of a grant"), "Grant under which an agent signs."),
    badSignature: key(flag, "`true`: the signature stage found it bad."),
    network: key(text(), "Network in the header."),
    version: key(count, "Protocol version in the header."),
    envelope: key(count, "Envelope version in the header."),
    replaces: key(
      text("0x and 64 hex digits", /^0x[0-9a-f]{64}$/),
      "Id of the pending transaction that it replaces: a matter of the pool, not of the venue.",
    ),
    clientTxId: key(text(), "Own name of the transaction."),
    ...Object.fromEntries(
      Object.values(actions).map(({ name, doc, fields }) => [name, key(either(payloadShape(fields), hole), doc)]),
    ),
  },
  {
    pattern: ACCOUNT_NAME,
    called: "name: sentence, such as alice: buy 5 BTC-PERP @ 60000",
    shape: text("a sentence such as buy 5 BTC-PERP @ 60000"),
    doc: "The acting account, and its action as a sentence.",
  },
);

const marketUpdates: Shape = mapOf(
  "market names",
  MARKET_NAME,
  either(map(parameterKeys, tiers), hole),
  "Parameters that change.",
);

const blockShape: Shape = map({
  name: key(text(), "What the block is called in reports."),
  note: key(text(), "A sentence for the reader."),
  time: key(instant, "Time of the block."),
  after: key(text("a duration such as 30s, 5m, 8h", DURATION), "Time since the block before; 1s by default."),
  restart: key(
    either(word(WRITTEN), list(word(WRITTEN))),
    "Before the block the venue restarts from its stored state: image, snapshot, or several in turn.",
  ),
  repeat: key(
    count,
    "This many blocks; only without transactions. `expect` applies after the last one; its events are those of all.",
  ),
  prices: key(pricesShape, "Oracle updates."),
  markets: key(marketUpdates, "Market updates."),
  transactions: key(list(transactionShape), "Transactions in order, system transactions first."),
  expect: key(expectShape, "Results of the block, and the state after it."),
  variants: key(
    mapOf("names of variants", /^[a-z][\w-]*$/, expectShape, "Expectations of one variant."),
    "Expectations that differ by variant; its keys replace those of `expect`.",
  ),
});

const alphabetShape: Shape = map({
  name: requiredKey(text(), "What the block is called in reports."),
  note: key(text(), "A sentence for the reader."),
  after: key(text("a duration such as 30s, 5m, 8h", DURATION), "Time since the block before; 1ms by default."),
  prices: key(pricesShape, "Oracle updates."),
  markets: key(marketUpdates, "Market updates."),
  transactions: key(list(transactionShape), "Transactions in order, system transactions first."),
});

const variantShape: Shape = map({
  note: key(text(), "What the variant shows."),
  genesis: key(map(genesisKeys), "Over `genesis`."),
  markets: key(mapOf("market names", MARKET_NAME, marketShape, "A market."), "Over `markets`."),
  accounts: key(accountsShape, "Over `accounts`."),
  prices: key(pricesShape, "Over `prices`."),
  expect: key(expectShape, "Over `expect`."),
});

const exploreShape: Shape = map({
  depth: requiredKey(count, "All sequences of up to this many blocks of the alphabet are tried."),
  nightly: key(count, "The same, in a nightly run."),
  alike: key(
    list(list(text("the name of an account", ACCOUNT_NAME))),
    "Groups of accounts that are interchangeable: each block of the alphabet also runs with their names exchanged.",
  ),
  from: key(list(text()), "Names of blocks after which an exploration starts; by default the last."),
  shows: key(
    list(word(invariants.map(({ id }) => id))),
    "Invariants for which the world must have a case; without one the exploration shows nothing.",
  ),
});

/**
 * Keys of a value that is set in elsewhere and checked there: maps of single values or of lists, as deep as payloads
 * are.
 */
const anyKeys = (shape: Shape) => map({}, { pattern: /^\w+$/, called: "anything", shape, doc: "A value." });
const anyItems = list(either(text(), count, flag, anyKeys(either(text(), count, flag))));
const anyValue = either(text(), count, flag, anyKeys(either(text(), count, flag, anyItems)), anyItems);

/** A whole scenario file. */
export const scenarioShape: Shape = map({
  scenario: requiredKey(text(), "Title of the scenario, in a few words."),
  rules: key(list(text("a rule id such as ORD-4", RULE)), "Rules of the specification that it shows."),
  kind: key(word(["parameter", "defect", "out of model"]), "Of an incident: what would have prevented it."),
  story: key(text(), "Of an incident: what happened, in a sentence."),
  source: key(text(), "Of an incident: where it is reported."),
  defect: key(text(), "Patch that plants the defect; with it the scenario must fail."),
  tags: key(list(text()), "Words to find it by."),
  include: key(list(text()), "Files whose keys this one takes, from its folder; its own keys have precedence."),
  params: key(
    mapOf("names", /^\w+$/, list(either(text(), count, flag)), "Values."),
    "Matrix: every combination is a case. A text takes a value by its name in braces after a dollar sign.",
  ),
  cases: key(
    mapOf("names of cases", /^\S.*$/, mapOf("names", /^\w+$/, anyValue, "Its value."), "Values of one case."),
    "Named rows of values, taken as those of params are.",
  ),
  variants: key(
    mapOf("names of variants", /^[a-z][\w-]*$/, variantShape, "What differs."),
    "Rule sets: the same flow runs under each.",
  ),
  start: key(
    map({
      snapshot: requiredKey(
        text("the name of a file", /^\S.*$/),
        "Snapshot of the venue, from the folder of this file.",
      ),
      expect: key(expectShape, "The venue as it is there."),
    }),
    "The chain continues from a stored venue; `genesis`, `markets`, `prices` and deposits are those of the venue.",
  ),
  genesis: key(map(genesisKeys), "Where the chain starts."),
  markets: key(
    mapOf("market names", MARKET_NAME, marketShape, "A market."),
    "Markets at genesis; required without `start`.",
  ),
  accounts: key(accountsShape, "Accounts, and names of accounts to be."),
  prices: key(pricesShape, "First prices, in a block of their own before the others."),
  blocks: requiredKey(list(blockShape), "Blocks, one second apart."),
  expect: key(expectShape, "State at the end of the chain."),
  explore: key(exploreShape, "Of a world: how far `perplab fuzz explore` goes from the end of the blocks."),
  alphabet: key(list(alphabetShape), "Of a world: the blocks that are tried in every order."),
  golden: key(
    map({ root: requiredKey(text("0x and 64 hex digits", /^0x[0-9a-f]{64}$/), "State root at the end.") }),
    "Rewritten by --update.",
  ),
  invariants: key(
    either(
      text("all", /^all$/),
      map({
        disable: requiredKey(list(word(invariants.map(({ id }) => id))), "Invariants that are not checked."),
        why: requiredKey(text(), "Why not."),
      }),
    ),
    "`all`, which is the default.",
  ),
});
