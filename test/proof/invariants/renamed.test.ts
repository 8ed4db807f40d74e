import { expect, test } from "vitest";
import { Flow } from "../../../src/proof/fuzz/flow/flow.ts";
import { AccountKey } from "../../../src/protocol/accountKey.ts";
import type { Address } from "../../../src/protocol/fields.ts";
import type { Block } from "../../../src/protocol/transaction.ts";
import { applyBlock } from "../../../src/venue/engine/applyBlock.ts";
import { createVenue } from "../../../src/venue/engine/genesis.ts";
import type { State } from "../../../src/venue/engine/state/state.ts";
import { listAccounts, listPositions } from "../../../src/venue/engine/state/walk.ts";

const ADDRESS = /0x[0-9a-f]{40}(?![0-9a-f])/g;
/** Actions that make and use grants: their ids are digests, which depend on every address. */
const GRANTS = new Set(["grantAuthorization", "revokeAuthorization"]);

/** The empty address: a field without a value (ACT-3). */
const EMPTY_ADDRESS = `0x${"0".repeat(40)}`;

/** Another address for every address that is not an authority's: one to one, and in another order. */
function renamerOf(authorities: readonly string[]) {
  const rename = (text: string) =>
    text.replace(ADDRESS, (address) => {
      if (address === EMPTY_ADDRESS || authorities.includes(address)) return address;
      return `0x${[...address.slice(2)].map((digit) => (15 - Number.parseInt(digit, 16)).toString(16)).join("")}`;
    });
  const map = (value: unknown): unknown => {
    if (typeof value === "string") return rename(value);
    if (value instanceof AccountKey) return new AccountKey(rename(value.address) as Address, value.subaccount);
    if (value instanceof Uint8Array) {
      const text = new TextDecoder().decode(value);
      return text.startsWith("{") ? new TextEncoder().encode(rename(text)) : value;
    }
    if (Array.isArray(value)) return value.map(map);
    if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, map(inner)]));
  };
  return map;
}

/** The venue without names. */
function describe({ accounts, positions, markets }: State) {
  return {
    accounts: listAccounts({ accounts } as State).map((row) => [
      accounts.collateral[row],
      accounts.role[row],
      accounts.queuedSince[row],
    ]),
    positions: listPositions({ positions } as State)
      .map((row) => [
        positions.account[row],
        positions.market[row],
        positions.signedLots[row],
        positions.cost[row],
        positions.isolated[row],
      ])
      .sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]!),
    markets: Array.from({ length: markets.rows.high }, (_, row) => markets.mark[row as never]),
  };
}

// Goal: addresses are only names. Method: the same flow again, with all addresses inverted: they
// sort in reverse order.
test("renaming all accounts changes nothing but names", () => {
  for (let seed = 1; seed <= 12; seed++) {
    const flow = new Flow(seed);
    const state = createVenue(flow.genesis);
    const map = renamerOf(Object.values(flow.genesis.authorities));
    const other = createVenue({
      ...flow.genesis,
      accounts: map(flow.genesis.accounts) as typeof flow.genesis.accounts,
    });
    for (let count = 0; count < 60; count++) {
      const drawn = flow.next(state);
      const transactions = drawn.transactions.filter(
        ({ action, header }) =>
          !GRANTS.has(action) && (header.signer === header.account.address || header.nonceDomain === "system"),
      );
      const block: Block = { ...drawn, transactions };
      const renamed = transactions.map((transaction) => ({
        ...transaction,
        header: map(transaction.header) as typeof transaction.header,
        payload: map(transaction.payload) as typeof transaction.payload,
      }));
      const { codes, count: receipts } = applyBlock(state, block).receipts;
      const again = applyBlock(other, { ...block, transactions: renamed }).receipts;
      expect([...again.codes.subarray(0, again.count)], `seed ${seed}, block ${block.height}`).toEqual([
        ...codes.subarray(0, receipts),
      ]);
    }
    expect(describe(other)).toEqual(describe(state));
  }
});
