import { expect, test } from "vitest";
import type { Amount } from "../../../../src/ground/math/fixed.ts";
import { Flow } from "../../../../src/proof/fuzz/flow/flow.ts";
import { createVenue } from "../../../../src/venue/engine/genesis.ts";
import { forkState } from "../../../../src/venue/engine/state/forkState.ts";
import type {
  AccountRow,
  AuthorizationRow,
  MarketRow,
  OrderRow,
  PositionRow,
} from "../../../../src/venue/engine/state/schema.ts";

// Goal: nothing of the venue whose memory is used stays, and nothing of its last block. Method: each derived part gets
// values that the source has not.
test("a fork in the memory of another one has none of its values", () => {
  const source = forkState(createVenue(new Flow(1).genesis));
  const spare = forkState(source);
  const [account, market, position] = [0 as AccountRow, 0 as MarketRow, 0 as PositionRow];
  const { risk, insured, clients, grants } = spare;
  risk.heaps.push(new Int32Array(16));
  risk.heapSizes.push(1);
  risk.dirty.push(account);
  risk.recording = true;
  risk.marksBefore.push(7);
  risk.sizesBefore.set(position, 7);
  risk.queueFull.add(market);
  risk.rankings.set(0, { positions: [], first: 0 });
  risk.emptied.add(position);
  insured.add(spare.timeMs, 7, account, market, 7 as Amount);
  clients.add(account, "mine", 0 as OrderRow);
  clients.log = [];
  for (const list of [grants.labels, grants.markets, grants.subaccounts, grants.agents]) list.push("0x");
  grants.rows.set("0x", 0 as AuthorizationRow);
  grants.coveredMarkets.push("all");
  grants.coveredSubaccounts.push("all");
  grants.due = 7;
  spare.totals.set(0, 7n);
  spare.marketRows.set("GONE", market);
  spare.marketNames.push("GONE");
  spare.authorityNonces[0] = 7;
  const again = forkState(source, source.genesis, spare);
  expect(again).toBe(spare);
  const fresh = forkState(source);
  for (const part of ["risk", "insured", "clients", "grants", "totals", "marketRows", "marketNames"] as const)
    expect(again[part], part).toEqual(fresh[part]);
  expect(again.authorityNonces).toEqual(fresh.authorityNonces);
  expect(again.insured.paidInBlock(7)).toBe(0n);
});
