import { expect, test } from "vitest";
import { addressFromKey } from "../../../src/client/signing/sign.ts";
import { HOUSE, HOUSE_ACCOUNT } from "../../../src/product/replay/house.ts";

test("the house has the address of the private key 4, and a genesis has it as a house that owns nothing", () => {
  expect(HOUSE.address).toBe(addressFromKey(`0x${"4".padStart(64, "0")}`));
  expect(HOUSE_ACCOUNT).toEqual({ address: HOUSE.address, subaccount: 0, role: "house", balance: "0" });
});
