import fc from "fast-check";
import type { Route } from "../../../src/client/api/route.ts";
import { type DevnetRoutes, devnetRoutes } from "../../../src/client/api/routes/devnet.ts";
import { hostileJson, hostileText, hostileValue } from "./hostile.ts";
import { valuesOf } from "./valuesOf.ts";

/** Requests outside the contract: control, wallet requests, and messages to streams. */

type ControlId = keyof DevnetRoutes;
/** Excludes requests after which a venue cannot answer normally: injected faults, and blocks that are never made. */
const ASIDE: ReadonlySet<ControlId> = new Set<ControlId>(["addFault", "setBlockMode", "setClock"]);
export const CONTROL_IDS = (Object.keys(devnetRoutes) as ControlId[]).filter((id) => !ASIDE.has(id));

const known = fc.constantFrom<unknown>("BTC-PERP", "60000", "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266", 1, 5);

export interface ControlDraft {
  readonly id: ControlId;
  readonly param: string;
  readonly body: string | undefined;
}

/** A body in order, one with another value in one place, or none that is any. */
function bodyOf({ body }: Route): fc.Arbitrary<string | undefined> {
  if (body === undefined) return fc.constant(undefined);
  const good = valuesOf(body) as fc.Arbitrary<Record<string, unknown>>;
  const changed = fc
    .tuple(good, fc.nat(10), fc.oneof(hostileValue, known))
    .map(([value, pick, other]) => ({ ...value, [Object.keys(value).at(pick % 5) ?? "more"]: other }));
  return fc.oneof(good.map(write), changed.map(write), hostileJson);
}

const write = (value: unknown): string => JSON.stringify(value) ?? "";

export const arbitraryControl: fc.Arbitrary<ControlDraft> = fc
  .constantFrom(...CONTROL_IDS)
  .chain((id) => fc.record({ id: fc.constant(id), param: hostileText, body: bodyOf(devnetRoutes[id]) }))
  // As many blocks as it takes are made: a test has not the time.
  .filter(({ id, body }) => id !== "mineBlocks" || !/\d{3,}/.test(body ?? ""));

const RPC_METHODS = ["eth_chainId", "eth_accounts", "eth_signTypedData_v4", "personal_sign", "net_version", "eth_call"];

/** What a wallet asks at `/rpc`, or does not. */
export const arbitraryRpc: fc.Arbitrary<string> = fc.oneof(
  hostileJson,
  fc
    .record({
      jsonrpc: fc.constant("2.0"),
      id: hostileValue,
      method: fc.oneof(fc.constantFrom(...RPC_METHODS), hostileText),
      params: fc.oneof(hostileValue, fc.array(hostileValue, { maxLength: 3 })),
    })
    .map(write),
);

/** What is sent to a stream. */
export const arbitraryMessage: fc.Arbitrary<string> = fc.oneof(
  hostileJson,
  fc
    .record(
      {
        op: fc.oneof(fc.constantFrom("subscribe", "unsubscribe", "auth", "ping", "resync"), hostileText),
        id: hostileValue,
        channel: fc.oneof(fc.constantFrom("book", "trades", "orders", "blocks", "prices", "fills"), hostileText),
        market: fc.oneof(fc.constant("BTC-PERP"), hostileText),
        address: hostileText,
        depth: hostileValue,
        token: hostileText,
      },
      { requiredKeys: ["op"], noNullPrototype: true },
    )
    .map(write),
);
