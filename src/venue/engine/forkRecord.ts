import { EngineError } from "../../protocol/engineError.ts";
import type { Genesis } from "../../protocol/genesis.ts";
import { isParameterFault } from "../../protocol/parameterFault.ts";
import type { ParameterTexts } from "../../protocol/parameters.ts";
import { readMarketParameters } from "../../protocol/readParameters.ts";
import { changeParameters, findPriceFault } from "./markets/changeParameters.ts";
import { refreshMarket } from "./prices/refreshMarket.ts";
import { forkState } from "./state/forkState.ts";
import { computeGenesisHash } from "./state/genesisHash.ts";
import type { MarketRow } from "./state/schema.ts";
import type { State } from "./state/state.ts";
import { writeTexts } from "./steps/blockEffects.ts";

/** First number of a fork record in the effects; blocks have others. */
const FORK = -4;

/** Parameters that a fork changes without a transaction. */
export interface ForkChange {
  /** Market, or undefined for every market. */
  readonly market?: string;
  readonly parameters: ParameterTexts;
}

/** Numbers of genesis that a fork may change. */
export type ForkVenue = Partial<Pick<Genesis, "validityMax" | "liquidationsMax">>;

/**
 * An independent venue that continues from this one under other parameters (DET-3). Changes made without a transaction
 * are written into the effects chain as a fork record: the fork's heads differ from here on. The original is not
 * touched, and the fork keeps the salt of the original's signatures.
 *
 * @throws EngineError INVALID_FORK with the parameter and its fault
 */
export function forkVenue(state: State, changes: readonly ForkChange[] = [], venue: ForkVenue = {}): State {
  const changed = Object.keys(venue).length > 0;
  const origin = changed ? { origin: computeGenesisHash(state.genesis) } : {};
  const fork = forkState(state, { ...state.genesis, ...venue, ...origin });
  if (changes.length === 0 && !changed) return fork;
  const { events, chain } = fork;
  chain.open(events);
  events.count = 0;
  events.texts = [];
  const at = events.begin(2);
  events.data[at] = FORK;
  events.data[at + 1] = fork.height;
  events.text(JSON.stringify(venue));
  for (const { market, parameters } of changes) {
    for (const row of rowsOf(fork, market)) {
      const read = readMarketParameters("", parameters, fork.parameters[row]!);
      if (isParameterFault(read)) throw refused(`${fork.marketNames[row]!}.${read.parameter}`, read.reason);
      if (findPriceFault(fork, row, read) !== undefined) {
        throw refused(fork.marketNames[row]!, "a position that is open, or one at its limit, would not be storable");
      }
      changeParameters(fork, row, read);
      refreshMarket(fork, row);
    }
  }
  writeTexts(fork);
  chain.close();
  return fork;
}

function rowsOf(state: State, market: string | undefined): MarketRow[] {
  if (market === undefined) return state.marketNames.map((_, row) => row as MarketRow);
  const row = state.marketRows.get(market);
  if (row === undefined) throw refused(market, `no market has this name; there is ${state.marketNames.join(", ")}`);
  return [row];
}

function refused(parameter: string, reason: string): EngineError<"INVALID_FORK"> {
  return new EngineError("INVALID_FORK", `${parameter}: ${reason}`, { parameter, reason });
}
