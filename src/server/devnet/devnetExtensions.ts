import type { Answering } from "../face/dispatch/answering.ts";
import type { VenueService } from "../face/service.ts";
import type { StreamHub } from "../face/socket/hub.ts";
import type { OnFaultPoint } from "../host/store/faultPoints.ts";
import type { StoreFiles } from "../host/store/files.ts";
import { DevnetControl } from "./control.ts";
import { DevnetRequestHandler } from "./devnetRequestHandler.ts";
import { FaultyFiles } from "./faults/files.ts";
import { FaultPlan } from "./faults/plan.ts";
import { FaultyStreams } from "./faults/streams.ts";

export interface DevnetExtensionsOptions {
  /** Whether control is served. */
  readonly control: boolean;
  readonly adminToken?: string | undefined;
  /** Ends the process as a power cut would. Default: SIGKILL. */
  readonly crash?: () => void;
}

/** Extensions of a served development venue. Created before its host, which may crash by a fault. */
export class DevnetExtensions {
  readonly #faults = new FaultPlan();
  readonly #options: DevnetExtensionsOptions;

  constructor(options: DevnetExtensionsOptions) {
    this.#options = options;
  }

  /** The server's clock, with the skew of a fault. */
  now = (): number => Date.now() + this.#faults.skewMs;

  /** For a store: crashes at the point of a fault. */
  onPoint: OnFaultPoint = (point) => {
    if (this.#faults.strikes(["crash"], { point }).length > 0) (this.#options.crash ?? killThis)();
  };

  /** For a store: injects disk faults. */
  wrapFiles = (files: StoreFiles): StoreFiles => new FaultyFiles(files, this.#faults);

  extend = (service: VenueService): { readonly answering: Answering; readonly streams: StreamHub } => {
    const { control, adminToken } = this.#options;
    const faults = this.#faults;
    return {
      answering: new DevnetRequestHandler(service, new DevnetControl(service.services.host), {
        faults,
        adminToken,
        hasControl: control,
      }),
      streams: new FaultyStreams(service.hub, faults),
    };
  };
}

function killThis(): void {
  process.kill(process.pid, "SIGKILL");
}
