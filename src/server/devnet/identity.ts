import { randomBytes, randomInt } from "node:crypto";

/**
 * Separates a venue in memory from another with the same genesis: signatures and stream positions are bound to both
 * values.
 */
export interface VenueIdentity {
  /** `salt` of its genesis; undefined for a genesis without one. */
  readonly salt: string | undefined;
  /** Epoch of its first block. */
  readonly epoch: number;
}

const SALT_BYTES = 16;
const EPOCHS = 2 ** 32;

/**
 * The identity of a venue in memory. A fixed one makes the same chain at every start, so that ids and roots can be
 * printed and compared. Clients then cannot distinguish one start from the next.
 *
 * @param networkSalt fixes it, with epoch 0: the salt, or empty text for a genesis without one. Default: a random one
 */
export function createIdentity(networkSalt?: string): VenueIdentity {
  if (networkSalt !== undefined) return { salt: networkSalt === "" ? undefined : networkSalt, epoch: 0 };
  return { salt: randomBytes(SALT_BYTES).toString("hex"), epoch: 1 + randomInt(EPOCHS) };
}
