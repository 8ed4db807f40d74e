import { type BlockFacts, marketOf } from "../../../client/strategy/blockFacts.ts";
import type { BlockTime } from "../../../client/strategy/sessionPort.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { SealedBlock } from "../../../venue/simulation/observer.ts";
import { takeAccountPicture } from "../account/accountPicture.ts";
import type { KnownVenue } from "../account/knownVenue.ts";
import type { VenueAccount } from "../account/venueAccount.ts";
import type { VenuePicture } from "../account/venuePicture.ts";
import type { SentTransaction } from "../outbox.ts";
import { type FeedMessage, Inbox } from "./inbox.ts";
import type { Link, RefusedTransaction } from "./link.ts";

/** A transaction that the venue refused where it arrived, with the time at which it did. */
export interface Refused extends RefusedTransaction {
  readonly sent: SentTransaction;
}

export interface RemoteParts {
  readonly link: Pick<Link, "feedAt" | "receiptAt">;
  readonly known: KnownVenue;
  /** The account as the venue has it. */
  readonly own: VenueAccount;
  readonly state: State;
  readonly account: AccountRow;
  /** Takes the picture of the last instant. */
  readonly takePicture: () => VenuePicture;
  readonly onRefuse: (refused: Refused) => void;
}

/** What has arrived at a strategy at one time of its clock. */
export interface Delivery {
  readonly now: BlockTime;
  readonly facts: BlockFacts;
  readonly feed: readonly FeedMessage[];
  /** Time of the newest instant that has ever arrived. */
  readonly seenMs: number;
  readonly isBlock: boolean;
  readonly ids: readonly string[];
}

/** The part of a strategy's run that lies between it and the venue, where messages take time. */
export class Remote {
  readonly #parts: RemoteParts;
  readonly #inbox: Inbox;
  /** Transactions that are to be refused, by id. */
  readonly #refused = new Map<string, Refused>();
  #seenMs = Number.NaN;

  constructor(parts: RemoteParts) {
    const { link } = parts;
    this.#parts = parts;
    this.#inbox = new Inbox({ feed: (timeMs) => link.feedAt(timeMs), receipt: (timeMs) => link.receiptAt(timeMs) });
  }

  /** The venue sends what a block did to the account. */
  sendReceipt(
    { timeMs, transactions }: SealedBlock,
    { reports, rejections }: BlockFacts,
    places: readonly number[],
  ): void {
    const { state, account, own } = this.#parts;
    const ids = places.map((place) => transactions[place]!.header.clientTxId);
    this.#inbox.addReceipt({ timeMs, reports, rejections, ids, account: takeAccountPicture(state, account, own) });
  }

  /** The venue sends an instant of the market. */
  sendFeed(message: Omit<FeedMessage, "picture">): void {
    this.#inbox.addFeed({ ...message, picture: this.#parts.takePicture() });
  }

  /** A transaction is on its way and will be refused where it arrives. */
  refuse(refused: Refused): void {
    const { id, code, timeMs, sent } = refused;
    this.#refused.set(id, refused);
    const rejections = [{ id, timeMs, code, market: marketOf(sent.payload) }];
    this.#inbox.addRefusal({ timeMs, reports: [], rejections, ids: [id], account: undefined });
  }

  /** When something comes next that the strategy must be called for, see `Inbox`. */
  findNextMs(framesDueMs: number, isAny: boolean): number {
    return this.#inbox.findNextMs(framesDueMs, isAny);
  }

  /** Moves the clock of the strategy: what has arrived by then is in its view. */
  receive(timeMs: number): Delivery {
    const { known, onRefuse } = this.#parts;
    for (const { ids } of this.#inbox.takeRefusals(timeMs)) {
      for (const id of ids) onRefuse(this.#refused.get(id)!);
      for (const id of ids) this.#refused.delete(id);
    }
    const { feed, receipts } = this.#inbox.take(timeMs);
    for (const { account } of receipts) if (account !== undefined) known.seeAccount(account);
    const newest = feed.at(-1);
    if (newest !== undefined) {
      known.seeMarkets(newest.picture);
      this.#seenMs = newest.timeMs;
    }
    return {
      now: { height: known.state.height, timeMs },
      facts: {
        reports: receipts.flatMap(({ reports }) => reports),
        rejections: receipts.flatMap(({ rejections }) => rejections),
      },
      feed,
      seenMs: this.#seenMs,
      isBlock: feed.some(({ isBlock }) => isBlock),
      ids: receipts.flatMap(({ ids }) => ids),
    };
  }
}
