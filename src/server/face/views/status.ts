import { WAIT_MS_MOST } from "../../../client/api/routes/network.ts";
import { PAGE_MOST } from "../../../client/api/schemas/common.ts";
import { BOOK_DEPTH_MOST } from "../../../client/api/schemas/markets.ts";
import type { Status } from "../../../client/api/schemas/status.ts";
import { API_VERSION, SDK_VERSIONS } from "../../../client/api/version.ts";
import { AMOUNT_DECIMALS } from "../../../ground/math/fixed.ts";
import { SIGNING_NAME, SIGNING_VERSION } from "../../../protocol/typedData.ts";
import { viewAsOf } from "../../host/asOf.ts";
import type { Services } from "../services/services.ts";

/** The settlement asset of every venue. */
export const ASSET = "USD";

/** Facts about the network that a client needs before it signs. */
export function viewStatus({ host, config, contractHash, now }: Services): Status {
  const { genesis, domain } = host;
  return {
    network: {
      name: genesis.network,
      chainId: genesis.chainId,
      genesisHash: domain.genesisHash,
      epoch: host.epoch,
      kind: config.kind,
      open: config.urls !== undefined,
      consensus: "none",
    },
    signingDomain: {
      name: SIGNING_NAME,
      version: SIGNING_VERSION,
      chainId: domain.chainId,
      salt: domain.genesisHash,
    },
    versions: {
      api: API_VERSION,
      openapiSha256: contractHash,
      protocol: [genesis.protocolVersion],
      envelope: [genesis.envelopeVersion],
      sdk: SDK_VERSIONS,
    },
    head: viewAsOf(host),
    oldestHeight: host.oldestHeight,
    mempool: { pending: host.pool.size },
    features: {
      agents: genesis.features.agents,
      accountReads: config.accountReads,
      accountStreams: config.accountStreams,
      faucet: hasFaucet(host.genesis, config),
      validators: genesis.features.validators,
      devnet: hasControl(host.genesis, config),
    },
    limits: {
      profile: config.limits,
      pageMost: PAGE_MOST,
      bookDepthMost: BOOK_DEPTH_MOST,
      confirmationWaitMsMost: WAIT_MS_MOST,
      validityBlocksMost: genesis.validityMax,
    },
    collateral: { asset: ASSET, decimals: AMOUNT_DECIMALS, simulated: config.kind !== "mainnet" },
    urls: config.urls === undefined ? null : { rest: config.urls.rest, websocket: config.urls.websocket },
    serverTimeMs: now(),
  };
}

/** Whether claims of simulated collateral are accepted: genesis and service allow it, and it is no mainnet. */
export function hasFaucet({ features }: Services["host"]["genesis"], { faucet, kind }: Services["config"]): boolean {
  return features.faucet && faucet && kind !== "mainnet";
}

/** Whether the venue may be controlled from outside. */
export function hasControl({ features }: Services["host"]["genesis"], { devnet, kind }: Services["config"]): boolean {
  return features.devnet && devnet && kind !== "mainnet";
}
