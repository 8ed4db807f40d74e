import type { Rows } from "../../../ground/collections/table.ts";
import { formatDecimal } from "../../../ground/math/decimal.ts";
import { AMOUNT_DECIMALS } from "../../../ground/math/fixed.ts";
import { AccountKey, addressOfWords } from "../../../protocol/accountKey.ts";
import type { Address } from "../../../protocol/fields.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import { isParameterFault } from "../../../protocol/parameterFault.ts";
import type { ParameterTexts } from "../../../protocol/parameters.ts";
import { readDefinition, readMarketParameters } from "../../../protocol/readParameters.ts";
import { ROLES } from "../../../protocol/words.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { addressOfName } from "../../../venue/simulation/accountNames.ts";
import { findOpening } from "./openedMarkets.ts";

/** Balance for opening positions, USD, the greatest that may be set; the surplus is removed later. */
const AMPLE = "2250000000";

/** Counterparties of all opening trades, one in each market, so that each account gets its original entry price. */
export const MIDDLEMAN: Address = addressOfName("middleman");
/** Their balance, USD: enough for the margin of any position, and little enough for one that turns (NUM-3). */
const MIDDLEMAN_BALANCE = "500000000";

/**
 * Genesis of a devnet with a venue's current markets and accounts, and balances to open positions.
 *
 * @param relaxed as for `findOpening`
 */
export function genesisOf(venue: State, relaxed: boolean): Genesis {
  const { genesis, accounts, parameters, positions } = venue;
  const limits = new Map(genesis.accounts.map((given) => [`${given.address}/${given.subaccount}`, given.lossLimit]));
  const presets = new Map(genesis.markets.map(({ name, preset }) => [name, preset]));
  const { origin: _, ...rest } = genesis;
  const open = [...rowsOf(positions)].filter((position) => positions.signedLots[position] !== 0);
  const held = new Set(open.map((position) => positions.market[position]!));
  return {
    ...rest,
    timeMs: venue.timeMs,
    features: { ...genesis.features, devnet: true },
    markets: venue.marketNames.map((name, market) => {
      const preset = presets.get(name) ?? "linear";
      const opening = findOpening(venue, market as MarketRow, relaxed);
      const texts = { ...readDefinition(parameters[market]!.definition), ...opening };
      return { name, preset, parameters: differing(preset, texts) };
    }),
    accounts: [
      ...[...rowsOf(accounts)].map((account) => {
        const { address, subaccount } = keyOf(venue, account);
        const role = ROLES[accounts.role[account]!]!;
        const lossLimit = limits.get(`${address}/${subaccount}`);
        const balance =
          role === "normal" ? AMPLE : formatDecimal(Math.max(0, accounts.collateral[account]!), AMOUNT_DECIMALS);
        return { address, subaccount, role, balance, ...(lossLimit === undefined ? {} : { lossLimit }) };
      }),
      ...[...held].map((market) => ({
        ...{ address: MIDDLEMAN, subaccount: market, role: "normal" as const, balance: MIDDLEMAN_BALANCE },
      })),
    ],
  };
}

/** Texts of a definition that differ from a preset. */
function differing(preset: string, texts: ParameterTexts): ParameterTexts {
  const plain = readMarketParameters(preset, {});
  const base = isParameterFault(plain) ? {} : readDefinition(plain.definition);
  const gone = Object.keys(base).filter((name) => !Object.hasOwn(texts, name));
  const own = Object.entries(texts).filter(([name, text]) => base[name] !== text);
  return Object.fromEntries([...own, ...gone.map((name) => [name, ""])]);
}

/** Address and subaccount of an account's row. */
export function keyOf({ accounts, owners }: State, account: number): AccountKey {
  const owner = accounts.owner[account as never]!;
  const { w0, w1, w2, w3, w4 } = owners;
  const address = addressOfWords(w0[owner]!, w1[owner]!, w2[owner]!, w3[owner]!, w4[owner]!);
  return new AccountKey(address, accounts.subaccount[account as never]! >>> 0);
}

/** Live rows of a table, in their order. */
export function* rowsOf<Row extends number>({ rows }: { readonly rows: Rows<Row> }): Generator<Row> {
  for (let row = 0; row < rows.high; row++) if (rows.isLive(row)) yield row as Row;
}
