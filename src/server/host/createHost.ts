import { createVenue } from "../../venue/engine/genesis.ts";
import { PendingPool } from "../../venue/simulation/pool/pendingPool.ts";
import { Chain } from "./chain.ts";
import { MemoryLedger } from "./memoryLedger.ts";
import { type HostOptions, KEEP_BLOCKS, KEY_MS } from "./options.ts";
import { RunningHost } from "./runningHost.ts";

/**
 * A host that keeps everything in memory and is there at once: for tests, and for venues that are thrown away. Blocks
 * are made in microtasks, so what is submitted in one go stands in one block.
 */
export function createHost(options: HostOptions): RunningHost {
  const { genesis, from, epoch = 0, keepBlocks = KEEP_BLOCKS, keyMs = KEY_MS, clock = Date.now } = options;
  const state = from === undefined ? createVenue(genesis) : from.state;
  const ledger = new MemoryLedger(state.height, { keepBlocks, keyMs, clock });
  const chain = new Chain(
    options,
    state,
    new PendingPool(options.pool),
    ledger,
    from === undefined ? epoch : from.epoch + 1 + epoch,
  );
  // Any block can be gone back to from here, as long as those between are kept.
  chain.checkpoint();
  return new RunningHost(options, chain, queueMicrotask);
}
