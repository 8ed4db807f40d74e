import { APPLIED } from "../receipts.ts";
import type { Handler } from "./handler.ts";

export const applyWithdraw: Handler<"withdraw"> = () => APPLIED;
