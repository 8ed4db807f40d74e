import { NOTICED } from "../../../product/scenario/expect/events.ts";
import { describeReceipt } from "../../../product/scenario/expect/receipts.ts";
import { actions } from "../../../protocol/actions/index.ts";
import type { Receipt } from "../../../protocol/receipt.ts";
import type { Block, Transaction } from "../../../protocol/transaction.ts";
import { applyBlock, type BlockResult } from "../../../venue/engine/applyBlock.ts";
import { readEvents } from "../../../venue/engine/events/readEvents.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { Names } from "../../../venue/simulation/accountNames.ts";
import { marketsOfBlock } from "../../../venue/simulation/explain/marketsOfBlock.ts";
import { nextNonce } from "../../model/admission/nonces.ts";
import { LockStep } from "../differential/lockStep.ts";
import { getNextNonce } from "../shrink/player.ts";
import type { Apply } from "../shrink/readScript.ts";
import type { PlayedScript } from "../shrink/runner.ts";
import type { Failure } from "../shrink/signature.ts";
import { type Cells, cellOfReceipt, cellsOfEvents, cellsOfState } from "./modelCells.ts";
import type { Flow } from "./payloadCells.ts";

/** What is expected of a block. */
export interface Expected {
  /** Outcome of each transaction. */
  readonly receipts: readonly Flow[];
  readonly events: Cells;
  readonly hasFills: boolean;
  /** Values behind the block. */
  readonly values: Cells;
  /**
   * Places of the transactions for which a venue that is right would be asked otherwise: the next nonce of their lane is
   * another there, or venue and model had parted before the block. What they say counts to the number.
   */
  readonly literals: readonly number[];
}

export interface OutcomeOptions {
  /** The venue that is right; undefined where that is the model, and the blocks were played on one that may be wrong. */
  readonly apply: Apply | undefined;
  readonly failure: Failure;
  /** What accounts are called. */
  readonly names: Names;
}

/**
 * What a venue that is right makes of each block. Where venue and model part, the rulebook is with the model: what it tells
 * otherwise of that block is expected where that was found, its outcomes from there on, and nothing else, since nobody knows it.
 */
export function writeOutcomes({ chronicle }: PlayedScript, { apply, failure, names }: OutcomeOptions): Expected[] {
  const state = createVenue(chronicle.genesis);
  const both = apply === undefined ? new LockStep(chronicle.genesis, "block", state) : undefined;
  const expected: Expected[] = [];
  let isUnsure = false;
  let hasParted = false;
  for (const block of chronicle.blocks) {
    // Whom the venue should have closed in the block that fails, neither side's state says.
    if (both !== undefined && failure.kind !== "model" && block === chronicle.blocks.at(-1))
      isUnsure ||= state.positions.rows.high > 0;
    const literals = block.transactions.flatMap((transaction, index) =>
      hasParted || (both !== undefined && isOtherLane(state, both, transaction)) ? [index] : [],
    );
    let result: BlockResult;
    try {
      result = apply === undefined ? applyBlock(state, block, both!.probe) : apply(state, block);
    } catch {
      // The venue breaks down here. What it should have made of the block the model says.
      if (both === undefined) break;
      both.finish();
      expected.push({ ...describe(block, () => undefined, new Set(), both, true), literals });
      break;
    }
    const difference = both?.check(state, block);
    const kinds = new Set(readEvents(result.events, result.from, result.to).map(({ kind }) => kind));
    // Where another thing was found it shows by itself, and a difference before it may be the model's own fault.
    const isSharp = failure.kind === "model" && !isUnsure && difference?.difference.startsWith(FAILED) === false;
    isUnsure ||= difference !== undefined;
    const usual = describe(block, (index) => result.receipts.at(index), kinds, both, isUnsure && !isSharp);
    expected.push({ ...(isSharp ? sharpen(usual, state, block, result, both!, names) : usual), literals });
    hasParted ||= difference !== undefined;
  }
  return expected;
}

/** Whether the lane of a transaction is at another nonce in the model. */
function isOtherLane(state: State, { model }: LockStep, transaction: Transaction): boolean {
  const { account, signer, nonceDomain: domain } = transaction.header;
  const { authority } = { authority: undefined, ...actions[transaction.action] };
  // Where somebody else signs what an authority signs there is no lane.
  if (authority !== undefined && (domain !== "system" || account.address !== state.genesis.authorities[authority]))
    return false;
  return getNextNonce(state, account, signer, domain) !== nextNonce(model.state, transaction);
}

type Parted = Omit<Expected, "literals">;

/** How a difference begins where the model broke down: it says nothing more. */
const FAILED = "the model failed";

function describe(
  { transactions }: Block,
  find: (index: number) => Receipt | undefined,
  kinds: ReadonlySet<string>,
  both: LockStep | undefined,
  isUnsure: boolean,
): Parted {
  return {
    receipts: transactions.map((_, index) => {
      const receipt = (both?.receipts.get(index) as Receipt | undefined) ?? find(index);
      return receipt === undefined ? "applied" : describeReceipt(receipt).replace(/^applied.*/, "applied");
    }),
    events: Object.fromEntries(NOTICED.filter((kind) => isUnsure || kinds.has(kind)).map((kind) => [kind, "any"])),
    hasFills: isUnsure || kinds.has("fill"),
    values: {},
  };
}

/** With what the model tells of the block in which both part. */
function sharpen(
  usual: Parted,
  state: State,
  { transactions }: Block,
  result: BlockResult,
  both: LockStep,
  names: Names,
): Parted {
  const { model } = both;
  const { receipts, events, from, to, texts } = result;
  const { emitted } = model.state;
  const marketOf = marketsOfBlock(state, result);
  return {
    ...usual,
    receipts: usual.receipts.map((text, index) => {
      const receipt = both.receipts.get(index);
      if (receipt === undefined) return text;
      return cellOfReceipt(state, transactions[index]!, receipts.at(index), receipt) ?? text;
    }),
    events: { ...usual.events, ...cellsOfEvents(state, readEvents(events, from, to), emitted, names, texts, marketOf) },
    values: cellsOfState(state, model.state, names),
  };
}
