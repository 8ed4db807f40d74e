/** The profile of a generated flow: its venue, drawn from the seed, and the frequency of each action. */
import { formatDecimal } from "../../ground/math/decimal.ts";
import type { Draw } from "../../ground/math/draw.ts";
import { LIMIT } from "../../ground/math/fixed.ts";
import { AccountKey } from "../../protocol/accountKey.ts";
import { ACTION_NAMES, actions, isSystemAction, type UserAction } from "../../protocol/actions/index.ts";
import type { Address } from "../../protocol/fields.ts";
import {
  createGenesis,
  DEFAULT_OUTFLOW,
  type Genesis,
  NO_OUTFLOW_GATES,
  type Outflow,
} from "../../protocol/genesis.ts";
import type { ParameterTexts } from "../../protocol/parameters.ts";

/**
 * The character of a flow. In a crisis no account quotes, nothing is insured, and recorded marks jump at once: it leads
 * to deleveraging and shared losses. In a vast flow numbers come near the storable limit.
 */
export type Mood = "usual" | "crisis" | "vast";

/** A market's price path and parameters. */
export interface FlowMarket {
  readonly name: string;
  readonly preset: string;
  readonly parameters: ParameterTexts;
  /** First oracle price, 1e-8 USD. */
  readonly start: number;
  /** Greatest step of the price in a block, ppm. */
  readonly volatility: number;
  /** Jumps of this market alone, per thousand blocks. */
  readonly jumps: number;
  /** Marks are reported, not computed. */
  readonly reported: boolean;
}

export interface FlowProfile {
  readonly genesis: Genesis;
  readonly markets: readonly FlowMarket[];
  readonly house: AccountKey;
  /** Addresses for which transfers and deposits may create accounts. */
  readonly strangers: readonly AccountKey[];
  readonly weights: Readonly<Record<UserAction, number>>;
  /** Most user transactions of a block. */
  readonly blockSize: number;
  /** Percent chance per block and market that history is replayed through the house. */
  readonly houseFlow: number;
  /** Blocks per thousand in which every market jumps. */
  readonly crashes: number;
  /** Percent chance that an agent signs, if a grant exists. */
  readonly agents: number;
  /** Percent chance that the operator acts for the account that would have signed. */
  readonly impersonates: number;
  /** Percent chance that a header or a payload is faulty. */
  readonly faults: number;
}

/** Price in USD, tick, lot: from coins to cents. Tick times lot is a whole number of quote units in each. */
const GRIDS = [
  { start: 60_000e8, tick: 1e8, lot: 1e4 },
  { start: 2_000e8, tick: 1e7, lot: 1e5 },
  { start: 100e8, tick: 5e7, lot: 1e8 },
  { start: 10e8, tick: 1e5, lot: 1e7 },
  { start: 5e6, tick: 1e3, lot: 1e9 },
] as const;

const TIERS: readonly (readonly string[])[] = [
  ["0 0.1 0.05"],
  ["0 0.05 0.03", "20000 0.1 0.05", "100000 0.5 0.25"],
  ["0 0.2 0.1", "50000 0.3 0.15"],
];

const FEES = [
  { takerFee: "0", makerFee: "0" },
  { takerFee: "0.0005", makerFee: "0.0002" },
  { takerFee: "0.001", makerFee: "-0.0005" },
  { takerFee: "0.0003", makerFee: "-0.0003" },
] as const;

const FEE_TIERS = [
  {},
  {},
  { feeTier1: "500 0.0002 0.0001" },
  { feeTier1: "200 0.0004 0.0001", feeTier2: "5000 0.0001 -0.0002", feeTier3: "100000 0 -0.0005" },
] as const;

/** Frequencies of flows. An action that is not listed takes its own from its weight in a search. */
const LISTED: Readonly<Partial<Record<UserAction, number>>> = {
  placeOrder: 60,
  placeOrders: 5,
  scheduleCancel: 3,
  amendOrder: 8,
  cancelOrder: 8,
  cancelOrders: 3,
  cancelAll: 2,
  closePosition: 6,
  setLeverage: 4,
  setMarginMode: 5,
  adjustIsolatedMargin: 4,
  transfer: 4,
  withdraw: 5,
  placeIntent: 14,
  cancelIntent: 2,
  noop: 1,
  grantAuthorization: 2,
  revokeAuthorization: 1,
};

const WEIGHTS = {
  ...LISTED,
  ...Object.fromEntries(
    ACTION_NAMES.filter((name) => !isSystemAction(name) && !Object.hasOwn(LISTED, name)).map((name) => [
      name,
      Math.ceil(actions[name].weight / 6),
    ]),
  ),
} as Readonly<Record<UserAction, number>>;

/** The five words of address 0. */
const WORDS = [0xc0ffee00, 0x00000000, 0x7fffffff, 0x80000000, 0xfffffff0] as const;
/** Odd: no two multiples have the same low 32 bits. */
const STRIDE = 0x9e3779b1;

