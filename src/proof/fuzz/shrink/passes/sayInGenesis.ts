import { formatDecimal } from "../../../../ground/math/decimal.ts";
import { AMOUNT_DECIMALS } from "../../../../ground/math/fixed.ts";
import { AccountKey } from "../../../../protocol/accountKey.ts";
import type { Payloads } from "../../../../protocol/actions/index.ts";
import type { Address } from "../../../../protocol/fields.ts";
import type { Genesis } from "../../../../protocol/genesis.ts";
import { DEVNET_TARGET } from "../../../../protocol/words.ts";
import type { TransactionLine } from "../script.ts";
import type { Search } from "../search.ts";
import { eachTransaction } from "./values.ts";

/**
 * Moves the effect of a transaction into genesis: collateral, a market, parameters, insurance. The transaction is
 * dropped. Prices set by a devnet's operator become oracle reports.
 */
export function sayInGenesis(search: Search): void {
  search.pass = "move into genesis";
  for (let at = search.best.lines.length - 1; at >= 0 && !search.isOver; at--) {
    const line = search.best.lines[at];
    if (line?.kind !== "transaction") continue;
    for (const genesis of genesesFor(search.best.genesis, line)) {
      if (search.try({ genesis, lines: search.best.lines.toSpliced(at, 1) })) break;
    }
  }
  eachTransaction(search, (line, at) => {
    if (line.action !== "devnetSet") return;
    const { what, market, price } = line.payload as Payloads["devnetSet"];
    if (what !== DEVNET_TARGET.price) return;
    const address = search.best.genesis.authorities.oracle;
    const payload = { market, sources: [], price, mark: 0, fundingRate: 0, settleFunding: false };
    const account = new AccountKey(address, 0);
    search.tryLines(search.best.lines.with(at, { ...line, action: "oracleUpdate", payload, account, signer: address }));
  });
}

/** Genesis variants that may replace a transaction, the plainest first. */
function genesesFor(genesis: Genesis, { action, payload }: TransactionLine): Genesis[] {
  switch (action) {
    case "deposit":
    case "faucetMint":
    case "transfer": {
      const { to, toSubaccount, amount } = payload as Payloads["deposit"];
      return withBalance(genesis, to, toSubaccount, amount);
    }
    case "devnetSet": {
      const { what, account, subaccount, amount } = payload as Payloads["devnetSet"];
      return what === DEVNET_TARGET.collateral ? withBalance(genesis, account as Address, subaccount, amount) : [];
    }
    case "fundInsurance": {
      const { amount } = payload as Payloads["fundInsurance"];
      return [{ ...genesis, insurance: textOf(amount) }];
    }
    case "createMarket": {
      const { market: name, preset, parameters } = payload as Payloads["createMarket"];
      if (genesis.markets.some((market) => market.name === name)) return [];
      return [{ ...genesis, markets: [...genesis.markets, { name, preset, parameters: textsOf(parameters) }] }];
    }
    case "updateMarket": {
      const { market: name, parameters } = payload as Payloads["updateMarket"];
      const own = textsOf(parameters);
      const markets = genesis.markets.map((market) =>
        market.name === name ? { ...market, parameters: { ...market.parameters, ...own } } : market,
      );
      return [{ ...genesis, markets }];
    }
    default:
      return [];
  }
}

/** An account with a large balance, then with exactly what it received. */
function withBalance(genesis: Genesis, address: Address, subaccount: number, amount: number): Genesis[] {
  const place = genesis.accounts.findIndex((one) => one.address === address && one.subaccount === subaccount);
  const present = genesis.accounts[place] ?? { address, subaccount, role: "normal" as const };
  return [MUCH, textOf(amount)].map((balance) => {
    const account = { ...present, balance };
    const accounts = place < 0 ? [...genesis.accounts, account] : genesis.accounts.with(place, account);
    return { ...genesis, accounts };
  });
}

const MUCH = "1000000";

const textOf = (amount: number) => formatDecimal(amount, AMOUNT_DECIMALS);

const textsOf = (parameters: Payloads["createMarket"]["parameters"]) =>
  Object.fromEntries(parameters.map(({ name, value }) => [name, value]));
