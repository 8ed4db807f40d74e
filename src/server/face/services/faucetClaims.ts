import type { Bytes32 } from "../../../protocol/fields.ts";
import type { LimitProfile } from "../limits/profiles.ts";

/** A claim under a client's key. */
interface KeyedClaim {
  /** Content of the claim; a key names one claim. */
  readonly of: string;
  readonly id: Promise<Bytes32>;
}

/**
 * Claims by key, so that the same claim is made once. They last as long as this process, since faucet assets have no
 * value.
 */
export class FaucetClaims {
  /** Most of one claim, in USD. */
  readonly most: string;
  readonly #claims = new Map<string, KeyedClaim>();
  readonly #keysMost: number;

  constructor(profile: LimitProfile, keysMost = 10_000) {
    this.most = profile === "public" ? "10000" : "1000000";
    this.#keysMost = keysMost;
  }

  get(key: string): KeyedClaim | undefined {
    return this.#claims.get(key);
  }

  /** Stores a claim in progress; a failed one is removed. */
  add(key: string, claim: KeyedClaim): void {
    if (this.#claims.size >= this.#keysMost) this.#claims.delete(this.#claims.keys().next().value!);
    this.#claims.set(key, claim);
    claim.id.catch(() => {
      if (this.#claims.get(key) === claim) this.#claims.delete(key);
    });
  }
}
