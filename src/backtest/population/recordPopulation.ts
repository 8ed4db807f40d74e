import { createVenue } from "../../engine/genesis.ts";
import type { EventSource, TimeRange } from "../../market-data/types.ts";
import { createGenesis, type Genesis } from "../../protocol/genesis.ts";
import type { ParameterTexts } from "../../protocol/parameters.ts";
import type { SealedBlock } from "../../simulation/observer.ts";
import { Simulation } from "../../simulation/simulation.ts";
import { BlockBuilder } from "../blockBuilder.ts";
import { BacktestError } from "../errors.ts";
import { DEFAULTS } from "../options.ts";
import { AUTHORITIES, HOUSE } from "../parties.ts";
import { defineMarket } from "../replay/marketDefinition.ts";
import { MarketFlow } from "../replay/marketFlow.ts";
import { surveyMarkets } from "../replay/surveyMarkets.ts";
import { Timeline } from "../replay/timeline.ts";
import { Population, type PopulationOptions } from "./population.ts";

export interface RecordOptions extends PopulationOptions {
  readonly data: EventSource;
  readonly range?: TimeRange;
  /** Collateral of the insurance fund, USD. Default: 1000000. */
  readonly insurance?: string;
  /** Parameters of every market over those of the preset `replay`. */
  readonly parameters?: ParameterTexts;
  /** Bars: share of the volume that the house offers. Default: 0.1. */
  readonly participation?: number;
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
 * Replays recorded data with a crowd of leveraged traders in it, and keeps the blocks. The crowd sees the venue as it is
 * under the rules of the replay; under other rules the blocks are the same.
 *
 * @throws {BacktestError} DATA_UNUSABLE, MARKET_IMPOSSIBLE
 */
export async function recordPopulation(options: RecordOptions): Promise<RecordedChain> {
  const { data, range = {} } = options;
  const surveys = await surveyMarkets(data.manifest, data.chunks(range));
  const settings = {
    spreadTicks: DEFAULTS.spreadTicks,
    impactTicks: DEFAULTS.impactTicks,
    participation: options.participation ?? 100_000,
  };
  const definitions = data.manifest.markets.map((market, place) =>
    defineMarket(market, {
      firstPrice: surveys[place]!.firstPrice,
      exposure: LARGEST_EXPOSURE / 20,
      ...(options.parameters === undefined ? {} : { parameters: options.parameters }),
    }),
  );
  const intervals = surveys.map(({ intervalMs }) => intervalMs);
  const flows = definitions.map((definition, market) => {
    const { events } = data.manifest.markets[market]!;
    return new MarketFlow(definition, settings as never, { mark: events.mark > 0, index: events.index > 0 });
  });
  const timeline = new Timeline(flows, intervals, DEFAULTS.intrabar);
  const builder = new BlockBuilder(flows, intervals, undefined);
  const population = new Population(options);
  // Trades are gathered into blocks; bars make blocks of their own.
  const gridMs = intervals.includes(0) ? DEFAULTS.blockMs : 0;
  const blocks: SealedBlock[] = [];
  let simulation: Simulation | undefined;
  let genesis: Genesis | undefined;
  const advance = () => {
    for (;;) {
      const nextMs = timeline.nextMs();
      if (nextMs === Number.POSITIVE_INFINITY) return;
      const timeMs = gridMs === 0 ? nextMs : Math.ceil(nextMs / gridMs) * gridMs;
      if (timeMs > timeline.safeMs) return;
      if (simulation === undefined) {
        genesis = found(definitions, population, options.insurance ?? DEFAULTS.insurance, timeMs);
        simulation = new Simulation(createVenue(genesis));
      }
      timeline.take(timeMs);
      const own = population.act(simulation.state, builder.nextHeight, timeMs);
      const block = builder.build(timeMs, own);
      simulation.apply(block);
      blocks.push(block);
    }
  };
  for await (const chunk of data.chunks(range)) {
    timeline.add(chunk);
    advance();
    options.onProgress?.(chunk.timeMs[chunk.count - 1] ?? 0, blocks.length);
  }
  timeline.finish();
  advance();
  if (genesis === undefined) {
    throw new BacktestError("DATA_UNUSABLE", "there is no event in the data between `from` and `to`", {
      place: "from",
    });
  }
  return { genesis, blocks };
}

function found(
  definitions: readonly ReturnType<typeof defineMarket>[],
  population: Population,
  insurance: string,
  firstMs: number,
): Genesis {
  return createGenesis({
    timeMs: firstMs - 1,
    authorities: AUTHORITIES,
    markets: definitions.map(({ name, preset, parameters }) => ({ name, preset, parameters })),
    accounts: [
      { address: HOUSE.address, subaccount: HOUSE.subaccount, role: "house", balance: "0" },
      ...population.accounts,
    ],
    insurance,
    features: { faucet: false },
  });
}
