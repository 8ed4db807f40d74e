import {
  type Account,
  type ClientOptions,
  createVenueClient,
  privateKeyToAccount,
} from "../../../../src/client/sdk/index.ts";
import { inProcess } from "../../../../src/client/sdk/transport/inProcess.ts";
import { parseDecimal } from "../../../../src/ground/math/decimal.ts";
import type { PriceE8 } from "../../../../src/ground/math/fixed.ts";
import type { Bytes32 } from "../../../../src/protocol/fields.ts";
import type { GenesisInit } from "../../../../src/protocol/genesis.ts";
import { createService, type VenueServiceOptions } from "../../../../src/server/face/service.ts";
import { createHost } from "../../../../src/server/host/createHost.ts";
import { DEVELOPMENT_AUTHORITY_KEYS, developmentGenesis } from "../../../../src/server/host/development.ts";
import type { HostOptions } from "../../../../src/server/host/options.ts";

export const keyOf = (number: number): Bytes32 => `0x${number.toString(16).padStart(64, "0")}`;
export const alice = privateKeyToAccount(keyOf(11));
export const bob = privateKeyToAccount(keyOf(12));

/** A venue of this process with its service, two funded accounts and a price. */
export async function openVenue(
  options: Partial<HostOptions> & { readonly given?: GenesisInit; readonly service?: VenueServiceOptions } = {},
) {
  const { given, service: serviceOptions, ...rest } = options;
  const genesis = developmentGenesis({
    accounts: [alice, bob].map(({ address }) => ({ address, subaccount: 0, role: "normal", balance: "100000" })),
    ...given,
  });
  const host = createHost({ genesis, authorityKeys: DEVELOPMENT_AUTHORITY_KEYS, ...rest });
  const service = createService(host, serviceOptions);
  const setPrice = async (price: string) => {
    await host.submitSystem("oracleUpdate", {
      market: "BTC-PERP",
      sources: [],
      price: parseDecimal(price, 8) as PriceE8,
      mark: 0 as PriceE8,
      fundingRate: 0 as never,
      settleFunding: false,
    });
    await host.mine();
  };
  await setPrice("60000");
  const clientOf = (account: Account, more: Partial<ClientOptions> = {}) =>
    createVenueClient({ transport: inProcess(service), account, ...more });
  return { host, service, setPrice, clientOf };
}