/**
 * An address by number. Each differs from the one before in exactly one of its five words, in turn: code that ignores a
 * word, or its sign, then confuses neighbours.
 */
export function addressOf(index: number): Address {
  const words = WORDS.map((word, place) => {
    const changes = Math.floor((index + 4 - place) / 5);
    return (word + Math.imul(STRIDE, changes)) >>> 0;
  });
  return `0x${words.map((word) => word.toString(16).padStart(8, "0")).join("")}`;
}

/** A market of a generated venue. Its limits are low enough to be reached occasionally. */
export function drawMarket(random: Draw, name: string, mood: Mood = "usual"): FlowMarket {
  const grid = random.pick(GRIDS);
  const crisis = mood === "crisis";
  const way = crisis ? 3 : random.below(4); // median twice as often as the others
  const reported = way === 3;
  const texts: Record<string, string> = {
    tickSize: formatDecimal(grid.tick, 8),
    lotSize: formatDecimal(grid.lot, 8),
    minSize: formatDecimal(grid.lot * random.pick([1, 1, 3]), 8),
    minNotional: random.pick(["0", "5", "10"]),
    maxSize: sizeOf(grid, random.pick([20_000, 200_000, 1_000_000])),
    positionLimit: sizeOf(grid, random.pick([30_000, 300_000, 2_000_000])),
    openInterestLimit: sizeOf(grid, random.pick([60_000, 1_000_000, 10_000_000])),
    openInterestLower: "1000",
    openInterestUpper: random.pick(["0", "0", "20000", "400000"]),
    openOrdersMax: random.pick(["3", "8", "100"]),
    priceBand: random.pick(["0.2", "0.5"]),
    markMethod: reported ? "reported" : way === 2 ? random.pick(["oracle", "book"]) : "median",
    oracleStale: random.pick(["0", "10000", "60000"]),
    oracleVolatile: random.pick(["5", "1.3", "1.05", "0"]),
    oracleConfirmations: random.pick(["1", "2", "3"]),
    blockGap: random.pick(["0", "10000", "60000"]),
    markTau: random.pick(["10000", "150000"]),
    markClamp: reported ? "0" : random.pick(["0.01", "0.025"]),
    fundingMethod:
      reported || random.chance(1, 8)
        ? "reported"
        : random.pick(["hyperliquid", "hyperliquid", "dydx", "binance8h", "continuous"]),
    fundingTau: random.pick(["10000", "3600000"]),
    fundingInterval: random.pick(["30000", "60000", "3600000"]),
    fundingSample: random.pick(["1000", "5000"]),
    fundingPaymentMax: random.pick(["0.002", "0.00001"]),
    fundingInterest: random.pick(["0.0001", "0.01", "-0.01"]),
    impactNotional: random.pick(["100", "2000", "20000"]),
    liquidationFee: random.pick(["0", "0.01"]),
    liquidationWhole: random.pick(["0", "500", "100000"]),
    liquidationChunk: random.pick(["0.2", "0.5", "1"]),
    ...(random.chance(1, 6) ? { closeOut: "0.3", takeoverDistance: "0" } : { closeOut: "0" }),
    liquidationPolicy: random.pick(["perplab", "perplab", "perplab", "hyperliquid", "dydx", "binance"]),
    insuranceSlippage: random.pick(["0.005", "0.005", "0", "0.02"]),
    insuranceCapMarket: random.pick(["0", "0.1", "1", "1"]),
    insuranceCapAccount: random.pick(["0", "1", "1000000"]),
    insuranceCapOwner: random.pick(["2", "1000000"]),
    insuranceCapBlock: random.pick(["5", "10000000"]),
    tier2: "",
    ...(!reported && random.chance(1, 3)
      ? { sources: "a:3 b:2 c:2 idle:0", minSources: random.pick(["1", "2", "3"]) }
      : {}),
    ...random.pick(FEES),
    ...random.pick(FEE_TIERS),
  };
  // Half of the markets each, without a draw of their own.
  texts["reduceOnlyResting"] = texts["fundingTau"] === "10000" ? "trim" : "capAtMatch";
  if (crisis) {
    // Nothing but margin limits an order.
    for (const name of ["maxSize", "positionLimit", "openInterestLimit"]) texts[name] = sizeOf(grid, 10_000_000);
    Object.assign(texts, { priceBand: "1", minNotional: "0", openOrdersMax: "100" });
  }
  // A study: the mark follows the market's own book without limit.
  if (texts["markMethod"] === "book" && random.chance(1, 2)) {
    Object.assign(texts, { unsafe: "1", markClamp: "1000", markBand: random.pick(["1", "1000"]) });
  }
  if (mood === "vast") {
    // A position at its cap has nearly the greatest storable value (NUM-3).
    for (const name of ["maxSize", "positionLimit"]) texts[name] = sizeOf(grid, 1_500_000_000);
    texts["openInterestLimit"] = sizeOf(grid, 8_000_000_000);
  }
  random.pick(TIERS).forEach((tier, place) => {
    texts[`tier${place + 1}`] = tier;
  });
  return {
    name,
    preset: "linear",
    parameters: texts,
    start: grid.start,
    volatility: random.pick([500, 3_000, 15_000]),
    jumps: crisis ? 0 : random.pick([0, 5, 40, 120]),
    reported,
  };
}

