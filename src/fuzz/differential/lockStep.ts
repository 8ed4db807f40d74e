import { applyBlock } from "../../engine/applyBlock.ts";
import { digestOf } from "../../engine/digest.ts";
import { createVenue } from "../../engine/genesis.ts";
import type { Probe } from "../../engine/probe.ts";
import type { State } from "../../engine/state/state.ts";
import { createModel, type Model } from "../../model/createModel.ts";
import type { ModelReceipt } from "../../model/receipts.ts";
import type { Genesis } from "../../protocol/genesis.ts";
import type { Receipt } from "../../protocol/receipt.ts";
import type { Block } from "../../protocol/transaction.ts";
import { compareModel } from "./compareModel.ts";

/** Where venue and model first differ. */
export interface Difference {
  readonly height: number;
  /** After which step, or which transaction, of the block. */
  readonly after: string;
  readonly difference: string;
}

/** How often states are compared: after every block, or after every step and transaction of it. */
export type Grain = "block" | "step";

/** A venue and a model that apply the same blocks, and are compared as they go. */
export class LockStep {
  readonly venue: State;
  readonly model: Model;
  readonly #grain: Grain;

  constructor(genesis: Genesis, grain: Grain = "block") {
    this.venue = createVenue(genesis);
    this.model = createModel(genesis, { txId: (transaction) => digestOf(this.venue, transaction) });
    this.#grain = grain;
  }

  /** Applies a block to both; the first difference, undefined where there is none. */
  apply(block: Block): Difference | undefined {
    const steps = this.model.stepBlock(block);
    let found: Difference | undefined;
    const advance = (after: string, index?: number) => {
      if (found !== undefined) return;
      const stop = steps.next().value;
      const receipt = "step" in stop && stop.step === "transaction" ? stop.receipt : undefined;
      const difference =
        (index === undefined ? undefined : compareReceipts(this.venue.receipts.at(index), receipt)) ??
        (this.#grain === "step" ? compareModel(this.venue, this.model.state) : undefined);
      if (difference !== undefined) found = { height: block.height, after, difference };
    };
    const probe: Probe = {
      afterTransaction: (_, index) => advance(`transaction ${index} (${block.transactions[index]?.action})`, index),
      afterStep: (_, step) => advance(step),
    };
    applyBlock(this.venue, block, probe);
    if (found !== undefined) return found;
    steps.next();
    const difference = compareModel(this.venue, this.model.state);
    return difference === undefined ? undefined : { height: block.height, after: "the block", difference };
  }
}

/** Status, code and what became of orders. */
export function compareReceipts(venue: Receipt, model: ModelReceipt | undefined): string | undefined {
  const tell = (receipt: ModelReceipt | undefined) =>
    receipt === undefined
      ? "none"
      : [receipt.status, receipt.code, ...(receipt.results ?? []).map(tellResult)].filter(Boolean).join(" ");
  const [ours, theirs] = [tell(venue), tell(model)];
  return ours === theirs ? undefined : `receipt: venue ${ours}, model ${theirs}`;
}

function tellResult({ orderId, status, code }: NonNullable<ModelReceipt["results"]>[number]): string {
  return `${orderId ?? "-"}:${status}${code === undefined ? "" : `:${code}`}`;
}
