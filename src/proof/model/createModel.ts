import type { Genesis } from "../../protocol/genesis.ts";
import type { Block } from "../../protocol/transaction.ts";
import { addAccount } from "./accounts.ts";
import { applyBlock, BlockSteps } from "./applyBlock.ts";
import { readDecimal } from "./arithmetic.ts";
import { newWindow } from "./margin/gates.ts";
import { createMarket } from "./market/createMarket.ts";
import { readParameters } from "./market/parameters.ts";
import type { ModelReceipt } from "./receipts.ts";
import type { Account, ModelState, ModelTools } from "./state.ts";
import { ZERO_BYTES32 } from "./words.ts";

/** A venue computed from the rulebook alone: slow, simple, and independent of the engine. */
export interface Model {
  readonly state: ModelState;
  /** Returns one receipt a transaction. The caller must pass a valid block; the model does not check it. */
  applyBlock(block: Block): ModelReceipt[];
  /**
   * Begins a block that stops after each step.
   *
   * @param done steps that were already applied to the state
   */
  beginBlock(block: Block, done?: number): BlockSteps;
}

const NO_TOOLS: ModelTools = { txId: () => ZERO_BYTES32, isKilled: () => false, draftCarried: () => undefined };

/**
 * @param tools functions that the model does not compute itself: without them grants have no ids, and nothing is
 *   carried
 * @param from the state to continue from, owned by the model from now on; without it, the state of genesis
 */
export function createModel(
  genesis: Genesis,
  tools: Partial<ModelTools> = {},
  from?: Omit<ModelState, "tools">,
): Model {
  const state =
    from === undefined ? createState(genesis, tools) : Object.assign(from, { tools: { ...NO_TOOLS, ...tools } });
  return {
    state,
    applyBlock: (block) => applyBlock(state, block),
    beginBlock: (block, done) => new BlockSteps(state, block, done),
  };
}

function createState(genesis: Genesis, tools: Partial<ModelTools>): ModelState {
  const state: ModelState = {
    genesis,
    tools: { ...NO_TOOLS, ...tools },
    height: 0,
    timeMs: genesis.timeMs,
    elapsedMs: 0,
    accounts: [],
    markets: [],
    orders: new Map(),
    intents: new Map(),
    grants: new Map(),
    lanes: new Map(),
    totals: { insurance: amountOf(genesis.insurance), fees: 0n, badDebt: 0n, inflows: 0n, withdrawals: 0n },
    cover: { day: 0, paid: new Map() },
    outflow: { hourly: newWindow(), daily: newWindow(), unpaid: 0n, pausedUntil: 0 },
    volumes: new Map(),
    committed: 0,
    sequence: 0,
    emitted: [],
    refusal: undefined,
    coveredInBlock: 0n,
  };
  state.totals.inflows = state.totals.insurance;
  for (const { name, preset, parameters } of genesis.markets) {
    const read = readParameters(preset, parameters);
    if (read === undefined) throw new Error(`genesis: the model refuses market ${name}`);
    createMarket(state, name, read);
  }
  for (const { address, subaccount, role, balance, lossLimit } of genesis.accounts) {
    const account = addAccount(state, address, subaccount, role);
    account.collateral = amountOf(balance);
    if (role === "backstop" && lossLimit !== undefined) reserveBeyond(account, amountOf(lossLimit));
    state.totals.inflows += account.collateral;
  }
  return state;
}

/** A loss limit acts as if the collateral beyond it did not exist (LIQ-3). */
function reserveBeyond(account: Account, lossLimit: bigint): void {
  if (lossLimit < account.collateral) account.reserve = account.collateral - lossLimit;
}

function amountOf(text: string): bigint {
  const amount = readDecimal(text, 6);
  if (amount === undefined) throw new Error(`genesis: ${JSON.stringify(text)} is not an amount`);
  return amount;
}
