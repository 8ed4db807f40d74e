import type { Bytes32 } from "../../../protocol/fields.ts";
import type { SigningDomain } from "../../../protocol/typedData.ts";
import { createDigester, type Digester } from "../../../protocol/typedDataDigest.ts";
import type { ClientClock } from "../clock.ts";
import { ClientError } from "../errors.ts";
import type { Status } from "../resources.ts";
import { compareVersions, SDK_VERSION, SUPPORTED } from "../versions.ts";
import type { NetworkChange, NetworkExpectation, NetworkIdentity, StreamedIdentity } from "./expectation.ts";

/** A network that was checked a moment ago and may be signed for. */
export interface CheckedNetwork {
  readonly identity: NetworkIdentity;
  readonly domain: SigningDomain;
  readonly digester: Digester;
  readonly protocolVersion: number;
  readonly envelopeVersion: number;
  readonly status: Status;
}

/**
 * Guards every signature: reads `/status`, refuses unlisted versions, and pins the network. Later it refuses a genesis
 * or an epoch other than the pinned one until `accept` is called. A change is reported once, whether a read, a
 * signature or a stream finds it.
 */
export class NetworkGuard {
  readonly #expected: NetworkExpectation;
  readonly #maxAgeMs: number;
  readonly #clock: ClientClock;
  readonly #readStatus: () => Promise<Status>;
  readonly #onChange: (change: NetworkChange) => void;
  #pinned: NetworkIdentity | undefined;
  /** The network that a stream named last. */
  #streamed: StreamedIdentity | undefined;
  #change: NetworkChange | undefined;
  #checked: CheckedNetwork | undefined;
  #checkedMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<CheckedNetwork> | undefined;

  constructor(
    expected: NetworkExpectation,
    parts: {
      readStatus: () => Promise<Status>;
      clock: ClientClock;
      maxAgeMs: number;
      onChange?: (change: NetworkChange) => void;
    },
  ) {
    this.#onChange = parts.onChange ?? (() => {});
    this.#expected = expected;
    this.#readStatus = parts.readStatus;
    this.#clock = parts.clock;
    this.#maxAgeMs = parts.maxAgeMs;
  }

  /** The network as it was pinned; undefined before the first answer. */
  get pinned(): NetworkIdentity | undefined {
    return this.#pinned;
  }

  /**
   * The network, not older than the greatest age.
   *
   * @param isFresh reads it again, whatever the age
   * @throws {ClientError} NETWORK_MISMATCH, NETWORK_CHANGED, VERSION_UNSUPPORTED
   */
  async check(isFresh = false): Promise<CheckedNetwork> {
    this.requireUnchanged();
    const ageMs = this.#clock.nowMs() - this.#checkedMs;
    if (!isFresh && this.#checked !== undefined && ageMs >= 0 && ageMs <= this.#maxAgeMs) return this.#checked;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** The venue has reached this height: the next signed transaction is valid from there. */
  noteHeight(height: number): void {
    const checked = this.#checked;
    if (checked === undefined || height <= checked.status.head.height) return;
    const { status } = checked;
    this.#checked = { ...checked, status: { ...status, head: { ...status.head, height } } };
  }

  /**
   * Drops the pinned network: the next answer is pinned. Transactions signed for the old network cannot commit on
   * another.
   */
  accept(): void {
    this.#pinned = undefined;
    this.#streamed = undefined;
    this.#checked = undefined;
    this.#change = undefined;
  }

  /** Change of the network since it was pinned or accepted; undefined if there is none. */
  get change(): NetworkChange | undefined {
    return this.#change;
  }

  /** @throws {ClientError} NETWORK_CHANGED, until the change is accepted */
  requireUnchanged(): void {
    if (this.#change !== undefined) throw changed(this.#change);
  }

  /** A stream reported the network: with each connection, and with each epoch. */
  noteStream(now: StreamedIdentity): void {
    const before = this.#pinned ?? this.#streamed;
    this.#streamed = now;
    if (before === undefined) return;
    for (const field of ["name", "genesisHash", "epoch"] as const) {
      if (before[field] === now[field]) continue;
      this.#report({ field, before: String(before[field]), now: String(now[field]) });
      return;
    }
  }

  /** The chain lacks a block that it had; `now` is a block that it has. */
  noteOtherBlock(before: string, now: string): void {
    this.#report({ field: "block", before, now });
  }

  #report(change: NetworkChange): void {
    const known = this.#change;
    if (known?.field === change.field && known.now === change.now) return;
    this.#change = change;
    this.#onChange(change);
  }

  async #read(): Promise<CheckedNetwork> {
    const startedMs = this.#clock.nowMs();
    const status = await this.#readStatus();
    const { name, chainId, epoch } = status.network;
    const identity = { name, chainId, genesisHash: status.network.genesisHash as Bytes32, epoch };
    this.#checkExpected(identity);
    this.#checkPinned(identity);
    const versions = checkVersions(status);
    const domain = { chainId, genesisHash: identity.genesisHash };
    this.#pinned = identity;
    this.#checked = {
      identity,
      domain,
      digester: this.#checked?.digester ?? createDigester(domain),
      ...versions,
      status,
    };
    this.#checkedMs = startedMs;
    return this.#checked;
  }

