import type { Address, Bytes32 } from "../../protocol/fields.ts";
import { ZERO_BYTES32 } from "../../protocol/transaction.ts";
import { type Account, type Signer, toAccount } from "./account/account.ts";
import { type ClientClock, DEFAULT_RETRY, type RetryPolicy, systemClock } from "./clock.ts";
import { ClientError } from "./errors.ts";
import type { NetworkChange, NetworkExpectation } from "./network/expectation.ts";
import { NetworkGuard } from "./network/networkGuard.ts";
import { type LaneKey, NonceLane } from "./nonce/nonceLane.ts";
import { memoryOutbox, type Outbox, type OutboxEntry } from "./outbox/outbox.ts";
import { readMarkets, readNonce, readStatus } from "./reads.ts";
import type { Requester } from "./request.ts";
import type { Market } from "./resources.ts";
import { StreamClient } from "./socket/streamClient.ts";
import { Submission } from "./submission/submission.ts";
import type { Actor } from "./transaction/buildTransaction.ts";
import type { Transport } from "./transport/transport.ts";

/** Settings of a client; only the transport is required. */
export interface ClientOptions {
  readonly transport: Transport;
  /** Signing account. Default: none, so the client only reads. */
  readonly account?: Signer;
  /** The expected network. Default: the client pins the first network that answers. */
  readonly network?: NetworkExpectation;
  /** Acting subaccount. Default: 0. */
  readonly subaccount?: number;
  /** Owner for whom the account acts as an agent, and the grant that allows it. Default: it acts for itself. */
  readonly agentOf?: { readonly owner: Address; readonly authorization: Bytes32 };
  /** Storage of unconfirmed transactions. Default: in memory. */
  readonly outbox?: Outbox;
  /** Default validity of a transaction, in blocks. Default: 300. */
  readonly validityBlocks?: number;
  /** Greatest age of the last read of `/status` when the client signs, ms. Default: 1,000. */
  readonly statusMaxAgeMs?: number;
  /** Greatest age of the last read of `/markets` when the client signs, ms. Default: 60,000. */
  readonly marketsMaxAgeMs?: number;
  /**
   * Called once for each change of the network: another genesis, another epoch, or a chain without the block at which a
   * stream was to be resumed. The client has then dropped its state: nonces, markets, books and positions of streams.
   * Streams start again with a snapshot. The client signs nothing until `network.accept()`.
   */
  readonly onNetworkChange?: (change: NetworkChange) => void;
  readonly retry?: Partial<RetryPolicy>;
  readonly clock?: ClientClock;
}

/** State that all parts of a client share. One core has one transport, one outbox and one set of nonce lanes. */
export class ClientCore implements Requester {
  readonly transport: Transport;
  readonly clock: ClientClock;
  readonly retry: RetryPolicy;
  readonly network: NetworkGuard;
  readonly outbox: Outbox;
  readonly validityBlocks: number;
  /** Token of the wallet session, where there is one. */
  sessionToken: string | undefined;
  /** Streams of the client, over one connection. */
  readonly streams: StreamClient;
  readonly #lanes = new Map<string, NonceLane>();
  readonly #marketsMaxAgeMs: number;
  #markets: ReadonlyMap<string, Market> | undefined;
  #marketsMs = 0;
  #recovered: Promise<readonly Submission[]> | undefined;
  /** Submissions of this client without a known outcome. */
  readonly #pursued = new Map<Bytes32, Submission>();

  constructor(options: ClientOptions) {
    this.transport = options.transport;
    this.clock = options.clock ?? systemClock;
    this.retry = { ...DEFAULT_RETRY, ...options.retry };
    this.outbox = options.outbox ?? memoryOutbox();
    this.validityBlocks = options.validityBlocks ?? 300;
    this.#marketsMaxAgeMs = options.marketsMaxAgeMs ?? 60_000;
    this.streams = new StreamClient({
      transport: this.transport,
      clock: this.clock,
      retry: this.retry,
      token: () => this.sessionToken,
      onIdentity: (identity) => this.network.noteStream(identity),
      onOtherBlock: (before, now) => this.network.noteOtherBlock(before, now),
    });
    this.network = new NetworkGuard(options.network ?? {}, {
      readStatus: () => readStatus(this),
      clock: this.clock,
      maxAgeMs: options.statusMaxAgeMs ?? 1_000,
      onChange: (change) => {
        this.#dropState(change);
        options.onNetworkChange?.(change);
      },
    });
  }

