import { AccountKey } from "../../../protocol/accountKey.ts";
import type { Address } from "../../../protocol/fields.ts";
import {
  createGenesis,
  DEFAULT_OUTFLOW,
  type Genesis,
  NO_OUTFLOW_GATES,
  type Outflow,
} from "../../../protocol/genesis.ts";
import { addressOf } from "./addresses.ts";
import { Choices } from "./choices.ts";
import { type CaseMarket, readMarketProfile } from "./marketProfile.ts";

/** Ranges of a profile's choices: the venue, its accounts, and each of its markets. */
const VENUE_WIDTH = 32;
const ACCOUNTS_WIDTH = 64;
const MARKET_WIDTH = 64;
const MARKETS_MOST = 3;
/** Number of markets of a vast venue: the total position value exceeds what a number holds. */
const VAST_MARKETS = 6;
const OWNERS_MOST = 8;

/** Number of choices in a profile. */
export const PROFILE_WIDTH = VENUE_WIDTH + ACCOUNTS_WIDTH + MARKETS_MOST * MARKET_WIDTH;

/** The venue of a case and how it is used. */
export interface CaseProfile {
  readonly genesis: Genesis;
  readonly markets: readonly CaseMarket[];
  readonly house: AccountKey;
  /** Addresses for which transfers and deposits may create accounts. */
  readonly strangers: readonly AccountKey[];
  /** Addresses of agents. One differs from an owner's address in a single word, the others differ from each other. */
  readonly agentAddresses: readonly Address[];
  /** True if every market gets a price first. */
  readonly isPriced: boolean;
}

/** Address numbers of agents: apart from owners, except one. */
const AGENTS = 9_000;
const MIDNIGHT = 1_700_006_400_000;
const BALANCES = ["10000", "10000", "1000", "100000", "50", "0"] as const;
const OUTFLOWS: readonly Outflow[] = [
  NO_OUTFLOW_GATES,
  NO_OUTFLOW_GATES,
  DEFAULT_OUTFLOW,
  { hourly: { amount: "100" }, daily: { amount: "150" }, deficitThreshold: "0", deficitBlocks: 1 },
  { hourly: { share: "0.05" }, daily: {}, deficitThreshold: "80", deficitBlocks: 5 },
  { hourly: {}, daily: { amount: "5", share: "0.000001" }, deficitThreshold: "100", deficitBlocks: 50 },
  { hourly: {}, daily: {}, deficitThreshold: "60", deficitBlocks: 3 },
];

/**
 * Decodes a profile. Zeros give two accounts of 10,000 USD and one market without fees, funding, bands or margin tiers.
 */
export function readProfile(list: Uint16Array): CaseProfile {
  const venue = new Choices(list, 0, VENUE_WIDTH);
  const few = venue.pick([1, 1, 2, 3]);
  const vast = venue.below(12) === 11;
  const markets = Array.from({ length: vast && few > 1 ? VAST_MARKETS : few }, (_, place) => {
    const from = VENUE_WIDTH + ACCOUNTS_WIDTH + (place % few) * MARKET_WIDTH;
    const choices = new Choices(list, from, MARKET_WIDTH);
    return readMarketProfile(choices, `M${place}-PERP`, { vast });
  });
  const owners = 2 + venue.below(OWNERS_MOST - 1);
  const quotes = venue.chance(1, 2);
  const balance = quotes ? venue.pick(["1000000", "0"]) : "0";
  if (!quotes) venue.next();
  const window = venue.pick([0, 0, 0, 1, 2, 5, 32, 33, 1024]);
  const genesis = {
    markets: markets.map(({ name, preset, parameters }) => ({ name, preset, parameters })),
    insurance: venue.pick(["0", "0", "20", "500", "1000000"]),
    features: { faucet: venue.below(8) !== 7, agents: venue.below(8) !== 7, devnet: venue.below(4) === 3 },
    liquidationsMax: venue.pick([10_000, 10_000, 1, 2]),
    intentsMax: venue.pick([100, 20, 3]),
    validityMax: venue.pick([1200, 1200, 1200, 10, 1]),
    nonces: { trading: window === 0 ? "sequential" : `window:${window}` },
    outflow: venue.pick(OUTFLOWS),
    timeMs: venue.pick([MIDNIGHT, MIDNIGHT - 20_000, MIDNIGHT - 3_600_000, 0]),
  };
  // Owners have consecutive address numbers from one of five starts; the other addresses follow them.
  const first = 1 + venue.below(5);
  const next = first + owners;
  const isPriced = venue.below(16) !== 15;
  const accounts = readAccounts(new Choices(list, VENUE_WIDTH, ACCOUNTS_WIDTH), first, owners, vast);
  const house = new AccountKey(addressOf(next + 2), 0);
  if (quotes) accounts.push({ address: house.address, subaccount: 0, role: "house", balance });
  return {
    genesis: createGenesis({ ...genesis, accounts }),
    markets,
    house,
    strangers: [
      new AccountKey(addressOf(next), 0),
      new AccountKey(addressOf(next + 1), 0xffff_ffff),
      new AccountKey(addressOf(first), 7),
    ],
    agentAddresses: [addressOf(first - 1), addressOf(AGENTS + first), addressOf(AGENTS + first + 1)],
    isPriced,
  };
}

function readAccounts(choices: Choices, first: number, owners: number, vast: boolean): Genesis["accounts"][number][] {
  const accounts: Genesis["accounts"][number][] = [];
  // Accounts with equal balances, so that rankings by balance have ties.
  const alike = choices.below(4) === 3 ? choices.pick(BALANCES.slice(0, 4)) : undefined;
  const backs = choices.pick([12, 12, 12, 12, 12, 3]);
  for (let owner = first; owner < first + owners; owner++) {
    const subaccounts = choices.pick([1, 1, 1, 2]);
    for (let subaccount = 0; subaccount < subaccounts; subaccount++) {
      const backstop = choices.below(backs) === backs - 1;
      const own = choices.pick(BALANCES);
      const balance = vast ? "2000000000" : (alike ?? own);
      const lossLimit = choices.pick([undefined, "0", "10", "500", "1000000"]);
      const role = backstop ? "backstop" : "normal";
      accounts.push({
        address: addressOf(owner),
        subaccount,
        role,
        balance,
        ...(backstop && lossLimit !== undefined ? { lossLimit } : {}),
      });
    }
  }
  return accounts;
}
