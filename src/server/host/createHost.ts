import { createVenue } from "../../venue/engine/genesis.ts";
import { PendingPool } from "../../venue/simulation/pool/pendingPool.ts";
import { Chain } from "./chain.ts";
import { MemoryLedger } from "./memoryLedger.ts";
import { type HostOptions, KEEP_BLOCKS, KEY_MS } from "./options.ts";
import { RunningHost } from "./runningHost.ts";

/**
 * A host that stores everything in memory and is ready at once: for tests, and for temporary venues. Blocks are made in
 * microtasks, so transactions submitted together enter one block.
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
  // A revert can reach any later block from here, while the blocks between are kept.
  chain.checkpoint();
  return new RunningHost(options, chain, queueMicrotask);
}