  /** Drops all state that was read from the network before its change. */
  #dropState({ field }: NetworkChange): void {
    this.#markets = undefined;
    this.#recovered = undefined;
    for (const lane of this.#lanes.values()) lane.forget();
    if (field === "genesisHash") this.sessionToken = undefined;
  }

  headers = (): Readonly<Record<string, string>> =>
    this.sessionToken === undefined ? {} : { authorization: `Bearer ${this.sessionToken}` };

  onHeight = (height: number): void => this.network.noteHeight(height);

  lane({ account, subaccount, signer, domain }: LaneKey): NonceLane {
    const key = { account, subaccount, signer, domain };
    const name = `${account}/${subaccount}/${signer}/${domain}`;
    let lane = this.#lanes.get(name);
    if (lane === undefined) {
      lane = new NonceLane(key, () => readNonce(this, key));
      this.#lanes.set(name, lane);
    }
    return lane;
  }

  /** Markets by name, not older than the greatest age. */
  async markets(): Promise<ReadonlyMap<string, Market>> {
    const now = this.clock.nowMs();
    if (this.#markets === undefined || now - this.#marketsMs > this.#marketsMaxAgeMs) {
      this.#markets = new Map((await readMarkets(this)).map((market) => [market.market, market]));
      this.#marketsMs = now;
    }
    return this.#markets;
  }

  /**
   * Resumes the outbox entries of an earlier run or attempt. Before any new nonce is assigned, each transaction is
   * looked up by its id. It is sent again only if the venue does not know it.
   *
   * @param isAgain repeats it even if it ran before
   */
  recover(isAgain = false): Promise<readonly Submission[]> {
    if (isAgain || this.#recovered === undefined) {
      this.#recovered = this.#takeUp();
      this.#recovered.catch(() => {
        this.#recovered = undefined;
      });
    }
    return this.#recovered;
  }

  async #takeUp(): Promise<readonly Submission[]> {
    const entries = await this.outbox.list();
    if (entries.length === 0) return [];
    const { domain } = await this.network.check(true);
    // An entry signed for another network cannot commit here; it is left to a client of that network.
    const own = entries.filter((entry) => entry.chainId === domain.chainId && entry.genesisHash === domain.genesisHash);
    return own.map((entry) => {
      const pursued = this.#pursued.get(entry.txId);
      if (pursued !== undefined) return pursued;
      const lane = this.lane(entry);
      lane.adopt(entry.nonce);
      lane.markUncertain(entry.txId);
      return this.pursue(entry, lane, true);
    });
  }

  /**
   * Sends a recorded entry until its outcome is known.
   *
   * @param isResumed it may have been sent before
   */
  pursue(entry: OutboxEntry, lane: NonceLane, isResumed = false): Submission {
    const parts = { requester: this, network: this.network, outbox: this.outbox, lane };
    const submission = new Submission(entry, parts, isResumed);
    this.#pursued.set(entry.txId, submission);
    const end = () => this.#pursued.delete(entry.txId);
    submission.wait().then(end, end);
    return submission;
  }
}

/** Account and signer of one client. */
export class ClientActor {
  readonly account: Account | undefined;
  readonly #subaccount: number;
  readonly #agentOf: ClientOptions["agentOf"];

  constructor({ account, subaccount = 0, agentOf }: Pick<ClientOptions, "account" | "subaccount" | "agentOf">) {
    this.account = account === undefined ? undefined : toAccount(account);
    this.#subaccount = subaccount;
    this.#agentOf = agentOf;
  }

  /**
   * @param action name of the action to sign, for the message
   * @throws {ClientError} ACCOUNT_MISSING
   */
  resolve(action: string): { account: Account; actor: Actor } {
    const { account } = this;
    if (account === undefined) {
      throw new ClientError("ACCOUNT_MISSING", `${action} has to be signed: make the client with an account`, {
        action,
      });
    }
    return {
      account,
      actor: {
        owner: (this.#agentOf?.owner.toLowerCase() as Address | undefined) ?? account.address,
        subaccount: this.#subaccount,
        signer: account.address,
        authorization: this.#agentOf?.authorization ?? ZERO_BYTES32,
      },
    };
  }
}
