import { createHash } from "node:crypto";
import { NONE } from "../../ground/collections/table.ts";
import { parseDecimal } from "../../ground/math/decimal.ts";
import { AMOUNT_DECIMALS, type Amount, PPM } from "../../ground/math/fixed.ts";
import { AccountKey } from "../../protocol/accountKey.ts";
import { EngineError } from "../../protocol/engineError.ts";
import { BALANCE_CAUSE, INSURANCE_CAUSE } from "../../protocol/events.ts";
import { type Genesis, genesisText, type Outflow } from "../../protocol/genesis.ts";
import { NONCE_WINDOW_MOST, readNonceScheme } from "../../protocol/nonceScheme.ts";
import { isParameterFault } from "../../protocol/parameterFault.ts";
import { readMarketParameters } from "../../protocol/readParameters.ts";
import { ENVELOPE_VERSION, PROTOCOL_VERSION } from "../../protocol/transaction.ts";
import { ROLE } from "../../protocol/words.ts";
import { checkGenesis, failGenesis } from "./checkGenesis.ts";
import { changeBalance, fundInsurance } from "./insurance/insurance.ts";
import { addMarket } from "./markets/addMarket.ts";
import { createAccount, findAccount } from "./state/accounts.ts";
import { State } from "./state/state.ts";
import { TOTAL } from "./state/totals.ts";
import { closeBlock, openBlock } from "./steps/blockEffects.ts";

/** Most liquidations of a block that record numbers have room for, with the backstops after them. */
const LIQUIDATIONS_MOST = 65_000;
const BACKSTOPS_MOST = 500;
/** Longest pause of withdrawals, in blocks: heights stay far below 2^53. */
const DEFICIT_BLOCKS_MOST = 1_000_000_000;

/**
 * Creates a venue at height 0. The contents of genesis are written as the effects of block 0, so that the events of a
 * chain start from nothing (EVT-3).
 *
 * @throws EngineError INVALID_GENESIS with the place of the fault
 */
export function createVenue(genesis: Genesis): State {
  if (genesis.protocolVersion !== PROTOCOL_VERSION) {
    failGenesis("protocolVersion", `is ${genesis.protocolVersion}, this is version ${PROTOCOL_VERSION}`);
  }
  if (genesis.envelopeVersion !== ENVELOPE_VERSION) {
    failGenesis(
      "envelopeVersion",
      `is ${genesis.envelopeVersion}, transactions are signed by version ${ENVELOPE_VERSION}`,
    );
  }
  checkGenesis(genesis);
  if (!(genesis.liquidationsMax >= 1 && genesis.liquidationsMax <= LIQUIDATIONS_MOST)) {
    failGenesis("liquidationsMax", `must be between 1 and ${LIQUIDATIONS_MOST}`);
  }
  checkNonces(genesis);
  genesis.accounts.forEach(({ role, balance, lossLimit }, place) => {
    if (lossLimit === undefined) return;
    if (role !== "backstop") failGenesis(`accounts[${place}].lossLimit`, "only a backstop has one");
    readAmount(lossLimit, `accounts[${place}].lossLimit`);
    readAmount(balance, `accounts[${place}].balance`);
  });
  if (genesis.accounts.filter(({ role }) => role === "backstop").length > BACKSTOPS_MOST) {
    failGenesis("accounts", `at most ${BACKSTOPS_MOST} may be backstops`);
  }
  checkOutflow(genesis.outflow);
  if (genesis.origin !== undefined) failGenesis("origin", "is of forks only; a chain does not start from one");
  const state = new State(genesis);
  state.chain.base = createHash("sha256").update(genesisText(genesis)).digest();
  openBlock(state, { height: 0, timeMs: genesis.timeMs, transactions: [] });
  const insurance = readAmount(genesis.insurance, "insurance");
  if (insurance > 0) {
    state.totals.add(TOTAL.inflows, insurance);
    fundInsurance(state, insurance, INSURANCE_CAUSE.seed, NONE, NONE);
  }
  genesis.markets.forEach(({ name, preset, parameters }, place) => {
    if (state.marketRows.has(name)) failGenesis(`markets[${place}].name`, `${name} is given twice`);
    const read = readMarketParameters(preset, parameters);
    if (isParameterFault(read)) failGenesis(`markets[${place}].parameters.${read.parameter}`, read.reason);
    else addMarket(state, name, read);
  });
  genesis.accounts.forEach(({ address, subaccount, role, balance }, place) => {
    const key = new AccountKey(address, subaccount);
    if (findAccount(state, key) !== NONE) failGenesis(`accounts[${place}]`, "is given twice");
    const account = createAccount(state, key, ROLE[role]);
    const amount = readAmount(balance, `accounts[${place}].balance`);
    if (amount === 0) return;
    state.totals.add(TOTAL.inflows, amount);
    changeBalance(state, account, amount, BALANCE_CAUSE.deposit);
    state.events.deposited({ account, amount, reference: NONE });
  });
  closeBlock(state);
  return state;
}

function checkNonces({ nonces }: Genesis): void {
  if (nonces === undefined) return;
  for (const [domain, scheme] of Object.entries(nonces)) {
    if (domain !== "trading") failGenesis(`nonces.${domain}`, "only trading lanes have a scheme of their own");
    if (typeof scheme === "string" && readNonceScheme(scheme) !== undefined) continue;
    failGenesis("nonces.trading", `must be sequential, or window:N with N from 1 to ${NONCE_WINDOW_MOST}`);
  }
}

function checkOutflow({ hourly, daily, deficitThreshold, deficitBlocks }: Outflow): void {
  for (const [name, { amount = "0", share = "0" }] of Object.entries({ hourly, daily })) {
    readAmount(amount, `outflow.${name}.amount`);
    // Shares have as many decimals as amounts: millionths.
    if (readAmount(share, `outflow.${name}.share`) > PPM) failGenesis(`outflow.${name}.share`, "must not be above 1");
  }
  readAmount(deficitThreshold, "outflow.deficitThreshold");
  if (!Number.isSafeInteger(deficitBlocks) || deficitBlocks < 0 || deficitBlocks > DEFICIT_BLOCKS_MOST) {
    failGenesis("outflow.deficitBlocks", `must be a whole number from 0 to ${DEFICIT_BLOCKS_MOST}`);
  }
}

function readAmount(text: string, place: string): Amount {
  try {
    const amount = parseDecimal(text, AMOUNT_DECIMALS);
    if (amount < 0) failGenesis(place, "must not be negative");
    return amount as Amount;
  } catch (error) {
    if (error instanceof EngineError) throw error;
    return failGenesis(place, (error as Error).message);
  }
}
