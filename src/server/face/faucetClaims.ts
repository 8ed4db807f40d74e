import type { Bytes32 } from "../../protocol/fields.ts";
import type { LimitProfile } from "./limits/profiles.ts";

/** A claim under a key of the client's. */
interface KeyedClaim {
  /** What is claimed; a key names one claim. */
  readonly of: string;
  readonly id: Promise<Bytes32>;
}

/** Claims under keys, so that the same claim is made once. Only of this process: what the faucet gives has no value. */
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

  /** Remembers a claim under way; one that fails is forgotten. */
  add(key: string, claim: KeyedClaim): void {
    if (this.#claims.size >= this.#keysMost) this.#claims.delete(this.#claims.keys().next().value!);
    this.#claims.set(key, claim);
    claim.id.catch(() => {
      if (this.#claims.get(key) === claim) this.#claims.delete(key);
    });
  }
}
