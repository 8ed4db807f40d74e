import type { Verification, Verifier } from "../../client/signing/verify.ts";
import { type Signed, withVerdict } from "../../protocol/codec.ts";
import type { Bytes32 } from "../../protocol/fields.ts";
import { checkPending } from "../../venue/simulation/pool/pendingPool.ts";
import type { Chain } from "./chain.ts";
import type { Refusal, Submitted } from "./host.ts";
import type { KeyUse } from "./ledger.ts";
import { PERMANENT } from "./permanent.ts";

/** Result of a submission. */
export interface Outcome {
  readonly submitted: Submitted;
  /** The result must be durable before the client gets it. */
  readonly waits: boolean;
}

/**
 * Adds transactions to the chain's pool and ledger, or returns why not. A repeated key gets the same answer as before,
 * and so does a repeated transaction under another key.
 */
export class Intake {
  readonly #chain: Chain;
  readonly #verifier: Verifier;
  readonly #clock: () => number;
  /** Accepted transactions whose answer was not sent yet. */
  readonly #unanswered = new Set<Bytes32>();
  #inFlight: ReadonlySet<Bytes32> = new Set();

  constructor(chain: Chain, verifier: Verifier, clock: () => number) {
    this.#chain = chain;
    this.#verifier = verifier;
    this.#clock = clock;
  }

  /** Transactions of the block that is being made durable: they are neither replaced nor evicted. */
  get inFlight(): ReadonlySet<Bytes32> {
    return this.#inFlight;
  }

  set inFlight(ids: ReadonlySet<Bytes32>) {
    this.#inFlight = ids;
    this.#chain.pool.inBlock = ids;
  }

  isUnanswered(id: Bytes32): boolean {
    return this.#unanswered.has(id);
  }

  answered(id: Bytes32): void {
    this.#unanswered.delete(id);
  }

  /**
   * Returns the transaction with its verdict, or why the venue refuses it.
   *
   * @param found result of an earlier verification of the signature
   */
  judge(
    signed: Signed,
    found: Verification = this.#verifier.verify(signed),
  ): { readonly id: Bytes32; readonly signed: Signed; readonly refusal: Refusal | undefined } {
    const { verdict, reason, digest: id } = found;
    const judged = { transaction: withVerdict(signed.transaction, verdict), signature: signed.signature };
    if (verdict) return { id, signed: judged, refusal: undefined };
    // A wrong network or version is reported first: it explains why the signature does not match.
    const code = checkPending(this.#chain.state, judged.transaction)!;
    if (code !== "INVALID_SIGNATURE") return { id, signed: judged, refusal: { kind: "admission", code } };
    return { id, signed: judged, refusal: { kind: "signature", reason: reason! } };
  }

  /** Accepts a transaction with a valid signature, repeats an earlier answer, or returns why not. */
  take(signed: Signed, id: Bytes32, key: string): Outcome {
    const { header } = signed.transaction;
    const { ledger } = this.#chain;
    const use = ledger.keyUse(header.signer, key);
    if (use !== undefined) {
      if (use.id !== id) return refused(id, { kind: "keyReused", otherId: use.id });
      if (use.code !== undefined) return refused(id, { kind: "admission", code: use.code });
      return this.#replay(use);
    }
    const { validUntil } = header;
    const found = ledger.find(id);
    if (found !== undefined && !(found.status === "ended" && found.reverted)) {
      const again: KeyUse = { id, receivedAtMs: found.receivedAtMs, validUntil, code: undefined };
      ledger.bind(header.signer, key, again);
      return this.#replay(again);
    }
    if (this.inFlight.has(header.replaces)) return refused(id, { kind: "pool", code: "REPLACES_UNKNOWN" });
    const receivedAtMs = Math.floor(this.#clock());
    const offer = this.#chain.offer(signed, { id, key, receivedAtMs });
    if (offer.accepted) {
      this.#unanswered.add(id);
      return { submitted: { accepted: true, id, replayed: false, receivedAtMs }, waits: true };
    }
    const { code, reason: inadmissible, pending, waitingHelps } = offer;
    if (inadmissible === undefined) {
      const more = { ...(pending ? { pending } : {}), ...(waitingHelps === undefined ? {} : { waitingHelps }) };
      return refused(id, { kind: "pool", code, ...more });
    }
    if (PERMANENT.has(inadmissible)) {
      ledger.bind(header.signer, key, { id, receivedAtMs, validUntil, code: inadmissible });
    }
    return refused(id, { kind: "admission", code: inadmissible });
  }

  /** A repetition waits with the first answer while that is pending. */
  #replay({ id, receivedAtMs }: KeyUse): Outcome {
    return { submitted: { accepted: true, id, replayed: true, receivedAtMs }, waits: this.#unanswered.has(id) };
  }
}

function refused(id: Bytes32, refusal: Refusal): Outcome {
  return { submitted: { accepted: false, id, refusal }, waits: false };
}
