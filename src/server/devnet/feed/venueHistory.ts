import { NONE } from "../../../ground/collections/table.ts";
import type { EventChunk } from "../../../product/market-data/types.ts";
import { ReplayError } from "../../../product/replay/errors.ts";
import { History, type HistoryBlock } from "../../../product/replay/history.ts";
import { HOUSE } from "../../../product/replay/house.ts";
import { FUNDING_METHOD, MARK_METHOD, ROLE } from "../../../protocol/words.ts";
import { findAccount } from "../../../venue/engine/state/accounts.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { Recording } from "./recording.ts";

/**
 * A stored venue has the markets and accounts of its genesis only.
 *
 * @throws {ReplayError} OPTION_INVALID if the recording does not fit the venue
 */
export function checkVenue(state: State, { definitions }: Recording): void {
  const lacking = definitions.find(({ name }) => !state.marketRows.has(name));
  if (lacking !== undefined) {
    throw new ReplayError("OPTION_INVALID", `the venue has no market ${lacking.name}`, {
      place: "data",
      hint: `it has ${[...state.marketRows.keys()].join(", ")}; name one of them: MARKET=PATH`,
    });
  }
  const house = findAccount(state, HOUSE);
  if (house !== NONE && state.accounts.role[house] === ROLE.house) return;
  throw new ReplayError(
    "OPTION_INVALID",
    `the venue has no house account ${HOUSE.address}, which history trades through`,
    {
      place: "data",
      hint: "begin a new venue with the recording",
    },
  );
}

/** The history of a recording in a venue: its stream is read only as far as the next block needs. */
export class VenueHistory {
  readonly #history: History;
  readonly #chunks: AsyncIterator<EventChunk>;
  #hasEnded = false;

  /** @throws {ReplayError} OPTION_INVALID if the recording does not fit the venue */
  constructor(state: State, recording: Recording) {
    checkVenue(state, recording);
    const { source, stream, definitions, surveys, settings } = recording;
    // The rules are the venue's, whatever the data would suggest.
    const markets = definitions.map(({ name }) => {
      const { tickSize, lotSize, priceMost, markMethod, fundingMethod } =
        state.parameters[state.marketRows.get(name)!]!;
      const takesMark = markMethod === MARK_METHOD.reported || markMethod === MARK_METHOD.median;
      return { name, tickSize, lotSize, priceMost, takesMark, takesRate: fundingMethod === FUNDING_METHOD.reported };
    });
    this.#history = new History({ manifest: source.manifest, markets, surveys, settings });
    this.#chunks = stream.chunks();
  }

  /** Time of the next block, at most `dueMs`; undefined after the end. */
  async nextMs(dueMs?: number): Promise<number | undefined> {
    for (;;) {
      const timeMs = this.#history.nextBlockMs(dueMs);
      if (timeMs !== undefined || this.#hasEnded) return timeMs;
      const { done, value } = await this.#chunks.next();
      if (done === true) {
        this.#hasEnded = true;
        this.#history.finish();
      } else {
        this.#history.add(value);
      }
    }
  }

  take(timeMs: number): HistoryBlock {
    return this.#history.take(timeMs);
  }

  /** Closes the stream. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}
