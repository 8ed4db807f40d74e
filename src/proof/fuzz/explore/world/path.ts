import type { Block } from "../../../../protocol/transaction.ts";
import { applyBlock } from "../../../../venue/engine/applyBlock.ts";
import { forkState } from "../../../../venue/engine/state/forkState.ts";
import type { State } from "../../../../venue/engine/state/state.ts";
import { LockStep } from "../../differential/lockStep.ts";
import type { Apply } from "../../shrink/readScript.ts";
import type { Point } from "../trial.ts";

/** A place in the tree of sequences: a block after those of its parent; the root has none. */
export interface Step<Node> {
  readonly parent: Node | undefined;
  readonly block: Block | undefined;
}

/**
 * Leads to states by their blocks. The states along the last sequence are kept, so a sequence that has all blocks but
 * the last in common with the one before costs one block. Memory: one venue and one model a block of a sequence.
 */
export class Path<Node extends Step<Node>> {
  readonly #start: Point;
  readonly #apply: Apply;
  readonly #nodes: Node[] = [];
  readonly #points: Point[] = [];

  /** @param start the state of the root, never changed */
  constructor(start: Point, apply: Apply = applyBlock) {
    this.#start = start;
    this.#apply = apply;
  }

  /** The venue after a node's blocks, and the model. The caller may fork both, and changes neither. */
  reach(node: Node): Point {
    const nodes = listNodes(node);
    let common = 0;
    while (common < nodes.length && this.#nodes[common] === nodes[common]) common++;
    const spares = this.#points.splice(common);
    this.#nodes.length = common;
    let point = this.#points.at(-1) ?? this.#start;
    for (const next of nodes.slice(common)) {
      point = this.#follow(point, next.block!, spares.pop()?.state);
      this.#nodes.push(next);
      this.#points.push(point);
    }
    return point;
  }

  /** The block was compared when it was tried; here the model only has to follow. */
  #follow({ state: before, model }: Point, block: Block, spare: State | undefined): Point {
    const state = forkState(before, before.genesis, spare);
    const both = model === undefined ? undefined : new LockStep(before.genesis, "block", state, model);
    this.#apply(state, block, both?.probe);
    both?.finish();
    return { state, model: both?.model.state };
  }
}

/** The nodes from the first block to a node. */
export function listNodes<Node extends Step<Node>>(node: Node): Node[] {
  const nodes: Node[] = [];
  for (let at: Node | undefined = node; at?.block !== undefined; at = at.parent) nodes.push(at);
  return nodes.reverse();
}
