import { describeParams, type ParamValue, parseParams } from "../client/strategy/params.ts";
import { findNearest } from "../ground/collections/nearest.ts";
import { usageError } from "./fail.ts";
import type { PortfolioEntry } from "./portfolioFile.ts";
import { ACCOUNT_WORDS, readOption } from "./readOption.ts";

/** Settings of a command that are those of strategies of a file, over what the file gives them. */
export interface PortfolioChanges {
  /** `name@strategy=value`; without a strategy, of the only one that has the parameter. */
  readonly param?: readonly string[] | undefined;
  /** `name@strategy=value`; without a strategy, of all of them. */
  readonly account?: readonly string[] | undefined;
}

/**
 * Strategies of a file with the settings of a command.
 *
 * @throws {CliError} OPTION_INVALID
 * @throws {StrategyError} PARAM_UNKNOWN, PARAM_INVALID
 */
export async function changePortfolio(
  entries: readonly PortfolioEntry[],
  { param = [], account = [] }: PortfolioChanges,
): Promise<PortfolioEntry[]> {
  let changed = [...entries];
  for (const { own, of, value } of readChanges(entries, { param }).params) {
    changed = changed.map((entry) => (entry.options.name === of ? setParam(entry, own, value) : entry));
  }
  // What is for one strategy holds over what is for all.
  const { accounts } = readChanges(entries, { account });
  for (const { own, of, value } of [...accounts].sort(
    (a, b) => Number(b.of === undefined) - Number(a.of === undefined),
  )) {
    const options = await readOption(own, value);
    changed = changed.map((entry) =>
      of === undefined || entry.options.name === of ? { ...entry, options: { ...entry.options, ...options } } : entry,
    );
  }
  return changed;
}

/** One setting: of a strategy by its name, or of all. */
export interface PortfolioChange {
  readonly own: string;
  readonly of: string | undefined;
  readonly value: string;
}

/**
 * Reads settings and finds the strategy of each. A parameter has one.
 *
 * @throws {CliError} OPTION_INVALID
 */
export function readChanges(
  entries: readonly PortfolioEntry[],
  { param = [], account = [] }: PortfolioChanges,
): { readonly params: readonly PortfolioChange[]; readonly accounts: readonly PortfolioChange[] } {
  const params = param.map((text) => {
    const { own, of, value } = split("--param", text, "fast@bold=12");
    const name = of ?? findOwner(entries, own);
    requireStrategy("--param", entries, name);
    return { own, of: name, value };
  });
  const accounts = account.map((text) => {
    const { own, of, value } = split("--account", text, "leverage@bold=3");
    if (!ACCOUNT_WORDS.includes(own)) {
      throw usageError("OPTION_INVALID", `${JSON.stringify(own)} is not a setting of an account`, {
        place: "--account",
        hint: `settings of accounts are ${ACCOUNT_WORDS.join(", ")}`,
      });
    }
    if (of !== undefined) requireStrategy("--account", entries, of);
    return { own, of, value };
  });
  refuseRepeated("--param", params);
  refuseRepeated("--account", accounts);
  return { params, accounts };
}

function refuseRepeated(option: string, changes: readonly PortfolioChange[]): void {
  const names = changes.map(({ own, of }) => (of === undefined ? own : `${own}@${of}`));
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice === undefined) return;
  throw usageError("OPTION_INVALID", `${twice} is given twice`, { place: option, hint: "leave one of them out" });
}

function split(option: string, text: string, example: string) {
  const [, own, of, value] = /^([^=@]+)(?:@([^=]*))?=(.*)$/s.exec(text) ?? [];
  if (own !== undefined && value !== undefined) return { own, of, value };
  throw usageError("OPTION_INVALID", `${JSON.stringify(text)} is not name@strategy=value`, {
    place: option,
    hint: `for example ${option} ${example}`,
  });
}

/** The only strategy that has a parameter. */
function findOwner(entries: readonly PortfolioEntry[], own: string): string {
  const owners = listOwners(entries, own);
  if (owners.length === 1) return owners[0]!;
  const names = entries.map(({ options }) => options.name!);
  const choices = (owners.length === 0 ? names : owners).map((name) => `${own}@${name}`);
  const reason =
    owners.length === 0 ? `no strategy has a parameter ${own}` : `${own} is a parameter of ${owners.join(" and ")}`;
  throw usageError("OPTION_INVALID", reason, {
    place: "--param",
    hint: owners.length === 0 ? `strategies are ${names.join(", ")}` : `write ${choices.join(" or ")}`,
  });
}

/** Names of the strategies that have a parameter. */
function listOwners(entries: readonly PortfolioEntry[], own: string): string[] {
  return entries.flatMap(({ options: { name, strategy } }) =>
    describeParams(strategy.params).some((param) => param.name === own) ? [name!] : [],
  );
}

function requireStrategy(option: string, entries: readonly PortfolioEntry[], name: string): void {
  const names = entries.map(({ options }) => options.name!);
  if (names.includes(name)) return;
  const nearest = findNearest(name, names);
  const list = `strategies are ${names.join(", ")}`;
  throw usageError("OPTION_INVALID", `there is no strategy ${JSON.stringify(name)} in the file`, {
    place: option,
    hint: nearest === undefined ? list : `did you mean ${nearest}? ${list}`,
  });
}

function setParam(entry: PortfolioEntry, own: string, value: string): PortfolioEntry {
  const { options } = entry;
  const read = parseParams(options.strategy.params, [`${own}=${value}`]) as Readonly<Record<string, ParamValue>>;
  return { ...entry, options: { ...options, params: { ...options.params, [own]: read[own]! } } };
}
