import { APPLIED } from "../receipts.ts";
import type { Handler } from "./handler.ts";

export const applyDevnetSet: Handler<"devnetSet"> = () => APPLIED;
