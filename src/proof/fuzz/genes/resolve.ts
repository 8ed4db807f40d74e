/** Effect of each operation of a gene on the block under construction. */

import { DOMAIN_OF, isSystemAction, type Payloads } from "../../../protocol/actions/index.ts";
import { encodePayload } from "../../../protocol/codec.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import { drawAuthority, drawRevival } from "./authorities.ts";
import type { BlockBuilder } from "./blockBuilder.ts";
import { applyDriver } from "./driver.ts";
import { OPERATIONS } from "./operations.ts";
import { drawPrice, reportPrice, stepPrice } from "./prices.ts";
import { getActor, getMarket, getOperation } from "./references.ts";
import { AGENT_BELOW, signSystem, signUser } from "./sign.ts";
import { drawStepToEdge } from "./times.ts";
import { drawDefault, drawUser } from "./users.ts";

/** Time to the next block, ms; 0 for the time to an edge. */
const STEPS = [1_000, 1_000, 200, 1, 5_000, 8_000, 10_000, 0, 0] as const;
/** Choice of a block that ends at an edge of time. */
export const STEP_TO_EDGE = STEPS.indexOf(0);
const GAPS = [
  ...[60_001, 60_000, 10_001, 3_600_000, 90_000_000, 3_000_000_000],
  // Volume counts for thirty days.
  ...[2_592_000_000, 2_678_400_000, 86_400_000, 20_000],
] as const;
/** Choice of a gap of this many ms. */
export const gapOf = (ms: (typeof GAPS)[number]) => GAPS.indexOf(ms);

/**
 * Applies a gene to the block.
 *
 * @returns time in ms to the next block if the gene ends the block, otherwise 0
 */
export function resolveGene(builder: BlockBuilder, genes: Uint16Array, from: number): number {
  const operation = getOperation(builder, OPERATIONS[builder.readGene(genes, from) % OPERATIONS.length]!);
  const { choices } = builder;
  switch (operation) {
    case "block": {
      const step = choices.pick(STEPS) || drawStepToEdge(builder, choices, getActor(builder, operation));
      reportWorld(builder, choices.next());
      return step;
    }
    case "gap":
      return choices.pick(GAPS);
    case "price":
      builder.oracle.push(signSystem(builder, "oracleUpdate", drawPrice(builder, getActor(builder, operation))));
      return 0;
    case "deposit":
    case "faucetMint":
    case "fundInsurance":
    case "createMarket":
    case "updateMarket":
    case "settleMarket":
    case "houseFlow":
    case "devnetSet": {
      const account = getActor(builder, operation);
      const { action, payload } = drawAuthority(builder, operation, account, getMarket(builder, account));
      builder.system.push(signSystem(builder, action, payload));
      return 0;
    }
    case "duplicate":
    case "delay":
    case "reorder":
    case "truncate":
    case "crash":
      applyDriver(builder, operation);
      return 0;
    case "devnetImpersonate":
      impersonate(builder);
      return 0;
    case "flood":
      flood(builder);
      return 0;
    default: {
      const account = getActor(builder, operation);
      const market = getMarket(builder, account, operation);
      if (isSystemAction(operation)) {
        const payload = drawDefault(builder, operation, account, market) as Payloads[typeof operation];
        builder.system.push(signSystem(builder, operation, payload));
      } else builder.users.push(signUser(builder, account, operation, drawUser(builder, operation, account, market)));
      return 0;
    }
  }
}

/** Numbers of transactions in one flood; the last exceeds any usual block. */
export const FLOODS = [16, 64, 200, 1_100] as const;

/** All accounts in turn send a noop, many times. */
function flood(builder: BlockBuilder): void {
  const { high } = builder.state.accounts.rows;
  for (let count = builder.choices.pick(FLOODS); count > 0; count--) {
    const account = ((builder.actor + count) % high) as AccountRow;
    builder.users.push(signUser(builder, account, "noop", {}));
  }
}

/** Actions that the operator of a devnet may carry for an account and whose payload needs only the market. */
const CARRIED = [
  "placeOrder",
  "cancelAll",
  "withdraw",
  "transfer",
  "setLeverage",
  "placeIntent",
  "noop",
  "closePosition",
] as const;
const MALFORMED = ["{}", "{", '{"market":""}', "\u0000"] as const;

const encoder = new TextEncoder();

/** The operator acts for an account among the users; the nonce is set when the block ends. */
function impersonate(builder: BlockBuilder): void {
  const { choices, scene, detail } = builder;
  // Without devnet it is always rejected, whatever it carries: do it rarely.
  if (!builder.profile.genesis.features.devnet && detail % 8 !== 0) return;
  const action = CARRIED[(detail >> 3) % CARRIED.length]!;
  const account = getActor(builder, action);
  const wrong = detail >= 0xf000;
  const payload = drawUser(builder, action, account, getMarket(builder, account));
  const text = wrong ? choices.pick(MALFORMED) : JSON.stringify(encodePayload(action, payload));
  const { address, subaccount } = scene.keyOf(account);
  builder.users.push(
    signSystem(builder, "devnetImpersonate", {
      account: address,
      subaccount,
      action: wrong && detail % 3 === 0 ? "fly" : action,
      payload: encoder.encode(text),
    }),
  );
  if (!builder.profile.genesis.features.devnet || wrong || builder.header >= AGENT_BELOW) return;
  scene.takeNonce(account, DOMAIN_OF[action]);
}

/**
 * Reports at the end of a block: none with choice 0, otherwise of one market, or of all after a step of their prices.
 */
function reportWorld(builder: BlockBuilder, how: number): void {
  const way = how % 8;
  if (way < 4) return;
  if (way === 7)
    for (const { action, payload } of drawRevival(builder)) builder.system.push(signSystem(builder, action, payload));
  builder.prices.forEach((path, place) => {
    const row = builder.state.marketRows.get(path.market.name);
    if (row === undefined || (way < 7 && place !== builder.market % builder.prices.length)) return;
    stepPrice(builder, path, row, builder.choices);
    builder.oracle.push(signSystem(builder, "oracleUpdate", reportPrice(builder, path)));
  });
}
