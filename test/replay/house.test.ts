import { expect, test } from "vitest";
import { HOUSE, HOUSE_ACCOUNT } from "../../src/replay/house.ts";
import { addressFromKey } from "../../src/signing/sign.ts";

test("the house has the address of the private key 4, and a genesis has it as a house that owns nothing", () => {
  expect(HOUSE.address).toBe(addressFromKey(`0x${"4".padStart(64, "0")}`));
  expect(HOUSE_ACCOUNT).toEqual({ address: HOUSE.address, subaccount: 0, role: "house", balance: "0" });
});
