import type { ParamValue } from "../../../client/strategy/params.ts";
import type { AnyStrategy } from "../../../client/strategy/strategy.ts";
import type { AccountOptions, StrategyOptions } from "../../../product/backtest/strategyOptions.ts";
import type { PortfolioChange } from "../../changePortfolio.ts";
import type { LoadedStrategy } from "../../loadStrategy.ts";
import { isPortfolioFile, refuseAccount } from "../../portfolioName.ts";

/** A strategy of the runs of a sweep, before a point changes it. */
export interface SweptStrategy {
  readonly name: string;
  readonly strategy: AnyStrategy;
  /** Absolute path of its module. */
  readonly path: string;
  /** Complete. */
  readonly params: Readonly<Record<string, ParamValue>>;
  /** Settings of its account that the file or the call gives; none for a strategy without a file of several. */
  readonly account: AccountOptions;
}

/** A setting of strategies that the call gives. */
export interface Given {
  /** `name@strategy`; plain for one strategy, or for all. */
  readonly name: string;
  /** As the call has it. */
  readonly text: string;
}

/** The strategies of a call, and what the call gives them. */
export interface SweptStrategies {
  /** Whether they are in a file of several. */
  readonly isFile: boolean;
  readonly list: readonly SweptStrategy[];
  /** Parameters and settings of accounts that the call gives. */
  readonly given: { readonly params: readonly Given[]; readonly accounts: readonly Given[] };
}

/** What a call names of its strategies. */
interface Words {
  readonly param?: readonly string[];
  readonly account?: readonly string[];
}

/**
 * Finds the strategies of a call: one by its name or path, or those of a file, with `--param` and `--account`.
 *
 * @throws {CliError} what loading throws; OPTION_INVALID
 * @throws {StrategyError} PARAM_UNKNOWN, PARAM_INVALID
 */
export async function readSwept(
  name: string,
  words: Words,
  load?: (name: string) => Promise<LoadedStrategy>,
): Promise<SweptStrategies> {
  return load === undefined && isPortfolioFile(name) ? readFile(name, words) : readOne(name, words, load);
}

async function readOne(
  name: string,
  { param = [], account }: Words,
  load: ((name: string) => Promise<LoadedStrategy>) | undefined,
): Promise<SweptStrategies> {
  const { parseParams } = await import("../../../client/strategy/params.ts");
  const { loadStrategy } = await import("../../loadStrategy.ts");
  if (account !== undefined) throw refuseAccount();
  const { strategy, path } = await (load ?? loadStrategy)(name);
  const params = parseParams(strategy.params, param) as SweptStrategy["params"];
  const given = param.map((text) => ({ name: text.slice(0, text.indexOf("=")), text }));
  return {
    isFile: false,
    list: [{ name: strategy.id, strategy, path, params, account: {} }],
    given: { params: given, accounts: [] },
  };
}

async function readFile(path: string, words: Words): Promise<SweptStrategies> {
  const { resolveParams } = await import("../../../client/strategy/params.ts");
  const { changePortfolio, readChanges } = await import("../../changePortfolio.ts");
  const { readPortfolioFile } = await import("../../portfolioFile.ts");
  const entries = await readPortfolioFile(path);
  const { params, accounts } = readChanges(entries, words);
  const toGiven = ({ own, of, value }: PortfolioChange): Given => {
    const isAlone = of === undefined || entries.length === 1;
    return {
      name: isAlone ? own : `${own}@${of}`,
      text: of === undefined ? `${own}=${value}` : `${own}@${of}=${value}`,
    };
  };
  const list = (await changePortfolio(entries, words)).map(({ options, path: module }): SweptStrategy => {
    const { name, strategy, params: own, ...account } = options;
    return {
      name: name!,
      strategy,
      path: module,
      params: resolveParams(strategy.params, own) as SweptStrategy["params"],
      account,
    };
  });
  return { isFile: true, list, given: { params: params.map(toGiven), accounts: accounts.map(toGiven) } };
}

/** As a run takes them. One strategy keeps the name of its id. */
export function toStrategyOptions({ isFile, list }: Pick<SweptStrategies, "isFile" | "list">): StrategyOptions[] {
  return list.map(({ name, strategy, params, account }) => ({
    ...(isFile ? { name } : {}),
    strategy,
    params,
    ...account,
  }));
}
