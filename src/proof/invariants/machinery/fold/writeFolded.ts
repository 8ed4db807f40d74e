import { ByteWriter } from "../../../../ground/collections/byteWriter.ts";
import { type Genesis, genesisText } from "../../../../protocol/genesis.ts";
import { readNonceScheme } from "../../../../protocol/nonceScheme.ts";
import { INTENT_COLUMNS } from "../../../../venue/engine/state/schema.ts";
import type { FoldedAccount, FoldedMarket, FoldedVenue } from "./folded.ts";

/** Cached texts: a genesis does not change, and the checks fold thousands of venues. */
const TEXTS = new WeakMap<Genesis, string>();

function textOf(genesis: Genesis): string {
  const text = TEXTS.get(genesis) ?? genesisText(genesis);
  TEXTS.set(genesis, text);
  return text;
}

/**
 * The canonical form of a folded venue (DET-3), written from its description alone. It has accounts and markets in
 * order of creation, positions by market, orders by market, side (bids from above, asks from below), and queue.
 */
export function writeFolded(venue: FoldedVenue): Uint8Array {
  const out = new ByteWriter();
  out.text("perplab state 1");
  out.text(textOf(venue.genesis));
  for (const value of [venue.height, venue.timeMs, venue.consumed, ...venue.authorityNonces]) out.f64(value);
  for (const total of [venue.insurance, venue.fees, venue.badDebt, venue.inflows, venue.withdrawals]) out.big(total);
  out.f64(venue.insured.day);
  for (const paid of [venue.insured.accounts, venue.insured.markets]) {
    out.u32(paid.size);
    for (const key of [...paid.keys()].sort((a, b) => a - b)) {
      out.f64(key);
      out.big(paid.get(key)!);
    }
  }
  out.f64(venue.pausedUntil);
  for (const { startMs, base, used } of venue.outflow) {
    out.f64(startMs);
    out.big(base);
    out.big(used);
  }
  out.u32(venue.markets.length);
  for (const market of venue.markets) writeMarket(out, market);
  out.u32(venue.accounts.length);
  for (const account of venue.accounts) writeAccount(out, account);
  writeGrants(out, venue);
  const window = readNonceScheme(venue.genesis.nonces?.trading ?? "sequential") ?? 0;
  for (const { used, nonces } of [...venue.accounts, ...venue.lanes]) writeUsed(out, used, nonces[0]!, window);
  for (const market of venue.markets) writeBook(out, venue, market);
  out.u32(venue.intents.size);
  for (const [, { values, client }] of [...venue.intents].sort(([a], [b]) => a - b)) {
    for (const column of INTENT_COLUMNS) out.f64(values[column]!);
    out.text(client);
  }
  out.u32([...venue.volumes.values()].reduce((sum, days) => sum + days.size, 0));
  for (const [owner, days] of [...venue.volumes].sort(([a], [b]) => a - b)) {
    for (const [day, volume] of [...days].sort(([a], [b]) => a - b)) {
      out.u32(owner);
      out.u32(day);
      out.f64(volume);
    }
  }
  return out.view8();
}

function writeMarket(out: ByteWriter, market: FoldedMarket): void {
  out.text(market.name);
  out.text(market.definition);
  out.f64(market.oracle);
  out.f64(market.oracleTime);
  out.f64(market.oracleConfidence);
  out.f64(market.candidate);
  out.f64(market.confirmations);
  out.f64(market.reported);
  out.f64(market.reportedTime);
  out.f64(market.restarting);
  out.f64(market.index);
  out.f64(market.mark);
  out.f64(market.basis);
  out.f64(market.last);
  out.f64(market.tradeHigh);
  out.f64(market.tradeLow);
  out.f64(market.premiumSum);
  out.f64(market.premiumHigh);
  out.f64(market.premiumSamples);
  out.f64(market.minuteSum);
  out.f64(market.minuteSamples);
  out.f64(market.sampledTime);
  out.f64(market.settledTime);
  out.f64(market.fundingRate);
  out.f64(market.fundingDue);
  out.f64(market.fundingCarry);
  out.f64(market.reportedRate);
  out.f64(market.settleReported);
  out.f64(market.dust);
  out.f64(market.initialRate);
  out.big(market.pool);
  writeIndex(out, market.funding);
  for (const { price, confidence, time } of market.sources) {
    out.f64(price);
    out.f64(confidence);
    out.f64(time);
  }
}

