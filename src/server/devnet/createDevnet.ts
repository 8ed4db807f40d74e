import { API_PREFIX, SOCKET_PATH, type VenueEndpoint } from "../../client/api/endpoint.ts";
import type { EventSource } from "../../product/market-data/types.ts";
import { createEndpoint } from "../face/dispatch/endpoint.ts";
import { type ListenOptions, listen } from "../face/http/listen.ts";
import { carryWebSockets } from "../face/http/webSocket.ts";
import { createService, type VenueService, type VenueServiceOptions } from "../face/service.ts";
import { connectInProcess } from "../face/socket/connectInProcess.ts";
import { SocketHub } from "../face/socket/hub.ts";
import { createHost } from "../host/createHost.ts";
import { DEVELOPMENT_AUTHORITY_KEYS } from "../host/development.ts";
import type { VenueHost } from "../host/host.ts";
import type { HostOptions } from "../host/options.ts";
import { DEVELOPMENT_ACCOUNTS, type DevelopmentAccount } from "./accounts.ts";
import { DevnetControl } from "./control.ts";
import { DevnetRequestHandler, type DevnetRequestHandlerOptions } from "./devnetRequestHandler.ts";
import { FaultPlan } from "./faults/plan.ts";
import type { Sleep } from "./faults/sleep.ts";
import { FaultyStreams } from "./faults/streams.ts";
import { type Played, type PlayOptions, playRecording } from "./feed/feed.ts";
import {
  genesisOfRecording,
  openRecording,
  pricesOfOthers,
  type Recording,
  type RecordingOptions,
} from "./feed/recording.ts";
import { createIdentity } from "./identity.ts";
import { createMakers, type MakersOptions } from "./makers.ts";
import { createDevnetGenesis, DEVNET_PRICES, type DevnetOptions, openMarkets } from "./venue.ts";

/** Settings of a development venue within a program; every one has a default. */
export interface CreateDevnetOptions extends Omit<DevnetOptions, "salt">, Pick<HostOptions, "blocks" | "policy"> {
  /**
   * Fixes the identity of the venue, so that the same calls give the same ids, hashes and roots. Its genesis has this
   * salt: 1 to 64 letters, digits, `.`, `_` and `-`, or none for the empty text. Default: a random salt and epoch, so
   * that a client of another devnet cannot reuse signatures or stream positions.
   */
  readonly networkSalt?: string;
  /** First prices of markets, in USD. Default: those of development. */
  readonly prices?: Readonly<Record<string, string>>;
  /**
   * A recording, from `openData` of `perplab/market-data`. The venue has its markets as a backtest does and starts
   * right before it; `play` replays it.
   */
  readonly data?: EventSource;
  /** Options of the recording: those of a backtest, with its defaults. */
  readonly replay?: RecordingOptions;
  /** Block time between two blocks. Default: 1,000; with a recording 1, and the given one from `play` on. */
  readonly stepMs?: number;
  /** Bots that quote around the index, 0 to 10, and their seed. Default: none. */
  readonly makers?: MakersOptions;
  /** How faults wait. Default: by timers. */
  readonly sleep?: Sleep;
  /** Options of the service: access to accounts, limits, and so on. */
  readonly service?: Omit<VenueServiceOptions, "devnet" | "now">;
}

type DevnetParts = Pick<DevnetRequestHandlerOptions, "faults" | "sleep"> & {
  readonly recording?: Recording | undefined;
  readonly stepMs?: number | undefined;
};

/** A development venue that is reachable over the network. */
export interface ListeningDevnet {
  /** Scheme, host and port. */
  readonly url: string;
  readonly restUrl: string;
  readonly socketUrl: string;
  readonly port: number;
  close(): Promise<void>;
}

/**
 * A development venue within this process, for tests. It is ready at once, stores everything in memory, and has no
 * clock but its blocks'. So the same calls with the same `networkSalt` give the same chain.
 */
export class Devnet extends DevnetControl {
  readonly host: VenueHost;
  readonly service: VenueService;
  /** Reaches it without a network, for the client's `inProcess`. */
  readonly endpoint: VenueEndpoint;
  /** Development accounts with a balance, and their public keys. */
  readonly accounts: readonly DevelopmentAccount[];
  /** Its injected faults. */
  readonly faults: FaultPlan;
  readonly #recording: Recording | undefined;
  readonly #stepMs: number | undefined;
  readonly #requestHandler: DevnetRequestHandler;
  readonly #sleep: Sleep | undefined;
  readonly #endings = new Set<() => Promise<void>>();

