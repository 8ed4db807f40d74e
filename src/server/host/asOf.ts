import type { AsOf } from "../../client/api/schemas/common.ts";
import { getHead } from "../../venue/engine/commitment/root.ts";
import type { VenueHost } from "./host.ts";

/** The height that a read belongs to, if the read has not awaited anything since it began. */
export function viewAsOf(host: VenueHost): AsOf {
  const { state } = host;
  return {
    height: state.height,
    timeMs: state.timeMs,
    hash: host.block(state.height)?.hash ?? getHead(state),
  };
}

/** A body with the height at which it was read. */
export function withAsOf<D>(host: VenueHost, data: D): { data: D; asOf: AsOf } {
  return { data, asOf: viewAsOf(host) };
}
