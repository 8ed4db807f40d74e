import { formatCommand } from "../../../ground/collections/commandLine.ts";
import { formatDecimal } from "../../../ground/math/decimal.ts";
import { AMOUNT_DECIMALS } from "../../../ground/math/fixed.ts";
import { type BacktestOptions, DEFAULTS, type Settings } from "../options.ts";
import { TRADE_BAR_MS } from "../tradeBars.ts";

/** The command line that makes a run again: the strategy, the data, and every setting that is not the default. */
export function formatBacktestCommand(options: BacktestOptions, settings: Settings): string {
  const words = ["backtest", settings.strategy.id];
  const add = (option: string, value: string | number) => words.push(`--${option}`, String(value));
  for (const [place, { market, file }] of options.data.manifest.sources.entries()) {
    add("data", options.dataNames?.[place] ?? `${market}=${file}`);
  }
  for (const [name, value] of Object.entries(options.params ?? {})) add("param", `${name}=${value}`);
  const deposit = formatDecimal(settings.deposit, AMOUNT_DECIMALS);
  if (deposit !== DEFAULTS.deposit) add("deposit", deposit);
  if (settings.insurance !== DEFAULTS.insurance) add("insurance", settings.insurance);
  if (settings.leverage !== DEFAULTS.leverage) add("leverage", settings.leverage);
  if (settings.margin !== DEFAULTS.margin) add("margin", settings.margin);
  if (settings.fees !== undefined) add("fees", `${settings.fees.maker}/${settings.fees.taker}`);
  if (settings.latencyMs !== DEFAULTS.latencyMs) add("latency", settings.latencyMs);
  if (settings.barMs !== TRADE_BAR_MS) add("bars", `${settings.barMs}ms`);
  if (settings.blocks !== DEFAULTS.blocks) add("blocks", settings.blocks);
  if (settings.blockMs !== DEFAULTS.blockMs) add("block", settings.blockMs);
  if (settings.spreadTicks !== DEFAULTS.spreadTicks) add("spread", settings.spreadTicks);
  const participation = formatDecimal(settings.participation, 6);
  if (participation !== DEFAULTS.participation) add("participation", participation);
  if (settings.impactTicks !== DEFAULTS.impactTicks) add("impact", settings.impactTicks);
  if (settings.intrabar !== DEFAULTS.intrabar) add("intrabar", settings.intrabar);
  if (options.tick !== undefined) add("tick", options.tick);
  if (options.lot !== undefined) add("lot", options.lot);
  for (const [name, value] of Object.entries(options.parameters ?? {})) add("set", `${name}=${value}`);
  if (options.fromMs !== undefined) add("from", new Date(options.fromMs).toISOString());
  if (options.toMs !== undefined) add("to", new Date(options.toMs).toISOString());
  if (settings.seed !== DEFAULTS.seed) add("seed", settings.seed);
  if (settings.signatures !== DEFAULTS.signatures) add("signatures", settings.signatures);
  return formatCommand(words);
}