  constructor(
    host: VenueHost,
    service: VenueService,
    accounts: readonly DevelopmentAccount[],
    { faults = new FaultPlan(), sleep, recording, stepMs }: DevnetParts = {},
  ) {
    super(host);
    this.host = host;
    this.service = service;
    this.accounts = accounts;
    this.faults = faults;
    this.#recording = recording;
    this.#stepMs = stepMs;
    this.#sleep = sleep;
    this.#requestHandler = new DevnetRequestHandler(service, this, {
      faults,
      ...(sleep === undefined ? {} : { sleep }),
    });
    this.endpoint = createEndpoint(
      this.#requestHandler,
      connectInProcess(new FaultyStreams(service.hub, faults, sleep)),
    );
  }

  /** Serves it by HTTP as well; on loopback, at any free port, by default. */
  async listen(options: ListenOptions = {}): Promise<ListeningDevnet> {
    // A hub of its own, so that in-process streams outlive it.
    const carrier = carryWebSockets(new FaultyStreams(new SocketHub(this.service.services), this.faults, this.#sleep), {
      origins: options.cors ?? [],
      behindProxy: options.behindProxy ?? false,
    });
    const listener = await listen(this.#requestHandler, { onUpgrade: carrier.onUpgrade, ...options });
    const { url, port } = listener;
    this.service.services.lifecycle.origin = url;
    const close = async () => {
      if (!this.#endings.delete(close)) return;
      carrier.close();
      await listener.close(0);
    };
    this.#endings.add(close);
    const socketUrl = `${url.replace(/^http/, "ws")}${SOCKET_PATH}`;
    return { url, restUrl: `${url}${API_PREFIX}`, socketUrl, port, close };
  }

  /**
   * Replays the recording after the head, block by block: its prices are reported, its trades and depth are in the
   * book.
   *
   * @param options.speed of recorded time. Default: as fast as possible
   * @throws {Error} if the venue has no recording
   */
  play({ speed = Number.POSITIVE_INFINITY, ...options }: Partial<PlayOptions> = {}): Promise<Played> {
    if (this.#recording === undefined) throw new Error("there is no recording: createDevnet({ data })");
    const step = this.#stepMs === undefined ? {} : { stepMs: this.#stepMs };
    return playRecording(this.host, this.#recording, { speed, ...step, ...options });
  }

  async close(): Promise<void> {
    this.service.services.lifecycle.isDraining = true;
    await Promise.all([...this.#endings].map((end) => end()));
    await this.host.close();
  }
}

/** @throws {Error} if the described genesis is invalid */
export async function createDevnet(options: CreateDevnetOptions = {}): Promise<Devnet> {
  const { data, blocks, policy, service, sleep, makers, accounts = 10 } = options;
  const recording = data === undefined ? undefined : await openRecording(data, options.replay);
  const prices = options.prices ?? (recording === undefined ? DEVNET_PRICES : pricesOfOthers(recording));
  const { stepMs } = options;
  const { salt, epoch } = createIdentity(options.networkSalt);
  const given = recording === undefined ? options.genesis : genesisOfRecording(recording, options.genesis);
  const genesis = createDevnetGenesis({ ...options, salt, ...(given === undefined ? {} : { genesis: given }) });
  let headMs = genesis.timeMs;
  const clock = () => headMs;
  const host = createHost({
    genesis,
    epoch,
    authorityKeys: DEVELOPMENT_AUTHORITY_KEYS,
    time: { kind: "step", stepMs: recording === undefined ? (stepMs ?? 1_000) : 1 },
    clock,
    ...(blocks === undefined ? {} : { blocks }),
    ...(policy === undefined ? {} : { policy }),
  });
  host.onBlock(({ timeMs }) => {
    headMs = timeMs;
  });
  await openMarkets(host, prices);
  if (makers !== undefined) await createMakers(host, makers).start();
  const faults = new FaultPlan();
  const now = () => clock() + faults.skewMs;
  // The same calls give the same answers, cursors included; clients of this venue are trusted.
  const cursorSecret = genesis.network;
  const served = createService(host, { limits: "off", cursorSecret, ...service, devnet: true, now });
  const requestHandlerOptions = { faults, recording, stepMs, ...(sleep === undefined ? {} : { sleep }) };
  return new Devnet(host, served, DEVELOPMENT_ACCOUNTS.slice(0, accounts), requestHandlerOptions);
}
