/** What tests of reads share: a venue with a trade, and what an answer says. */
import type { OperationId } from "../../../src/client/api/routes.ts";
import type { Address } from "../../../src/protocol/fields.ts";
import { oraclePrice, type TestClient } from "../../helpers/host.ts";
import { openTestService, type TestService } from "./service.ts";

/** A host that makes blocks on request. */
export const MANUAL = { blocks: { mode: "manual" } } as const;

/** Data of an answer that is held to its schema. */
export async function read<T = Record<string, unknown>>(
  service: TestService,
  id: OperationId,
  path: string,
): Promise<T> {
  const { body } = await service.call(id, { path });
  return (body as { data: T }).data;
}

/** Alice bought 0.4 of the 1 that Bob offers at 50,000. */
export async function openTrade() {
  const service = openTestService();
  const [alice, bob] = service.clients as [TestClient, TestClient];
  await service.host.submitSystem("oracleUpdate", oraclePrice("50000"));
  const ask = bob.order("sell", "1", "50000");
  await service.submit(ask, ask.key);
  const bid = alice.order("buy", "0.4", "50000");
  await service.submit(bid, bid.key);
  return { service, alice, bob, ask, bid };
}

/** Path of what an account has. */
export const of = ({ address }: { readonly address: Address }, resource: string) => `/accounts/${address}/${resource}`;
