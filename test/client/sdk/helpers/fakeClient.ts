import { ClientError } from "../../../../src/client/sdk/errors.ts";
import {
  type ClientOptions,
  createVenueClient,
  privateKeyToAccount,
  type Transport,
} from "../../../../src/client/sdk/index.ts";
import { inProcess } from "../../../../src/client/sdk/transport/inProcess.ts";
import { FakeClock, FakeVenue, TimeoutFault } from "./fakeVenue.ts";

export const KEY = `0x${"1".padStart(64, "0")}` as const;
export const account = privateKeyToAccount(KEY);

/** A transport to the fake venue with the same timeouts as HTTP. */
export function fakeTransport(venue: FakeVenue): Transport {
  const transport = inProcess(venue);
  return {
    ...transport,
    async request(request) {
      try {
        return await transport.request(request);
      } catch (error) {
        if (!(error instanceof ClientError) || !(error.cause instanceof TimeoutFault)) throw error;
        const { method, path } = request;
        throw new ClientError("TIMEOUT", "too late", { method, path, timeoutMs: 10_000 });
      }
    },
  };
}

/** A client of a fake venue, with time that passes when it sleeps. */
export function createFake(options: Partial<ClientOptions> = {}) {
  const venue = new FakeVenue();
  const clock = new FakeClock();
  const client = createVenueClient({ transport: fakeTransport(venue), account, clock, ...options });
  return { venue, clock, client };
}

/** An order that the fake venue's market takes. */
export const order = { market: "BTC-PERP", side: "buy", size: "0.25", price: "60000" } as const;
