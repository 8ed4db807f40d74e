import type { IntentView, OrderView } from "../../../client/strategy/context.ts";
import { StrategyError } from "../../../client/strategy/errors.ts";
import type { Side } from "../../../client/strategy/facts.ts";
import { MarketList } from "../../../client/strategy/marketList.ts";
import type { SessionView } from "../../../client/strategy/sessionPort.ts";
import type { InFlight } from "../../../client/strategy/strategyAccount.ts";
import type { AccountKey } from "../../../protocol/accountKey.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import { findAccount } from "../../../venue/engine/state/accounts.ts";
import type { MarginTables } from "../../../venue/engine/state/marginTables.ts";
import { ensurePosition } from "../../../venue/engine/state/positions.ts";
import type { AccountRow, MarketRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { HouseLevel } from "../../replay/houseState.ts";
import { type AccountPicture, POSITION_COLUMNS } from "./accountPicture.ts";
import { type FoundOrder, VenueAccount } from "./venueAccount.ts";
import { VenueMarket } from "./venueMarket.ts";
import { type MarketPicture, PICTURE_LEVELS, type VenuePicture } from "./venuePicture.ts";
import type { Reads } from "./venueReads.ts";

/**
 * The venue as a strategy knows it when messages take time: markets as of the last message of the feed, its account as
 * of the last receipt. Both are written into a venue of its own, in which nothing trades. So margin is computed by the
 * functions of the engine, from positions that the strategy knows, at marks that it knows.
 */
export class KnownVenue implements Reads {
  readonly state: State;
  readonly view: SessionView<VenueMarket, VenueAccount>;
  readonly #account: AccountRow;
  readonly #known: KnownAccount;
  /** By market. */
  readonly #positions: readonly PositionRow[];
  #markets: readonly MarketPicture[] = [];

  constructor(genesis: Genesis, key: AccountKey, sender: InFlight) {
    this.state = createVenue(genesis);
    this.#account = findAccount(this.state, key);
    this.#positions = this.state.parameters.map((_, market) =>
      ensurePosition(this.state, this.#account, market as MarketRow),
    );
    const markets = new MarketList(
      this.state.marketNames.map((_, row) => new VenueMarket(this, row as MarketRow, this.#account)),
    );
    this.#known = new KnownAccount(this, this.#account, markets, sender, () => "");
    this.view = { markets, account: this.#known };
  }

  get tables(): MarginTables {
    return this.state;
  }

  /** A message of the feed has arrived. */
  seeMarkets({ height, markets: pictures }: VenuePicture): void {
    const { markets } = this.state;
    this.#markets = pictures;
    this.state.height = height;
    for (const [place, picture] of pictures.entries()) {
      const market = place as MarketRow;
      markets.mark[market] = picture.mark as never;
      markets.lotWhole[market] = picture.lotWhole as never;
      markets.lotRest[market] = picture.lotRest as never;
      markets.initialRate[market] = picture.initialRate as never;
      markets.fundingRate[market] = picture.fundingRate as never;
      markets.settledTime[market] = picture.settledTime as never;
    }
  }

  /** A receipt has arrived. */
  seeAccount({ collateral, positions, funding, orders, intents }: AccountPicture): void {
    const { state } = this;
    state.accounts.collateral[this.#account] = collateral as never;
    for (const [place, row] of this.#positions.entries()) {
      const values = positions[place];
      for (let at = 0; at < POSITION_COLUMNS.length; at++) {
        state.positions[POSITION_COLUMNS[at]!][row] = (values?.[at] ?? 0) as never;
      }
      state.markets.fundingHigh[place as MarketRow] = funding[place]!.high as never;
      state.markets.fundingLow[place as MarketRow] = funding[place]!.low as never;
    }
    this.#known.restingKnown = orders;
    this.#known.intentsKnown = intents;
  }

  readMark(market: MarketRow): number {
    return this.#markets[market]?.mark ?? 0;
  }

  readIndex(market: MarketRow): number {
    return this.#markets[market]?.index ?? 0;
  }

  readLast(market: MarketRow): number {
    return this.#markets[market]?.last ?? 0;
  }

  readBest(side: Side, market: MarketRow): number {
    return this.#markets[market]?.[side === "buy" ? "bid" : "ask"] ?? 0;
  }

  listLevels(side: Side, market: MarketRow, most: number): readonly HouseLevel[] {
    const levels = this.#markets[market]?.[side === "buy" ? "bids" : "asks"] ?? [];
    if (most > PICTURE_LEVELS && levels.length === PICTURE_LEVELS) {
      throw new StrategyError("DEPTH_NOT_KEPT", `depth of ${most} levels is more than messages of the feed have`, {
        place: "depth",
        hint: `with a latency of the feed or of receipts, a rate limit or an outage, ask for at most ${PICTURE_LEVELS} levels`,
      });
    }
    return levels.slice(0, most);
  }
}

/** An account as the last receipt has it. */
class KnownAccount extends VenueAccount {
  restingKnown: readonly FoundOrder[] = [];
  intentsKnown: readonly IntentView[] = [];

  override intents(name?: string): IntentView[] {
    if (name === undefined) return [...this.intentsKnown];
    const market = this.markets.find(name).name;
    return this.intentsKnown.filter((intent) => intent.market === market);
  }

  override orders(name?: string): OrderView[] {
    return this.listOrders(name).map(({ view }) => view);
  }

  override listOrders(name: string | undefined): FoundOrder[] {
    if (name === undefined) return [...this.restingKnown];
    const market = this.markets.find(name).name;
    return this.restingKnown.filter(({ view }) => view.market === market);
  }
}
