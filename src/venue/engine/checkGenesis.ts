import { EngineError } from "../../protocol/engineError.ts";
import { TEXT_MOST } from "../../protocol/fields.ts";
import type { Genesis } from "../../protocol/genesis.ts";
import { ROLE } from "../../protocol/words.ts";

const SUBACCOUNT_MOST = 2 ** 32 - 1;
const SALT = /^[A-Za-z0-9._-]{1,64}$/;
const ADDRESS = /^0x[0-9a-f]{40}$/;

/**
 * Whether every field of a genesis has its type: a genesis may come from a file that was written by hand. Amounts,
 * parameters and schemes are checked where they are read.
 *
 * @throws EngineError INVALID_GENESIS with the place of the fault
 */
export function checkGenesis(genesis: Genesis): void {
  const { authorities, features, markets, accounts, outflow, nonces } = genesis;
  checkName(genesis.network, "network");
  for (const name of ["chainId", "timeMs", "validityMax", "intentsMax", "liquidationsMax"] as const)
    checkCount(genesis[name], name);
  checkObject(authorities, "authorities");
  for (const name of ["oracle", "faucet", "operator"] as const) checkAddress(authorities[name], `authorities.${name}`);
  checkObject(features, "features");
  for (const [name, value] of Object.entries(features))
    if (typeof value !== "boolean") failGenesis(`features.${name}`, "must be true or false");
  checkText(genesis.insurance, "insurance");
  if (nonces !== undefined) checkObject(nonces, "nonces");
  if (genesis.salt !== undefined && (typeof genesis.salt !== "string" || !SALT.test(genesis.salt)))
    failGenesis("salt", "must be 1 to 64 letters, digits, dots, underscores or hyphens");
  checkList(markets, "markets");
  markets.forEach((market, place) => {
    checkObject(market, `markets[${place}]`);
    checkName(market.name, `markets[${place}].name`);
    checkText(market.preset, `markets[${place}].preset`);
    checkObject(market.parameters, `markets[${place}].parameters`);
    for (const [name, text] of Object.entries(market.parameters))
      checkText(text, `markets[${place}].parameters.${name}`);
  });
  checkList(accounts, "accounts");
  accounts.forEach((account, place) => {
    checkObject(account, `accounts[${place}]`);
    checkAddress(account.address, `accounts[${place}].address`);
    checkCount(account.subaccount, `accounts[${place}].subaccount`, SUBACCOUNT_MOST);
    if (typeof account.role !== "string" || !Object.hasOwn(ROLE, account.role))
      failGenesis(`accounts[${place}].role`, `must be ${Object.keys(ROLE).join(", ")}`);
    checkText(account.balance, `accounts[${place}].balance`);
    if (account.lossLimit !== undefined) checkText(account.lossLimit, `accounts[${place}].lossLimit`);
  });
  checkObject(outflow, "outflow");
  checkText(outflow.deficitThreshold, "outflow.deficitThreshold");
  for (const name of ["hourly", "daily"] as const) {
    checkObject(outflow[name], `outflow.${name}`);
    const { amount = "0", share = "0" } = outflow[name];
    checkText(amount, `outflow.${name}.amount`);
    checkText(share, `outflow.${name}.share`);
  }
}

/** @throws EngineError INVALID_GENESIS */
export function failGenesis(place: string, fault: string): never {
  throw new EngineError("INVALID_GENESIS", `genesis ${place}: ${fault}`, { place, fault });
}

function checkText(value: unknown, place: string): void {
  if (typeof value !== "string") failGenesis(place, "must be text");
}

/** A name that transactions use: short printable ASCII. */
function checkName(value: unknown, place: string): void {
  if (typeof value === "string" && /^[ -~]+$/.test(value) && value.length <= TEXT_MOST) return;
  failGenesis(place, `must be text of 1 to ${TEXT_MOST} printable ASCII characters`);
}

function checkAddress(value: unknown, place: string): void {
  if (typeof value !== "string" || !ADDRESS.test(value)) failGenesis(place, "must be 0x and 40 lower-case hex digits");
}

function checkCount(value: unknown, place: string, most: number = Number.MAX_SAFE_INTEGER): void {
  if (!Number.isSafeInteger(value) || (value as number) < 0 || (value as number) > most)
    failGenesis(place, `must be a whole number from 0 to ${most}`);
}

function checkObject(value: unknown, place: string): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) failGenesis(place, "must be an object");
}

function checkList(value: unknown, place: string): void {
  if (!Array.isArray(value)) failGenesis(place, "must be a list");
}