function sizeOf(grid: (typeof GRIDS)[number], notional: number): string {
  const lots = Math.floor((notional * 1e8 * 1e8) / grid.start / grid.lot);
  return formatDecimal(Math.min(Math.max(lots, 3), Math.floor(LIMIT / grid.lot)) * grid.lot, 8);
}

/** A third of the venues have nonce windows. */
function drawNonceScheme(random: Draw): string {
  return random.chance(1, 3) ? `window:${random.pick([1, 2, 5, 32, 33, 1024])}` : "sequential";
}

/** Withdrawal gates: none, those of a real venue, or so narrow that withdrawals reach them. */
function drawOutflow(random: Draw): Outflow {
  if (random.chance(1, 3)) return random.pick([NO_OUTFLOW_GATES, DEFAULT_OUTFLOW]);
  const cap = () => ({
    amount: random.pick(["0", "5", "100", "2000.000001"]),
    share: random.pick(["0", "0.000001", "0.05"]),
  });
  return {
    hourly: cap(),
    daily: cap(),
    deficitThreshold: random.pick(["0", "0", "0.5", "100"]),
    deficitBlocks: random.pick([0, 1, 5, 50]),
  };
}

/** Draws a profile. Half of them use all actions; the others omit some actions and use others more. */
export function drawProfile(random: Draw): FlowProfile {
  const mood: Mood = random.pick(["usual", "usual", "usual", "crisis", "crisis", "crisis", "usual", "vast"]);
  const crisis = mood === "crisis";
  const count = crisis ? random.between(2, 3) : random.between(1, 4);
  const markets = Array.from({ length: count }, (_, place) => drawMarket(random, `M${place}-PERP`, mood));
  const owners = crisis ? random.between(3, 5) : random.between(3, 9);
  const house = new AccountKey(addressOf(0), 0);
  const accounts: Genesis["accounts"][number][] = [
    { address: house.address, subaccount: 0, role: "house", balance: random.pick(["0", "1000000"]) },
  ];
  const backs = random.pick([5, 40]);
  for (let owner = 1; owner <= owners; owner++) {
    for (let subaccount = 0; subaccount <= random.below(2); subaccount++) {
      const balance =
        mood === "vast"
          ? "2000000000"
          : crisis
            ? "1000"
            : random.pick(["50", "1000", "1000", "10000", "10000", "100000"]);
      const role = random.chance(1, backs) ? "backstop" : "normal";
      const limited = role === "backstop" && random.chance(1, 2);
      accounts.push({
        address: addressOf(owner),
        subaccount,
        role,
        balance,
        ...(limited ? { lossLimit: random.pick(["0", "10", "500", "1000000"]) } : {}),
      });
    }
  }
  const genesis = createGenesis({
    markets: markets.map(({ name, preset, parameters }) => ({ name, preset, parameters })),
    accounts,
    insurance: crisis ? "0" : random.pick(["0", "0", "20", "500", "1000000"]),
    features: { faucet: !random.chance(1, 5), agents: !random.chance(1, 8), devnet: random.chance(1, 2) },
    liquidationsMax: random.pick([1, 2, 10_000]),
    intentsMax: random.pick([3, 20, 100]),
    nonces: { trading: drawNonceScheme(random.clone()) },
    timeMs: 1_700_000_000_000,
    outflow: drawOutflow(random.clone()),
  });
  const swarm = !crisis && random.chance(1, 2);
  const weights: Record<UserAction, number> = { ...WEIGHTS };
  if (crisis) Object.assign(weights, { withdraw: 0, transfer: 1, placeOrder: 150, placeIntent: 6 });
  if (swarm) {
    for (const name of Object.keys(weights) as UserAction[]) {
      weights[name] *= name === "placeOrder" ? random.pick([1, 3]) : random.pick([0, 1, 4]);
    }
  }
  return {
    genesis,
    markets,
    house,
    strangers: Array.from(
      { length: 4 },
      (_, place) => new AccountKey(addressOf(owners + 1 + (place >> 1)), (place & 1) * 0xffff_ffff),
    ),
    weights,
    blockSize: crisis ? 12 : random.pick([2, 6, 12]),
    houseFlow: crisis ? 0 : random.pick([0, 0, 15, 60]),
    crashes: crisis ? 60 : random.pick([0, 0, 10, 40]),
    agents: random.pick([0, 15, 60]),
    impersonates: genesis.features.devnet ? random.pick([0, 5, 20]) : random.pick([0, 0, 1]),
    faults: crisis ? 1 : random.pick([0, 4, 10]),
  };
}
