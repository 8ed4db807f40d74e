import { randomBytes, randomInt } from "node:crypto";

/** What tells a venue in memory from another of the same genesis: of both, signatures and positions of streams are bound. */
export interface VenueIdentity {
  /** `salt` of its genesis; undefined for a genesis without one. */
  readonly salt: string | undefined;
  /** Epoch of its first block. */
  readonly epoch: number;
}

const SALT_BYTES = 16;
const EPOCHS = 2 ** 32;

/**
 * The identity of a venue that is kept in memory. A fixed one makes the same chain at every start, so that ids and roots
 * can be printed and compared; clients then cannot tell one start from the next by it.
 *
 * @param networkSalt fixes it, with epoch 0: the salt, or empty text for a genesis without one. Default: a random one
 */
export function createIdentity(networkSalt?: string): VenueIdentity {
  if (networkSalt !== undefined) return { salt: networkSalt === "" ? undefined : networkSalt, epoch: 0 };
  return { salt: randomBytes(SALT_BYTES).toString("hex"), epoch: 1 + randomInt(EPOCHS) };
}
