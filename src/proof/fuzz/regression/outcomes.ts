import { NOTICED } from "../../../product/scenario/expect/events.ts";
import { describeReceipt } from "../../../product/scenario/expect/receipts.ts";
import type { Flow } from "../../../product/scenario/write/payloadCells.ts";
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

/** Expectations for a block. */
export interface Expected {
  /** Outcome of each transaction. */
  readonly receipts: readonly Flow[];
  readonly events: Cells;
  readonly hasFills: boolean;
  /** Values after the block. */
  readonly values: Cells;
  /**
   * Indices of transactions that a correct venue would need in another form: the next nonce of their lane differs, or
   * venue and model differed before the block. Their numbers are written as literals.
   */
  readonly literals: readonly number[];
}

export interface OutcomeOptions {
  /**
   * Applies a block on the correct venue; undefined if the model is the reference and the blocks were played on a venue
   * that may be wrong.
   */
  readonly apply: Apply | undefined;
  readonly failure: Failure;
  /** Names of accounts. */
  readonly names: Names;
}

/**
 * Returns the outcome of each block on a correct venue. If venue and model differ, the rulebook sides with the model.
 * The file then expects the model's values for the block with the difference, if the difference is the failure, and the
 * model's receipts from there on. It expects nothing else, since no run can confirm it.
 */
export function writeOutcomes({ chronicle }: PlayedScript, { apply, failure, names }: OutcomeOptions): Expected[] {
  const state = createVenue(chronicle.genesis);
  const both = apply === undefined ? new LockStep(chronicle.genesis, "block", state) : undefined;
  const expected: Expected[] = [];
  let isUnsure = false;
  let hasDiverged = false;
  for (const block of chronicle.blocks) {
    // In the failing block, neither state shows which accounts the venue should have closed.
    if (both !== undefined && failure.kind !== "model" && block === chronicle.blocks.at(-1))
      isUnsure ||= state.positions.rows.high > 0;
    const literals = block.transactions.flatMap((transaction, index) =>
      hasDiverged || (both !== undefined && isOtherLane(state, both, transaction)) ? [index] : [],
    );
    let result: BlockResult;
    try {
      result = apply === undefined ? applyBlock(state, block, both!.probe) : apply(state, block);
    } catch {
      // The venue throws here. The model has the outcomes of this block.
      if (both === undefined) break;
      both.finish();
      expected.push({ ...describe(block, () => undefined, new Set(), both, true), literals });
      break;
    }
    const difference = both?.check(state, block);
    const kinds = new Set(readEvents(result.events, result.from, result.to).map(({ kind }) => kind));
    // Any other failure shows by itself, and an earlier difference may be a fault of the model.
    const isSharp = failure.kind === "model" && !isUnsure && difference?.difference.startsWith(FAILED) === false;
    isUnsure ||= difference !== undefined;
    const usual = describe(block, (index) => result.receipts.at(index), kinds, both, isUnsure && !isSharp);
    expected.push({ ...(isSharp ? sharpen(usual, state, block, result, both!, names) : usual), literals });
    hasDiverged ||= difference !== undefined;
  }
  return expected;
}

/** True if the lane of a transaction has another next nonce in the model. */
function isOtherLane(state: State, { model }: LockStep, transaction: Transaction): boolean {
  const { account, signer, nonceDomain: domain } = transaction.header;
  const { authority } = { authority: undefined, ...actions[transaction.action] };
  // An authority's transaction with another signer has no lane.
  if (authority !== undefined && (domain !== "system" || account.address !== state.genesis.authorities[authority]))
    return false;
  return getNextNonce(state, account, signer, domain) !== nextNonce(model.state, transaction);
}

type Outcome = Omit<Expected, "literals">;

/** Prefix of a difference if the model threw; such a difference has no values. */
const FAILED = "the model failed";

function describe(
  { transactions }: Block,
  find: (index: number) => Receipt | undefined,
  kinds: ReadonlySet<string>,
  both: LockStep | undefined,
  isUnsure: boolean,
): Outcome {
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

/** Adds the model's values for the block in which venue and model differ. */
function sharpen(
  usual: Outcome,
  state: State,
  { transactions }: Block,
  result: BlockResult,
  both: LockStep,
  names: Names,
): Outcome {
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