  #checkExpected(observed: NetworkIdentity): void {
    for (const field of ["name", "chainId", "genesisHash"] as const) {
      const expected = this.#expected[field];
      if (expected === undefined || expected === observed[field]) continue;
      throw new ClientError(
        "NETWORK_MISMATCH",
        `the venue's ${field} is ${observed[field]}; this client is for ${expected}`,
        { field, expected: String(expected), observed: String(observed[field]) },
      );
    }
  }

  #checkPinned(now: NetworkIdentity): void {
    const before = this.#pinned;
    if (before === undefined) return;
    for (const field of ["name", "chainId", "genesisHash", "epoch"] as const) {
      if (before[field] === now[field]) continue;
      const change = { field, before: String(before[field]), now: String(now[field]) };
      this.#report(change);
      throw changed(change);
    }
  }
}

function changed(change: NetworkChange): ClientError<"NETWORK_CHANGED"> {
  const { field, before, now } = change;
  const text =
    field === "block"
      ? `the venue's chain no longer has block ${before}`
      : `the venue's ${field} was ${before} and is ${now}`;
  return new ClientError("NETWORK_CHANGED", `${text}: read everything again, then call network.accept()`, change);
}

/** The newest version of rules and envelope that venue and client share. */
function checkVersions({ versions }: Status): { protocolVersion: number; envelopeVersion: number } {
  const { minimum } = versions.sdk.typescript;
  if (compareVersions(SDK_VERSION, minimum) < 0) throw unsupported("sdk", [`from ${minimum}`], [SDK_VERSION]);
  const api = `v${versions.api.split(".")[0]}`;
  if (!(SUPPORTED.api as readonly string[]).includes(api)) throw unsupported("api", [api], SUPPORTED.api);
  const common = (of: "protocol" | "envelope") => {
    const both = SUPPORTED[of].filter((version) => versions[of].includes(version));
    if (both.length === 0) throw unsupported(of, versions[of], SUPPORTED[of]);
    return Math.max(...both);
  };
  return { protocolVersion: common("protocol"), envelopeVersion: common("envelope") };
}

type Versions = readonly (string | number)[];

function unsupported(of: string, venue: Versions, client: Versions): ClientError<"VERSION_UNSUPPORTED"> {
  const details = { of, venue: venue.join(", "), client: client.join(", ") };
  const text = `the venue takes ${of} ${details.venue}, this client speaks ${details.client}; see docs/compatibility.md`;
  return new ClientError("VERSION_UNSUPPORTED", text, details);
}
