import { ACTION_CODES } from "../../protocol/actions/index.ts";
import { EngineError } from "../../protocol/engineError.ts";
import type { Block } from "../../protocol/transaction.ts";
import { isSystem } from "./authorization/admission.ts";
import { getHead } from "./commitment/root.ts";
import type { State } from "./state/state.ts";

/**
 * Checks that a block is valid (NET-2): height, time, parent, system transactions first, oracle updates before the
 * others.
 *
 * @returns number of system transactions at its front
 * @throws EngineError INVALID_BLOCK
 */
export function checkBlock(state: State, block: Block): number {
  const { height, timeMs, transactions, parentHash } = block;
  if (height !== state.height + 1) return fail(block, `height must be ${state.height + 1}, the parent's plus one`);
  if (!Number.isSafeInteger(timeMs) || timeMs <= state.timeMs) {
    return fail(block, `timeMs ${timeMs} must be a whole number above the parent's, ${state.timeMs}`);
  }
  if (parentHash !== undefined && parentHash !== getHead(state)) {
    return fail(block, `parentHash ${parentHash} is not the head of the effects chain, ${getHead(state)}`);
  }
  let oracles = true;
  let system = 0;
  for (let index = 0; index < transactions.length; index++) {
    const { code } = transactions[index]!;
    if (!isSystem(code)) continue;
    if (system !== index) return fail(block, `transaction ${index} is a system transaction after a user's`);
    system++;
    if (code === ACTION_CODES.oracleUpdate) {
      if (!oracles) return fail(block, `transaction ${index} is an oracle update after another system transaction`);
    } else {
      oracles = false;
    }
  }
  return system;
}

function fail(block: Block, fault: string): never {
  throw new EngineError("INVALID_BLOCK", `block ${block.height}: ${fault}`, { height: block.height, fault });
}
