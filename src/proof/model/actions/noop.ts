import { APPLIED } from "../receipts.ts";
import type { Handler } from "./handler.ts";

export const applyNoop: Handler<"noop"> = () => APPLIED;
