import { formatCommand } from "../../../ground/collections/commandLine.ts";
import { formatDecimal } from "../../../ground/math/decimal.ts";
import { AMOUNT_DECIMALS } from "../../../ground/math/fixed.ts";
import type { LinkSettings } from "../link/link.ts";
import { formatOutage } from "../link/outages.ts";
import { formatRateLimits } from "../link/rateLimit.ts";
import { type BacktestOptions, DEFAULTS, listStrategies, type PortfolioOptions, type Settings } from "../options.ts";
import { TRADE_BAR_MS } from "../tradeBars.ts";

function addLink(
  add: (option: string, value: string) => void,
  { submit, feed, receipt, rateLimits, outages }: LinkSettings,
): void {
  if (submit.constantMs !== DEFAULTS.latencyMs) add("latency", submit.name);
  if (feed.constantMs !== DEFAULTS.feedLatencyMs) add("feed-latency", feed.name);
  if (receipt.constantMs !== DEFAULTS.receiptLatencyMs) add("receipt-latency", receipt.name);
  if (rateLimits.length > 0) add("rate-limit", formatRateLimits(rateLimits));
  for (const outage of outages) add("outage", formatOutage(outage));
}

/** Name that a command has for the file of strategies, where the run was made from code. */
const PORTFOLIO_FILE = "portfolio.yaml";

/**
 * The command line that makes a run again: the strategy, the data, and every setting that is not the default. Several
 * strategies with their settings are in a file.
 */
export function formatBacktestCommand(options: BacktestOptions | PortfolioOptions, settings: Settings): string {
  const alone = settings.strategies.length === 1 ? settings.strategies[0] : undefined;
  const words = ["backtest", alone?.strategy.id ?? PORTFOLIO_FILE];
  const add = (option: string, value: string | number) => words.push(`--${option}`, String(value));
  for (const [place, { market, file }] of options.data.manifest.sources.entries()) {
    add("data", options.dataNames?.[place] ?? `${market}=${file}`);
  }
  const addUnless = <Key extends "leverage" | "margin" | "seed">(option: string, key: Key) => {
    const value: string | number | undefined = alone?.[key];
    if (value !== undefined && value !== DEFAULTS[key]) add(option, value);
  };
  if (alone !== undefined) {
    for (const [name, value] of Object.entries(listStrategies(options)[0]!.params ?? {}))
      add("param", `${name}=${value}`);
    const deposit = formatDecimal(alone.deposit, AMOUNT_DECIMALS);
    if (deposit !== DEFAULTS.deposit) add("deposit", deposit);
  }
  if (settings.insurance !== DEFAULTS.insurance) add("insurance", settings.insurance);
  addUnless("leverage", "leverage");
  addUnless("margin", "margin");
  if (settings.fees !== undefined) add("fees", `${settings.fees.maker}/${settings.fees.taker}`);
  if (alone !== undefined) addLink(add, alone.link);
  if (settings.barMs !== TRADE_BAR_MS) add("bars", `${settings.barMs}ms`);
  if (settings.blocks !== DEFAULTS.blocks) add("blocks", settings.blocks);
  if (settings.blockMs !== DEFAULTS.blockMs) add("block", settings.blockMs);
  if (settings.spreadTicks !== DEFAULTS.spreadTicks) add("spread", settings.spreadTicks);
  const participation = formatDecimal(settings.participation, 6);
  if (participation !== DEFAULTS.participation) add("participation", participation);
  if (settings.impactTicks !== DEFAULTS.impactTicks) add("impact", settings.impactTicks);
  if (settings.intrabar !== DEFAULTS.intrabar) add("intrabar", settings.intrabar);
  if (settings.queue.name !== DEFAULTS.queue) add("queue", settings.queue.name);
  if (options.tick !== undefined) add("tick", options.tick);
  if (options.lot !== undefined) add("lot", options.lot);
  for (const [name, value] of Object.entries(options.parameters ?? {})) add("set", `${name}=${value}`);
  if (options.fromMs !== undefined) add("from", new Date(options.fromMs).toISOString());
  if (options.toMs !== undefined) add("to", new Date(options.toMs).toISOString());
  addUnless("seed", "seed");
  if (settings.signatures !== DEFAULTS.signatures) add("signatures", settings.signatures);
  return formatCommand(words);
}
