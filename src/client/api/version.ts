/** Version of this contract: the OpenAPI document's. Within a major version the contract only grows. */
export const API_VERSION = "1.0.0";

/** Clients that are known to work with this contract: the oldest, and the one released with it. */
export const SDK_VERSIONS = {
  typescript: { minimum: "0.1.0", current: "0.1.0" },
  python: { minimum: "0.1.0", current: "0.1.0" },
} as const;
