import { type DemandOf, NO_MARKETS } from "../authorization/demand.ts";
import { APPLIED } from "../receipts.ts";
import type { Handler, ModelAction } from "./handler.ts";

const demand: DemandOf<"noop"> = () => ({ scope: "any", markets: NO_MARKETS });

const apply: Handler<"noop"> = () => APPLIED;

export const noop: ModelAction<"noop"> = { domain: "any", demand, apply };
