import { computeRoot } from "../../../venue/engine/commitment/root.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import { BlockLog } from "../../../venue/simulation/log/blockLog.ts";
import { Simulation } from "../../../venue/simulation/simulation.ts";
import { HostError } from "../errors.ts";
import type { VenueHost } from "../host.ts";

/**
 * Writes the blocks of a host as a block log, which `perplab verify` replays, signatures included. It holds the present
 * chain, without blocks that a revert removed.
 *
 * @param path a file that does not exist yet
 * @throws {HostError} HEIGHT_NOT_KEPT if the host lacks blocks since genesis
 */
export function exportBlockLog(host: VenueHost, path: string): void {
  if (host.oldestHeight !== 1) {
    throw new HostError(
      "HEIGHT_NOT_KEPT",
      `blocks are kept from ${host.oldestHeight} on; a block log begins at genesis`,
    );
  }
  const { state } = host;
  const log = new BlockLog(path);
  try {
    const replay = new Simulation(createVenue(host.genesis), [log]);
    for (let height = 1; height <= state.height; height++) replay.apply(host.block(height)!);
    if (computeRoot(replay.state) !== computeRoot(state)) throw new Error("the blocks lead to another state");
    replay.end();
  } catch (error) {
    log.abandon();
    throw error;
  }
}
