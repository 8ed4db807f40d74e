import { createGenesis, type Genesis } from "../../../protocol/genesis.ts";
import type { ParameterTexts } from "../../../protocol/parameters.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import type { SealedBlock } from "../../../venue/simulation/observer.ts";
import { Simulation } from "../../../venue/simulation/simulation.ts";
import type { EventSource, TimeRange } from "../../market-data/types.ts";
import { History } from "../../replay/history.ts";
import { HOUSE_ACCOUNT } from "../../replay/house.ts";
import { defineMarket, type MarketDefinition } from "../../replay/marketDefinition.ts";
import { resolveReplay } from "../../replay/settings.ts";
import { openTradable } from "../../replay/tradable.ts";
import { BlockBuilder } from "../blockBuilder.ts";
import { BacktestError, toBacktestError } from "../errors.ts";
import { DEFAULTS } from "../options.ts";
import { AUTHORITIES } from "../participants.ts";
import { Population, type PopulationOptions } from "./population.ts";

export interface RecordOptions extends PopulationOptions {
  readonly data: EventSource;
  readonly range?: TimeRange;
  /** Collateral of the insurance fund, USD. Default: 1000000. */
  readonly insurance?: string;
  /** Parameters of every market over those of the preset `replay`. */
  readonly parameters?: ParameterTexts;
  /** Bars: share of the volume that the house offers. Default: 0.1. */
  readonly participation?: string;
  readonly onProgress?: (timeMs: number, blocks: number) => void;
}

/** A chain that was made once and can be replayed under other rules. */
export interface RecordedChain {
  readonly genesis: Genesis;
  readonly blocks: readonly SealedBlock[];
}

/** Room for positions of the crowd: none of them holds more than this, quote units at the first price. */
const LARGEST_EXPOSURE = 400_000_000_000 * 35;

/**
 * Replays recorded data with a crowd of leveraged traders in it, and keeps the blocks. The crowd sees the venue as it
 * is under the rules of the replay; under other rules the blocks are the same.
 *
 * @throws {BacktestError} DATA_UNUSABLE, MARKET_IMPOSSIBLE
 */
export async function recordPopulation(options: RecordOptions): Promise<RecordedChain> {
  try {
    return await record(options);
  } catch (error) {
    throw toBacktestError(error);
  }
}

async function record(options: RecordOptions): Promise<RecordedChain> {
  const { data, range = {}, participation, parameters } = options;
  const { manifest } = data;
  const stream = await openTradable(data, range);
  const { surveys } = stream;
  const markets = manifest.markets.map((market, place) =>
    defineMarket(market, {
      firstPrice: surveys[place]!.firstPrice,
      exposure: LARGEST_EXPOSURE / 20,
      ...(parameters === undefined ? {} : { parameters }),
    }),
  );
  const settings = resolveReplay(participation === undefined ? {} : { participation });
  const history = new History({ manifest, markets, surveys, settings });
  const builder = new BlockBuilder(undefined);
  const population = new Population(options);
  const blocks: SealedBlock[] = [];
  let simulation: Simulation | undefined;
  let genesis: Genesis | undefined;
  const advance = () => {
    for (;;) {
      const timeMs = history.nextBlockMs();
      if (timeMs === undefined) return;
      if (simulation === undefined) {
        genesis = found(markets, population, options.insurance ?? DEFAULTS.insurance, timeMs);
        simulation = new Simulation(createVenue(genesis));
      }
      const { actions } = history.take(timeMs);
      const own = population.act(simulation.state, builder.nextHeight, timeMs);
      const block = builder.build(timeMs, actions, own);
      simulation.apply(block);
      blocks.push(block);
    }
  };
  for await (const chunk of stream.chunks()) {
    history.add(chunk);
    advance();
    options.onProgress?.(chunk.timeMs[chunk.count - 1] ?? 0, blocks.length);
  }
  history.finish();
  advance();
  if (genesis === undefined) {
    throw new BacktestError("DATA_UNUSABLE", "there is no trade or bar in the data between `from` and `to`", {
      place: "from",
    });
  }
  return { genesis, blocks };
}

function found(
  definitions: readonly MarketDefinition[],
  population: Population,
  insurance: string,
  firstMs: number,
): Genesis {
  return createGenesis({
    timeMs: firstMs - 1,
    authorities: AUTHORITIES,
    markets: definitions.map(({ name, preset, parameters }) => ({ name, preset, parameters })),
    accounts: [HOUSE_ACCOUNT, ...population.accounts],
    insurance,
    features: { faucet: false },
  });
}
