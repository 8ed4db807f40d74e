import type { Domain } from "../../../protocol/action.ts";
import type { Address, Bytes32 } from "../../../protocol/fields.ts";
import type { InvalidCode } from "../../../protocol/rejections.ts";
import type { Transaction } from "../../../protocol/transaction.ts";

/** A transaction that waits for a block. */
export interface Pending {
  readonly id: Bytes32;
  readonly transaction: Transaction;
  readonly signature: Uint8Array | undefined;
  /** Place in the order of arrival. */
  readonly arrival: number;
  /** Height of the venue when it arrived. */
  readonly sinceHeight: number;
}

/** Pending transactions of one nonce lane (NON-1), by nonce. */
export class Lane {
  readonly key: string;
  readonly parts: LaneParts;
  readonly #byNonce = new Map<number, Pending>();
  /** By rising nonce, until the lane changes. */
  #inOrder: readonly Pending[] | undefined;
  /** First height for which a range begins or has ended since the last check. */
  #dueAt = Number.POSITIVE_INFINITY;
  /** A transaction came in that was not checked. */
  isUnchecked = false;

  constructor(key: string, parts: LaneParts) {
    this.key = key;
    this.parts = parts;
  }

  get size(): number {
    return this.#byNonce.size;
  }

  get(nonce: number): Pending | undefined {
    return this.#byNonce.get(nonce);
  }

  set(pending: Pending): void {
    const { nonce, validFrom } = pending.transaction.header;
    this.#byNonce.set(nonce, pending);
    this.#inOrder = undefined;
    this.#dueAt = Math.min(this.#dueAt, validFrom);
  }

  delete(nonce: number): void {
    this.#byNonce.delete(nonce);
    this.#inOrder = undefined;
  }

  /** Highest nonce. */
  last(): number | undefined {
    return this.inOrder().at(-1)?.transaction.header.nonce;
  }

  /** By rising nonce. */
  inOrder(): readonly Pending[] {
    this.#inOrder ??= [...this.#byNonce.values()].sort(
      (a, b) => a.transaction.header.nonce - b.transaction.header.nonce,
    );
    return this.#inOrder;
  }

  /**
   * Whether the range of a transaction begins or ends with a block of this height. A range that has not begun hides any
   * other reason for which a transaction can never commit.
   */
  isDueAt(height: number): boolean {
    return this.#dueAt <= height;
  }

  /** Every transaction was checked for a block of this height. */
  noteCheck(height: number): void {
    this.isUnchecked = false;
    this.#dueAt = Number.POSITIVE_INFINITY;
    for (const { transaction } of this.#byNonce.values()) {
      const { validFrom, validUntil } = transaction.header;
      this.#dueAt = Math.min(this.#dueAt, validFrom > height ? validFrom : validUntil + 1);
    }
  }

  /** Whether the owner signs; an agent's transactions also end with their grants. */
  get isOwners(): boolean {
    return this.parts.signer === this.parts.account;
  }
}

/** Who signs for whom, in which class of actions (NON-1). */
export interface LaneParts {
  readonly account: Address;
  readonly subaccount: number;
  readonly signer: Address;
  readonly domain: Domain;
}

export function nameLane({ account, subaccount, signer, domain }: LaneParts): string {
  return `${account}/${subaccount}/${signer}/${domain}`;
}

export function lanePartsOf({ header }: Transaction): LaneParts {
  const { address, subaccount } = header.account;
  return { account: address, subaccount, signer: header.signer, domain: header.nonceDomain };
}

/** Name of the lane in which a transaction's nonce counts. */
export function laneOf({ header }: Transaction): string {
  return `${header.account.address}/${header.account.subaccount}/${header.signer}/${header.nonceDomain}`;
}

/** Admission codes that time or other transactions may lift: such a transaction may wait. */
export const MAY_WAIT: ReadonlySet<InvalidCode> = new Set<InvalidCode>(["NONCE_GAP", "NOT_YET_VALID"]);
