import { APPLIED } from "../receipts.ts";
import type { Handler } from "./handler.ts";

export const applyDevnetImpersonate: Handler<"devnetImpersonate"> = () => APPLIED;
