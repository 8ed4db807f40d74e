import { expect, test } from "vitest";
import { isEngineError } from "../../../src/protocol/engineError.ts";
import { createGenesis } from "../../../src/protocol/genesis.ts";
import { createVenue } from "../../../src/venue/engine/genesis.ts";

const account = (change: object) => ({
  accounts: [{ address: `0x${"ab".repeat(20)}`, subaccount: 0, role: "normal", balance: "1", ...change }],
});
const market = (change: object) => ({ markets: [{ name: "A-PERP", preset: "minimal", parameters: {}, ...change }] });

function findPlace(given: object): string | undefined {
  try {
    createVenue(createGenesis(given));
  } catch (error) {
    if (isEngineError(error, "INVALID_GENESIS")) return error.details.place;
    throw error;
  }
  return undefined;
}

// A hand-written file may hold anything: a field of another type is refused with its place, and never read as text.
test.each([
  ["network", { network: "" }],
  ["network", { network: "x".repeat(65) }],
  ["chainId", { chainId: "1" }],
  ["envelopeVersion", { envelopeVersion: -1 }],
  ["envelopeVersion", { envelopeVersion: 2 }],
  ["validityMax", { validityMax: Number.NaN }],
  ["intentsMax", { intentsMax: -1 }],
  ["liquidationsMax", { liquidationsMax: 1.5 }],
  ["authorities", { authorities: ["0x"] }],
  ["authorities.faucet", { authorities: { oracle: `0x${"a1".repeat(20)}`, faucet: "0xa2", operator: "" } }],
  ["features.agents", { features: { agents: "no" } }],
  ["insurance", { insurance: ["1"] }],
  ["nonces", { nonces: "window:5" }],
  ["markets", { markets: {} }],
  ["markets[0].name", market({ name: "" })],
  ["markets[0].preset", market({ preset: ["minimal"] })],
  ["markets[0].parameters", market({ parameters: ["tickSize"] })],
  ["markets[0].parameters.tickSize", market({ parameters: { tickSize: 1 } })],
  ["accounts", { accounts: "x" }],
  ["accounts[0].address", account({ address: [`0x${"ab".repeat(20)}`] })],
  ["accounts[0].subaccount", account({ subaccount: -1 })],
  ["accounts[0].subaccount", account({ subaccount: 2 ** 32 })],
  ["accounts[0].role", account({ role: "king" })],
  ["accounts[0].role", account({ role: ["house"] })],
  ["accounts[0].balance", account({ balance: 1 })],
  ["accounts[0].lossLimit", account({ role: "backstop", lossLimit: ["1"] })],
  ["outflow.hourly", { outflow: { hourly: null } }],
  ["outflow.daily.share", { outflow: { daily: { share: 1 } } }],
  ["outflow.deficitThreshold", { outflow: { deficitThreshold: ["0"] } }],
])("a genesis with another kind of value in %s is refused", (place, given) => {
  expect(findPlace(given)).toBe(place);
});

test.each([
  ["the last subaccount", account({ subaccount: 2 ** 32 - 1 })],
  ["the longest name", market({ name: "x".repeat(64) })],
  ["no intents", { intentsMax: 0 }],
  ["a chain of the number 0", { chainId: 0 }],
])("%s is taken", (_name, given) => {
  expect(findPlace(given)).toBeUndefined();
});
