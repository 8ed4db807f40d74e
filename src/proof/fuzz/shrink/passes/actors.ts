import { AccountKey } from "../../../../protocol/accountKey.ts";
import { deleteChunks } from "../deleteChunks.ts";
import { nameActors } from "../nameActors.ts";
import { mapPayload } from "../payloads.ts";
import type { Line, Script, TransactionLine } from "../script.ts";
import type { Search } from "../search.ts";

/** `dropLines` handles groups with a smaller share of the transactions. */
const SHARE = 0.04;

/** Drops all lines of an account, of a market, or of an action: the large groups, the largest first. */
export function dropGroups(search: Search): void {
  search.pass = "drop groups";
  for (const groupsOf of [
    ({ account }: TransactionLine) => [`${account.address}/${account.subaccount}`],
    (line: TransactionLine) => [...marketsOf(line)],
    ({ action }: TransactionLine) => [action],
  ]) {
    const counts = new Map<string, number>();
    let total = 0;
    for (const line of search.best.lines) {
      if (line.kind === "block") continue;
      total++;
      for (const group of groupsOf(line)) counts.set(group, (counts.get(group) ?? 0) + 1);
    }
    const large = [...counts].filter(([, count]) => count >= total * SHARE).sort(([, a], [, b]) => b - a);
    for (const [group] of large) {
      search.tryLines(search.best.lines.filter((line) => line.kind === "block" || !groupsOf(line).includes(group)));
    }
  }
}

const nameAccount = ({ address, subaccount }: { readonly address: string; readonly subaccount: number }) =>
  `${address}/${subaccount}`;

/**
 * Drops whole accounts with all their lines, many at a time and then one by one. Then drops whole markets: first with
 * their lines, then only from genesis.
 */
export function dropActors(search: Search): void {
  search.pass = "drop accounts and markets";
  deleteChunks(
    () => search.best.genesis.accounts,
    (accounts) => {
      const kept = new Set(accounts.map(nameAccount));
      const dropped = new Set(search.best.genesis.accounts.map(nameAccount).filter((name) => !kept.has(name)));
      const lines = search.best.lines.filter(
        (line) => line.kind === "block" || !dropped.has(nameAccount(line.account)),
      );
      return search.try({ genesis: { ...search.best.genesis, accounts }, lines });
    },
    () => search.isOver,
  );
  for (const { name } of search.best.genesis.markets.toReversed()) {
    const markets = search.best.genesis.markets.filter((market) => market.name !== name);
    const lines = search.best.lines.filter((line) => line.kind === "block" || !marketsOf(line).has(name));
    search.try({ genesis: { ...search.best.genesis, markets }, lines });
  }
}

/** Names of markets in a transaction. */
export function marketsOf({ action, payload }: TransactionLine): Set<string> {
  const names = new Set<string>();
  mapPayload(action, payload, ({ kind }, value) => {
    if (kind === "market") names.add(value as string);
    return value;
  });
  return names;
}

/** Merges two accounts into one, and two markets into one, if possible. */
export function mergeActors(search: Search): void {
  search.pass = "merge accounts and markets";
  for (const from of search.best.genesis.accounts.toReversed()) {
    for (const to of search.best.genesis.accounts) {
      const isSame = from.address === to.address && from.subaccount === to.subaccount;
      if (isSame || search.isOver) continue;
      const key = new AccountKey(to.address, to.subaccount);
      const accounts = search.best.genesis.accounts.filter(
        ({ address, subaccount }) => address !== from.address || subaccount !== from.subaccount,
      );
      if (accounts.length === search.best.genesis.accounts.length) break; // it is gone
      const merged = { ...search.best, genesis: { ...search.best.genesis, accounts } };
      if (search.try(renameAccount(merged, new AccountKey(from.address, from.subaccount), key))) break;
    }
  }
  for (const { address, subaccount } of search.best.genesis.accounts) {
    if (subaccount === 0) continue;
    const main = new AccountKey(address, 0);
    const accounts = search.best.genesis.accounts.map((account) =>
      account.address === address && account.subaccount === subaccount ? { ...account, subaccount: 0 } : account,
    );
    const plain = { ...search.best, genesis: { ...search.best.genesis, accounts } };
    search.try(renameAccount(plain, new AccountKey(address, subaccount), main));
  }
  for (const from of search.best.genesis.markets.toReversed()) {
    for (const to of search.best.genesis.markets) {
      if (from.name === to.name || search.isOver) continue;
      const markets = search.best.genesis.markets.filter(({ name }) => name !== from.name);
      const lines = renameMarkets(search.best.lines, (name) => (name === from.name ? to.name : name));
      if (search.try({ genesis: { ...search.best.genesis, markets }, lines })) break;
    }
  }
}

/** Gives accounts, agents and markets readable names, and the network its usual one. */
export function rename(search: Search): void {
  search.pass = "rename";
  const { accounts, all } = nameActors(search.best);
  if (!search.try(all)) search.try(accounts);
}

/** Returns a script in which one account is replaced by another, as actor and as target. */
export function renameAccount({ genesis, lines }: Script, from: AccountKey, to: AccountKey): Script {
  const renamed = lines.map((line): Line => {
    if (line.kind === "block") return line;
    const isActor = line.account.address === from.address && line.account.subaccount === from.subaccount;
    const payload = renameReceiver(line.payload, from, to);
    if (!isActor && payload === line.payload) return line;
    if (!isActor) return { ...line, payload };
    const signer = line.signer === from.address ? to.address : line.signer;
    return { ...line, account: to, signer, payload };
  });
  return { genesis, lines: renamed };
}

function renameReceiver(payload: object, from: AccountKey, to: AccountKey): object {
  const { to: address, toSubaccount } = payload as { to?: string; toSubaccount?: number };
  if (address !== from.address || toSubaccount !== from.subaccount) return payload;
  return { ...payload, to: to.address, toSubaccount: to.subaccount };
}

function renameMarkets(lines: Script["lines"], title: (market: string) => string): Line[] {
  return lines.map((line) =>
    line.kind === "block"
      ? line
      : {
          ...line,
          payload: mapPayload(line.action, line.payload, ({ kind }, value, name) => {
            if (kind === "market") return title(value as string);
            const isList = line.action === "grantAuthorization" && name === "markets";
            return isList ? (value as string).split(" ").map(title).join(" ") : value;
          }),
        },
  );
}
