import { addressOf, type FlowProfile } from "../../generators/flowProfile.ts";
import { AccountKey } from "../../protocol/accountKey.ts";
import {
  createGenesis,
  DEFAULT_OUTFLOW,
  type Genesis,
  NO_OUTFLOW_GATES,
  type Outflow,
} from "../../protocol/genesis.ts";
import { Choices } from "./choices.ts";
import { type CaseMarket, readMarketProfile } from "./marketProfile.ts";

/** Stretches of a profile's choices: the venue, its accounts, and each of its markets. */
const VENUE_WIDTH = 32;
const ACCOUNTS_WIDTH = 64;
const MARKET_WIDTH = 64;
const MARKETS_MOST = 3;
const OWNERS_MOST = 8;

/** Choices of a profile. */
export const PROFILE_WIDTH = VENUE_WIDTH + ACCOUNTS_WIDTH + MARKETS_MOST * MARKET_WIDTH;

/** The venue of a case and how it is used. */
export interface CaseProfile extends FlowProfile {
  readonly markets: readonly CaseMarket[];
}

const MIDNIGHT = 1_700_006_400_000;
const BALANCES = ["10000", "10000", "1000", "100000", "50", "0"] as const;
const OUTFLOWS: readonly Outflow[] = [
  NO_OUTFLOW_GATES,
  NO_OUTFLOW_GATES,
  DEFAULT_OUTFLOW,
  { hourly: { amount: "100" }, daily: { amount: "150" }, deficitThreshold: "0", deficitBlocks: 1 },
  { hourly: { share: "0.05" }, daily: {}, deficitThreshold: "0.5", deficitBlocks: 5 },
  { hourly: {}, daily: { amount: "5", share: "0.000001" }, deficitThreshold: "100", deficitBlocks: 50 },
];

/**
 * What the choices of a profile mean. Zeros give two accounts of 10,000 USD and one market without fees, funding, bands or
 * steps of margin.
 */
export function readProfile(list: Uint16Array): CaseProfile {
  const venue = new Choices(list, 0, VENUE_WIDTH);
  const count = venue.pick([1, 1, 2, 3]);
  const vast = venue.below(12) === 11;
  const markets = Array.from({ length: count }, (_, place) => {
    const choices = new Choices(list, VENUE_WIDTH + ACCOUNTS_WIDTH + place * MARKET_WIDTH, MARKET_WIDTH);
    return readMarketProfile(choices, `M${place}-PERP`, { vast });
  });
  const house = new AccountKey(addressOf(99), 0);
  const owners = 2 + venue.below(OWNERS_MOST - 1);
  const accounts = readAccounts(new Choices(list, VENUE_WIDTH, ACCOUNTS_WIDTH), owners, vast);
  if (venue.chance(1, 2)) {
    const balance = venue.pick(["1000000", "0"]);
    accounts.push({ address: house.address, subaccount: 0, role: "house", balance });
  } else venue.next();
  const window = venue.pick([0, 0, 0, 1, 2, 5, 32, 33, 1024]);
  const genesis = createGenesis({
    markets: markets.map(({ name, preset, parameters }) => ({ name, preset, parameters })),
    accounts,
    insurance: venue.pick(["0", "0", "20", "500", "1000000"]),
    features: { faucet: venue.below(8) !== 7, agents: venue.below(8) !== 7, devnet: venue.below(4) === 3 },
    liquidationsMax: venue.pick([10_000, 10_000, 1, 2]),
    intentsMax: venue.pick([100, 20, 3]),
    validityMax: venue.pick([1200, 1200, 1200, 10, 1]),
    nonces: { trading: window === 0 ? "sequential" : `window:${window}` },
    outflow: venue.pick(OUTFLOWS),
    timeMs: venue.pick([MIDNIGHT, MIDNIGHT - 20_000, MIDNIGHT - 3_600_000, 0]),
  });
  return {
    genesis,
    markets,
    house,
    strangers: [
      new AccountKey(addressOf(50), 0),
      new AccountKey(addressOf(51), 0xffff_ffff),
      new AccountKey(addressOf(1), 7),
    ],
    ...UNUSED,
  };
}

/** What seeded flows draw by; genes say it themselves. */
const UNUSED = {
  weights: {} as FlowProfile["weights"],
  blockSize: 0,
  houseFlow: 0,
  crashes: 0,
  agents: 0,
  impersonates: 0,
  faults: 4,
};

function readAccounts(choices: Choices, owners: number, vast: boolean): Genesis["accounts"][number][] {
  const accounts: Genesis["accounts"][number][] = [];
  // Accounts that have the same: what is ordered by what they have comes to ties.
  const alike = choices.below(4) === 3 ? choices.pick(BALANCES.slice(0, 4)) : undefined;
  for (let owner = 1; owner <= owners; owner++) {
    const subaccounts = choices.pick([1, 1, 1, 2]);
    for (let subaccount = 0; subaccount < subaccounts; subaccount++) {
      const backstop = choices.below(12) === 11;
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
