// Generated from the files of src/protocol/actions by `npm run generate`. Do not edit.
import { deposit } from "./deposit.ts";
import { faucetMint } from "./faucetMint.ts";
import { transfer } from "./transfer.ts";
import { withdraw } from "./withdraw.ts";

/** Events that one action alone emits. */
export const actionEvents = {
  ...transfer.events,
  ...withdraw.events,
  ...deposit.events,
  ...faucetMint.events,
};
