import { APPLIED } from "../receipts.ts";
import type { Handler } from "./handler.ts";

export const applyPlaceIntent: Handler<"placeIntent"> = () => APPLIED;
