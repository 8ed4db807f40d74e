/** A folder of a host with a long past, made without signatures: a start checks none. */

import { AccountKey } from "../../src/protocol/accountKey.ts";
import { withVerdict } from "../../src/protocol/codec.ts";
import { createTransaction } from "../../src/protocol/createTransaction.ts";
import type { Bytes32 } from "../../src/protocol/fields.ts";
import { Chain } from "../../src/server/host/chain.ts";
import { DiskLedger } from "../../src/server/host/store/diskLedger.ts";
import { openFolder } from "../../src/server/host/store/files.ts";
import { createLog } from "../../src/server/host/store/openLog.ts";
import { Snapshots } from "../../src/server/host/store/snapshots.ts";
import { createVenue } from "../../src/venue/engine/genesis.ts";
import { PendingPool } from "../../src/venue/simulation/pool/pendingPool.ts";
import { benchGenesis, oraclePayload, orders } from "./serviceFlow.ts";

const BLOCK = 100;
const signature = new Uint8Array(65).fill(27);

/** Returns some of the ids, and the height of the last block. */
export async function writePast(directory: string, count: number): Promise<{ ids: Bytes32[]; head: number }> {
  const files = openFolder(directory);
  const opened = createLog(files, benchGenesis, { height: 0, epoch: 0 }, { segmentBytes: 1 << 26, roomBytes: 1 << 20 });
  const snapshots = new Snapshots(files);
  const options = { genesis: benchGenesis, keyMs: 86_400_000, clock: Date.now, cachedBlocks: 10 };
  const ledger = new DiskLedger(opened.log, opened.index, snapshots, options);
  const chain = new Chain({ genesis: benchGenesis }, createVenue(benchGenesis), new PendingPool(), ledger, 0);
  const ids: Bytes32[] = [];
  let taken = 0;
  const take = (transaction: Parameters<typeof withVerdict>[0]) => {
    const id: Bytes32 = `0x${(Math.imul(++taken, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0")}${taken.toString(16).padStart(56, "0")}`;
    const signed = { transaction: withVerdict(transaction, true), signature };
    const offer = chain.offer(signed, { id, key: id.slice(2), receivedAtMs: 1_700_000_000_000 });
    if (!offer.accepted) throw new Error(`${offer.code} ${offer.reason}`);
    if (taken % 997 === 0) ids.push(id);
  };
  const makeBlock = async () => {
    const chosen = chain.choose(chain.state.timeMs + 100);
    ledger.decide(chosen.block, chosen.ids);
    // Only the last needs to be durable before it is read.
    chain.apply(chosen);
  };
  let nonce = 0;
  const oracle = new AccountKey(benchGenesis.authorities.oracle, 0);
  for (let from = 0; from < count; from += BLOCK) {
    if (from % (BLOCK * 100) === 0) {
      take(
        createTransaction({
          action: "oracleUpdate",
          network: benchGenesis.network,
          account: oracle,
          nonce: nonce++,
          payload: oraclePayload("50000"),
          validUntil: 1_000_000,
        }),
      );
      await ledger.commit();
    }
    for (const { transaction } of orders(from, Math.min(count, from + BLOCK))) take(transaction);
    await makeBlock();
  }
  await ledger.commit();
  await snapshots.write(chain.state);
  await ledger.close();
  return { ids, head: chain.state.height };
}
