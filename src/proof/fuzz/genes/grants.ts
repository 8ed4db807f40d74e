/** Grants of genes: what an owner allows an agent. */
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import type { BlockBuilder } from "./blockBuilder.ts";
import type { Choices } from "./choices.ts";
import { UNKNOWN_MARKET } from "./references.ts";
import { drawTime } from "./times.ts";

/** Texts of a field: valid ones, the plainest first, and invalid or empty ones. */
interface Texts<T extends string> {
  readonly fine: readonly T[];
  readonly odd: readonly T[];
}

const VALUES = {
  fine: ["*", "*", "*", "0", "500", "5000", "100000", "*", "*", "20", "500", "0.000001", "9000000000"],
  odd: ["x", "-1", "1e3", "01", "0.0000001", "9000000000.000001"],
} as const;
const COUNTS = { fine: ["*", "*", "1", "3", "0", "*", "2", "64"], odd: ["x", "-1", "1.5", "00"] } as const;
const SCOPES = {
  fine: [
    ...["*", "*", "trade", "trade cancel", "reduce cancel margin", "transfer", "cancel"],
    ...["reduce", "margin", "cancel reduce", "trade reduce"],
  ],
  odd: ["", "withdraw", "trade trade", "trade  cancel", " trade", "* trade"],
} as const;
const SUBACCOUNTS = {
  fine: ["*", "*", "0", "0 1", "1", "0 4294967295", "2147483648 0"],
  odd: ["", "x", "0 0", "0  1", "00", "4294967296", "-1", "0 "],
} as const;
/** Ways to fill a list of markets. */
export const MARKET_LISTS = {
  fine: ["*", "*", "own", "two", "last"],
  odd: ["", "unknown", "half", "twice", "spaced"],
} as const;

type MarketList = (typeof MARKET_LISTS)["fine" | "odd"][number];

/** A grant to one of a few agents; zeros cover everything. */
export function drawGrant(builder: BlockBuilder, account: AccountRow): unknown {
  const { choices, state } = builder;
  const agent = choices.next();
  const isRepaired = agent % 8 !== 0;
  const pick = <T extends string>(texts: Texts<T>) => pickText(choices, texts, isRepaired);
  const scopes = pick(SCOPES);
  const markets = nameMarkets(builder, pick<MarketList | "*">(MARKET_LISTS));
  const subaccounts = pick(SUBACCOUNTS);
  const [maxOrderNotional, maxPositionNotional, maxDailyNotional] = [pick(VALUES), pick(VALUES), pick(VALUES)];
  const maxOpenOrders = pick(COUNTS);
  const validFrom = choices.below(4) === 3 ? drawTime(builder, choices, account) : 0;
  const lasts = choices.pick([200_000, 200_000, 100_000_000, 15_000, 1, 0]);
  return {
    agent: agent >= 0xfc00 ? builder.scene.keyOf(account).address : builder.profile.agentAddresses[agent % 3],
    label: agent % 2 === 0 ? "" : "bot",
    scopes,
    markets,
    subaccounts,
    maxOrderNotional,
    maxPositionNotional,
    maxDailyNotional,
    maxOpenOrders,
    validFrom,
    expiresAt: Math.max(validFrom, state.timeMs) + lasts + (isRepaired && lasts <= 1 ? 20_000 : 0),
  };
}

/** A text of a field. `*` replaces an odd text that is repaired. */
function pickText<T extends string>(choices: Choices, { fine, odd }: Texts<T>, isRepaired: boolean): T | "*" {
  const text = choices.pick([...fine, ...odd]);
  return isRepaired && !fine.includes(text) ? "*" : text;
}

/** Names the markets of a list. `own` is the market of the gene. */
function nameMarkets({ state: { marketNames }, market }: BlockBuilder, list: MarketList | "*"): string {
  const place = market % marketNames.length;
  const own = marketNames[place]!;
  const other = marketNames[(place + 1) % marketNames.length]!;
  switch (list) {
    case "own":
      return own;
    case "two":
      return own === other ? own : `${own} ${other}`;
    case "last":
      return marketNames[marketNames.length - 1]!;
    case "unknown":
      return UNKNOWN_MARKET;
    case "half":
      return `${own} ${UNKNOWN_MARKET}`;
    case "twice":
      return `${own} ${own}`;
    case "spaced":
      return `${own}  ${other}`;
    default:
      return list;
  }
}
