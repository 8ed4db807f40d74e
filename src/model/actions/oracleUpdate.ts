import { APPLIED } from "../receipts.ts";
import type { Handler } from "./handler.ts";

export const applyOracleUpdate: Handler<"oracleUpdate"> = () => APPLIED;