function writeAccount(out: ByteWriter, account: FoldedAccount): void {
  for (const word of account.words) out.u32(word);
  out.u8(account.role);
  out.f64(account.collateral);
  for (const nonce of account.nonces) out.f64(nonce);
  out.f64(account.queuedSince);
  out.f64(account.liquidation);
  out.f64(account.cancelTime);
  for (const [market, position] of [...account.positions].sort(([a], [b]) => a - b)) {
    const { signedLots, leverage, orders, mode } = position;
    if (signedLots === 0 && leverage === 0 && orders.length === 0 && mode === 0) continue;
    out.u8(1);
    out.u32(market);
    out.u32(position.leverage);
    out.u8((position.signedLots === 0 ? 0 : 1) | (mode === 0 ? 0 : 2));
    if (mode !== 0) {
      out.f64(position.isolated);
      out.f64(position.queuedSince);
      out.f64(position.liquidation);
    }
    if (position.signedLots !== 0) {
      out.f64(position.signedLots);
      out.f64(position.cost);
      writeIndex(out, position.funding);
      out.f64(position.fundingRemainder);
      out.f64(position.cooldown);
    }
    out.u32(position.orders.length);
    for (const id of position.orders.toReversed()) out.f64(id);
  }
  out.u8(0);
}

function writeGrants(out: ByteWriter, { grants, lanes }: FoldedVenue): void {
  out.u32(grants.length);
  for (const grant of grants) {
    out.u32(grant.account);
    for (const word of grant.words) out.u32(word);
    out.u8(grant.status);
    for (const term of [...grant.terms, grant.day, grant.used]) out.f64(term);
    for (const text of grant.texts) out.text(text);
  }
  out.u32(lanes.length);
  for (const lane of lanes) {
    out.u32(lane.account);
    for (const word of lane.words) out.u32(word);
    for (const nonce of lane.nonces) out.f64(nonce);
  }
}

/** For each bit of a lane's window, whether its nonce is used. */
function writeUsed(out: ByteWriter, used: ReadonlySet<number>, next: number, window: number): void {
  const words = new Array<number>(Math.ceil(window / 32)).fill(0);
  for (let nonce = next - 1; nonce >= 0 && nonce >= next - window; nonce--) {
    const bit = nonce % window;
    if (used.has(nonce)) words[bit >>> 5] = (words[bit >>> 5]! | (1 << (bit & 31))) >>> 0;
  }
  for (const word of words) out.u32(word);
}

function writeBook(out: ByteWriter, venue: FoldedVenue, market: FoldedMarket): void {
  const [bids, asks] = market.levels;
  const queues = [...[...bids].sort(([a], [b]) => b - a), ...[...asks].sort(([a], [b]) => a - b)];
  for (const id of queues.flatMap(([, ids]) => ids)) {
    const order = venue.orders.get(id)!;
    out.u8(1);
    out.f64(id);
    out.u32(order.account);
    const expires = order.goodTilHeight !== 0 || order.goodTilTime !== 0;
    out.u8(
      order.side |
        (order.reduceOnly ? 2 : 0) |
        [0, 4, 12][order.postOnly]! |
        (expires ? 16 : 0) |
        (order.grant < 0 ? 0 : 32),
    );
    out.u8(order.selfTrade + 4 * order.selfTradeScope);
    out.f64(order.price);
    out.f64(order.remaining);
    out.f64(order.filled);
    out.f64(order.orderCost);
    out.text(order.client);
    if (order.grant >= 0) out.u32(order.grant);
    if (!expires) continue;
    out.f64(order.goodTilHeight);
    out.f64(order.goodTilTime);
  }
  out.u8(0);
}

/** A cumulative funding index as its two doubles. */
function writeIndex(out: ByteWriter, index: bigint): void {
  out.u32(Number(BigInt.asUintN(32, index)));
  out.f64(Number(index >> 32n));
}
