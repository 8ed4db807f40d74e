import { AccountKey } from "../../protocol/accountKey.ts";
import type { Genesis } from "../../protocol/genesis.ts";

/** History trades through this account, in a backtest as in a development venue: the address of the private key 4. */
export const HOUSE = new AccountKey("0x1eff47bc3a10a45d4b230b5d10e37751fe6aa718", 0);

/** The house as a genesis has it. It begins without a balance; no rule reads its balance. */
export const HOUSE_ACCOUNT: Genesis["accounts"][number] = {
  address: HOUSE.address,
  subaccount: HOUSE.subaccount,
  role: "house",
  balance: "0",
};
