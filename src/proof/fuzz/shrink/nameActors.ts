import { MARKET_NAME } from "../../../product/scenario/compile/marketNames.ts";
import { nameOfPerson } from "../../../product/scenario/write/people.ts";
import { AccountKey } from "../../../protocol/accountKey.ts";
import { AUTHORITIES } from "../../../protocol/action.ts";
import type { ActionName } from "../../../protocol/actions/index.ts";
import { encodePayload } from "../../../protocol/codec.ts";
import { DEFAULT_NETWORK } from "../../../protocol/createTransaction.ts";
import type { Address } from "../../../protocol/fields.ts";
import { DEVELOPMENT_AUTHORITIES, type Genesis } from "../../../protocol/genesis.ts";
import { ZERO_ADDRESS } from "../../../protocol/transaction.ts";
import { addressOfName } from "../../../venue/simulation/accountNames.ts";
import { carriedOf } from "./carried.ts";
import { mapPayload } from "./payloads.ts";
import type { Line, Script } from "./script.ts";

/** Variants of a script with other names. */
export interface NamedScripts {
  /** Renamed accounts and agents. */
  readonly accounts: Script;
  /** Renamed markets as well. */
  readonly all: Script;
  /** Names by address, without authorities. */
  readonly names: ReadonlyMap<string, string>;
}

/** Usual market names. */
const MARKETS = ["BTC-PERP", "ETH-PERP", "SOL-PERP", "DOGE-PERP", "XRP-PERP"] as const;

/** New names; all are distinct. */
interface Naming {
  address(address: Address): Address;
  subaccount(number: number): number;
  market(name: string): string;
}

/**
 * Gives accounts and agents the addresses of scenario names, authorities those of a scenario, and markets their usual
 * names; also inside grants and carried transactions.
 */
export function nameActors(script: Script): NamedScripts {
  const names = new Map<string, string>();
  const address = nameAddresses(script.genesis, names);
  const subaccount = shortenSubaccounts(script);
  const accounts = renameScript(script, { address, subaccount, market: (name) => name });
  const all = renameScript(script, { address, subaccount, market: nameMarkets(script.genesis) });
  return { accounts, all, names };
}

function nameAddresses({ authorities }: Genesis, names: Map<string, string>): Naming["address"] {
  const known = new Map<Address, Address>([[ZERO_ADDRESS, ZERO_ADDRESS]]);
  for (const name of AUTHORITIES) known.set(authorities[name], DEVELOPMENT_AUTHORITIES[name]);
  return (address) => {
    const given = known.get(address);
    if (given !== undefined) return given;
    const name = nameOfPerson(names.size);
    const renamed = addressOfName(name);
    known.set(address, renamed);
    names.set(renamed, name);
    return renamed;
  };
}

function nameMarkets({ markets }: Genesis): Naming["market"] {
  const there = new Set(markets.map(({ name }) => name));
  const titles = new Map<string, string>();
  return (market) => {
    // Text that is not a market name stays unchanged: empty, `*` in a grant, or an invalid name.
    if (!there.has(market) && !MARKET_NAME.test(market)) return market;
    const title = titles.get(market) ?? MARKETS[titles.size] ?? `PERP${titles.size + 1}`;
    titles.set(market, title);
    return title;
  };
}

/** Subaccount numbers that a scenario can write; a long number is replaced by the next free one. */
function shortenSubaccounts(script: Script): Naming["subaccount"] {
  const taken = new Set<number>();
  const note = (number: number) => {
    taken.add(number);
    return number;
  };
  renameScript(script, { address: (address) => address, subaccount: note, market: (name) => name });
  const short = new Map<number, number>();
  return (number) => {
    if (number < 1000) return number;
    let own = short.get(number);
    if (own === undefined) {
      own = number % 1000;
      while (taken.has(own)) own++;
      taken.add(own);
      short.set(number, own);
    }
    return own;
  };
}

function renameScript({ genesis, lines }: Script, naming: Naming): Script {
  const { authorities } = genesis;
  return {
    genesis: {
      ...genesis,
      network: DEFAULT_NETWORK,
      authorities: {
        oracle: naming.address(authorities.oracle),
        faucet: naming.address(authorities.faucet),
        operator: naming.address(authorities.operator),
      },
      markets: genesis.markets.map((market) => ({ ...market, name: naming.market(market.name) })),
      accounts: genesis.accounts.map((account) => ({
        ...account,
        address: naming.address(account.address),
        subaccount: naming.subaccount(account.subaccount),
      })),
    },
    lines: lines.map((line): Line => {
      if (line.kind === "block") return line;
      const { account, signer, action, payload } = line;
      return {
        ...line,
        network: line.network === DEFAULT_NETWORK ? genesis.network : line.network,
        account: new AccountKey(naming.address(account.address), naming.subaccount(account.subaccount)),
        signer: naming.address(signer),
        payload: renamePayload(action, payload, naming),
      };
    }),
  };
}

function renamePayload(action: ActionName, payload: object, naming: Naming): object {
  const renamed = mapPayload(action, payload, ({ kind }, value, name) => {
    switch (kind) {
      case "address":
        return naming.address(value as Address);
      case "market":
        return naming.market(value as string);
      case "count":
        return /subaccount$/i.test(name) ? naming.subaccount(value as number) : value;
      case "text":
        return action === "grantAuthorization" ? renameList(name, value as string, naming) : value;
      default:
        return value;
    }
  });
  const carried = carriedOf(action, payload);
  if (carried === undefined) return renamed;
  const inner = renamePayload(carried.action, carried.payload, naming);
  if (inner === carried.payload) return renamed;
  const json = JSON.stringify(encodePayload(carried.action, inner as never));
  return { ...renamed, payload: new TextEncoder().encode(json) };
}

/** Lists of a grant are texts, separated by spaces. */
function renameList(name: string, text: string, naming: Naming): string {
  if (name === "markets") return text.split(" ").map(naming.market).join(" ");
  if (name !== "subaccounts") return text;
  const isNumber = (word: string) => /^[1-9][0-9]{0,9}$/.test(word) && Number(word) <= 0xffff_ffff;
  return text
    .split(" ")
    .map((word) => (isNumber(word) ? String(naming.subaccount(Number(word))) : word))
    .join(" ");
}
