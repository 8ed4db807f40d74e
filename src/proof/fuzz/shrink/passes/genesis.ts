import { createGenesis, type Genesis } from "../../../../protocol/genesis.ts";
import { marketPresets } from "../../../../protocol/marketPresets.ts";
import { deleteChunks } from "../deleteChunks.ts";
import type { Search } from "../search.ts";

type Market = Genesis["markets"][number];
type Account = Genesis["accounts"][number];

/** Sets everything in genesis except markets and accounts to its default: all at once, then one by one. */
export function plainGenesis(search: Search): void {
  search.pass = "plain genesis";
  const plain = createGenesis();
  const with_ = (given: Partial<Genesis>) => tryGenesis(search, { ...search.best.genesis, ...given });
  const { markets: _markets, accounts: _accounts, authorities: _authorities, network: _network, ...rest } = plain;
  if (with_(rest)) return;
  for (const name of Object.keys(rest) as (keyof typeof rest)[]) {
    if (JSON.stringify(search.best.genesis[name]) !== JSON.stringify(plain[name])) with_({ [name]: plain[name] });
  }
}

/** Gives markets a preset: the plainest first, then the original with fewer and fewer own parameters. */
export function plainMarkets(search: Search): void {
  search.pass = "plain markets";
  search.best.genesis.markets.forEach((market, at) => {
    const put = (next: Market) =>
      tryGenesis(search, { ...search.best.genesis, markets: search.best.genesis.markets.with(at, next) });
    const isPlain = Object.keys(market.parameters).length === 0;
    for (const preset of PRESETS) {
      if (isPlain && market.preset === preset) return;
      if (put({ ...market, preset, parameters: {} })) return;
    }
    const plainer = PRESETS.slice(0, Math.max(0, PRESETS.indexOf(market.preset)));
    for (const preset of plainer) if (put({ ...market, preset })) break;
    deleteChunks(
      () => Object.entries(search.best.genesis.markets[at]!.parameters),
      (entries) => put({ ...search.best.genesis.markets[at]!, parameters: Object.fromEntries(entries) as never }),
      () => search.isOver,
    );
  });
}

const PRESETS = ["minimal", "linear"].filter((name) => Object.hasOwn(marketPresets, name));

/** Balances in the order in which they are tried. */
const BALANCES = ["1000", "1000000", "100", "10000", "100000"] as const;

/** Keeps only needed accounts, with the normal role and round balances. */
export function plainAccounts(search: Search): void {
  search.pass = "plain accounts";
  deleteChunks(
    () => search.best.genesis.accounts,
    (accounts) => tryGenesis(search, { ...search.best.genesis, accounts }),
    () => search.isOver,
  );
  for (const balance of BALANCES) {
    const isAll = search.best.genesis.accounts.every((account) => account.balance === balance);
    const accounts = search.best.genesis.accounts.map((account) => ({ ...account, balance }));
    if (isAll || tryGenesis(search, { ...search.best.genesis, accounts })) break;
  }
  search.best.genesis.accounts.forEach((_, at) => {
    const put = (next: Account) =>
      tryGenesis(search, { ...search.best.genesis, accounts: search.best.genesis.accounts.with(at, next) });
    const { lossLimit, ...unlimited } = search.best.genesis.accounts[at]!;
    if (lossLimit !== undefined) put(unlimited);
    if (search.best.genesis.accounts[at]!.role !== "normal") {
      const { lossLimit: _, ...account } = search.best.genesis.accounts[at]!;
      put({ ...account, role: "normal" });
    }
    for (const balance of BALANCES) {
      const account = search.best.genesis.accounts[at]!;
      if (BALANCES.includes(account.balance as never) || put({ ...account, balance })) break;
    }
  });
}

function tryGenesis(search: Search, genesis: Genesis): boolean {
  return search.try({ genesis, lines: search.best.lines });
}
