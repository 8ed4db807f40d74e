import type { SessionView } from "../../../client/strategy/sessionPort.ts";
import type { InFlight } from "../../../client/strategy/strategyAccount.ts";
import type { AccountKey } from "../../../protocol/accountKey.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import { KnownVenue } from "../account/knownVenue.ts";
import type { VenueAccount } from "../account/venueAccount.ts";
import type { VenueMarket } from "../account/venueMarket.ts";
import { takePicture, type VenuePicture } from "../account/venuePicture.ts";
import type { VenueReads } from "../account/venueReads.ts";
import { Remote, type RemoteParts } from "./remote.ts";

export interface OpenRemoteParts extends Omit<RemoteParts, "known" | "takePicture"> {
  readonly genesis: Genesis;
  readonly key: AccountKey;
  readonly sender: InFlight;
}

/** Opens the connections of the strategies of a run whose messages take time. Other runs do not load this. */
export class Remotes {
  readonly #reads: VenueReads;
  readonly #instantMs: () => number;
  /** The picture of an instant, which all of them share. */
  #picture: VenuePicture | undefined;
  #pictureMs = Number.NaN;

  /** @param instantMs time of the last instant */
  constructor(reads: VenueReads, instantMs: () => number) {
    this.#reads = reads;
    this.#instantMs = instantMs;
  }

  open({ genesis, key, sender, ...parts }: OpenRemoteParts): {
    readonly remote: Remote;
    readonly view: SessionView<VenueMarket, VenueAccount>;
  } {
    const known = new KnownVenue(genesis, key, sender);
    return { remote: new Remote({ ...parts, known, takePicture: () => this.#takePicture() }), view: known.view };
  }

  #takePicture(): VenuePicture {
    const instantMs = this.#instantMs();
    if (this.#picture === undefined || instantMs !== this.#pictureMs) this.#picture = takePicture(this.#reads);
    this.#pictureMs = instantMs;
    return this.#picture;
  }
}
