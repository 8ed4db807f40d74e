import type { MarginMode } from "../../client/strategy/context.ts";
import { isStrategyError, StrategyError } from "../../client/strategy/errors.ts";
import { type ParamValue, resolveParams } from "../../client/strategy/params.ts";
import type { AnyStrategy } from "../../client/strategy/strategy.ts";
import { formatDecimal, scanDecimal } from "../../ground/math/decimal.ts";
import { AMOUNT_DECIMALS, type Amount, LIMIT } from "../../ground/math/fixed.ts";
import { MARGIN_MODE } from "../../protocol/words.ts";
import { optionError, readWhole } from "../replay/settings.ts";
import { LINK_DEFAULTS, type LinkOptions, type LinkSettings, readLink } from "./link/link.ts";
import { STRATEGIES } from "./participants.ts";

/** Settings of an account. Money is decimal text, as a user types it. */
export interface AccountOptions extends LinkOptions {
  /** Collateral of the strategy's account at the start, USD. Default: 10000. */
  readonly deposit?: string;
  /** Whole multiple that the account chooses in every market. Default: 1. */
  readonly leverage?: number;
  /**
   * `isolated` backs each position by collateral of its own: it moves from the account with every opening fill, and a
   * liquidation takes no more. Default: `cross`.
   */
  readonly margin?: MarginMode;
  /** Of the strategy's random numbers. Default: `1`. */
  readonly seed?: string;
}

/** A strategy with its parameters. */
export interface StrategyChoice {
  readonly strategy: AnyStrategy;
  /** Over the strategy's defaults. Texts of the command line go through `parseParams` first. */
  readonly params?: Readonly<Record<string, ParamValue>>;
}

/** One of several strategies of a run, with an account of its own. What is left out, the run's options give. */
export interface StrategyOptions extends StrategyChoice, AccountOptions {
  /** Lower-case words with dashes, of which a run has no two alike. Default: the id of the strategy. */
  readonly name?: string;
}

/** A strategy of a run and its account: checked, with defaults, in integers. */
export interface StrategySettings {
  readonly name: string;
  readonly strategy: AnyStrategy;
  readonly params: Readonly<Record<string, ParamValue>>;
  readonly deposit: Amount;
  readonly leverage: number;
  readonly margin: MarginMode;
  readonly link: LinkSettings;
  readonly seed: string;
}

export const ACCOUNT_DEFAULTS = {
  deposit: "10000",
  leverage: 1,
  margin: "cross",
  ...LINK_DEFAULTS,
  seed: "1",
} as const;

/** Most strategies of a run. */
export const STRATEGIES_MOST = STRATEGIES.length;

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const NAME_MOST = 40;

/** The report calls the sum of all accounts by this name. */
export const PORTFOLIO = "portfolio";

/**
 * Checks the strategies of a run.
 *
 * @returns them by name: accounts, hooks and transactions of a block have this order, whatever order they were given in
 * @throws {ReplayError} OPTION_INVALID
 * @throws {StrategyError} PARAM_UNKNOWN, PARAM_INVALID
 */
export function resolveStrategies(
  strategies: readonly StrategyOptions[],
  defaults: AccountOptions,
): readonly StrategySettings[] {
  if (strategies.length === 0) throw optionError("strategies", "has no strategy");
  if (strategies.length > STRATEGIES_MOST) {
    throw optionError(
      "strategies",
      `has ${strategies.length} strategies; at most ${STRATEGIES_MOST} take part in a run`,
    );
  }
  const settings = strategies.map((one) => resolveStrategy(one, defaults, strategies.length > 1));
  const names = new Set<string>();
  for (const { name } of settings) {
    if (names.has(name)) throw optionError("strategies", `has two strategies of the name ${name}; give each its own`);
    names.add(name);
  }
  const sum = settings.reduce((total, { deposit }) => total + BigInt(deposit), 0n);
  if (sum > BigInt(LIMIT)) {
    const total = formatDecimal(sum, AMOUNT_DECIMALS);
    throw optionError("deposit", `of all strategies is ${total} USD; at most 9,000,000,000 USD together`);
  }
  return settings.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function resolveStrategy(given: StrategyOptions, defaults: AccountOptions, isOfSeveral: boolean): StrategySettings {
  const { strategy, name = strategy.id } = given;
  if (!NAME.test(name) || name.length > NAME_MOST) {
    const rule = `lower-case words with dashes, at most ${NAME_MOST} characters`;
    throw optionError("name", `${JSON.stringify(name)} of a strategy must be ${rule}`);
  }
  if (isOfSeveral && name === PORTFOLIO) {
    throw optionError("name", `${PORTFOLIO} is that of all strategies together; choose another for this one`);
  }
  // Which of several strategies an option belongs to.
  const option = (word: string) => (isOfSeveral ? `${name}.${word}` : word);
  const account = { ...ACCOUNT_DEFAULTS, ...defaults, ...withoutUndefined(given) };
  const deposit = readAmount(option("deposit"), account.deposit);
  if (deposit <= 0) throw optionError(option("deposit"), "must be positive");
  const { seed } = account;
  if (seed === "" || seed.length > 64) throw optionError(option("seed"), "must be a text of 1 to 64 characters");
  return {
    name,
    strategy,
    params: readParams(given, isOfSeveral ? name : undefined),
    deposit,
    leverage: readWhole(option("leverage"), account.leverage, 1, 1_000),
    margin: readMargin(option("margin"), account.margin),
    link: readLink(linkOf(account), option),
    seed,
  };
}

function linkOf({ latencyMs, feedLatencyMs, receiptLatencyMs, rateLimit, outages }: LinkOptions): LinkOptions {
  return { latencyMs, feedLatencyMs, receiptLatencyMs, rateLimit, outages } as LinkOptions;
}

/** @param name of one of several strategies, for the place of an error */
function readParams({ strategy, params }: StrategyChoice, name: string | undefined): StrategySettings["params"] {
  try {
    return resolveParams(strategy.params, params) as StrategySettings["params"];
  } catch (error) {
    if (name === undefined || !isStrategyError(error)) throw error;
    const { code, message, place, hint } = error;
    const where = place === undefined ? name : `${name}.${place}`;
    throw new StrategyError(code, message, { place: where, ...(hint === undefined ? {} : { hint }) });
  }
}

function withoutUndefined(given: AccountOptions): AccountOptions {
  const { deposit, leverage, margin, seed } = given;
  const all = { deposit, leverage, margin, seed, ...linkOf(given) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function readMargin(option: string, margin: MarginMode): MarginMode {
  if (Object.hasOwn(MARGIN_MODE, margin)) return margin;
  throw optionError(option, `there is no margin mode ${JSON.stringify(margin)}; give cross or isolated`);
}

/** @throws {ReplayError} OPTION_INVALID */
export function readAmount(option: string, text: string): Amount {
  const value = scanDecimal(text, AMOUNT_DECIMALS);
  if (typeof value === "number") return value as Amount;
  if (value === "range") throw optionError(option, `${JSON.stringify(text)} is too large, at most 9,000,000,000 USD`);
  throw optionError(
    option,
    `${JSON.stringify(text)} is not an amount in USD with at most ${AMOUNT_DECIMALS} decimals`,
    "write it as 1000 or 0.5",
  );
}
