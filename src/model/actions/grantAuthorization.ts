import { APPLIED } from "../receipts.ts";
import type { Handler } from "./handler.ts";

export const applyGrantAuthorization: Handler<"grantAuthorization"> = () => APPLIED;
