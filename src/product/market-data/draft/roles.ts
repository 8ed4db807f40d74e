/** Names of columns in files of other origins, and the role that each name means. */

export type Role =
  | "time"
  | "closeTime"
  | "timeOfDay"
  | "open"
  | "high"
  | "low"
  | "close"
  | "volume"
  | "quoteVolume"
  | "contracts"
  | "price"
  | "size"
  | "side"
  | "buyerIsMaker"
  | "id"
  | "rate"
  | "mark"
  | "index"
  | "symbol";

/** Names by role, as `normalizeName` gives them; of several columns the one whose name comes first here is taken. */
const NAMES: Readonly<Record<Role, readonly string[]>> = {
  time: [
    ..."open_time opentime open_time_ms time_open timeopen candle_open_time start_time starttime start_at start".split(
      " ",
    ),
    ..."candle_time bar_time funding_time_ms begin begin_time candle_begin_time period_start time_period_start time_start bucket_start".split(
      " ",
    ),
    ..."timestamp_ms time_ms unix_timestamp_ms timestamp_utc unix unix_timestamp unix_time unixtime epoch".split(" "),
    ..."timestamp ts t time datetime date_time datetime_utc time_utc utc_time gmt_time date_utc utc date day dt".split(
      " ",
    ),
    ..."transact_time trade_time created_time created_at create_time when funding_time calc_time fundingtime snapped_at".split(
      " ",
    ),
    ..."开盘时间 时间 交易时间 日期 時間 日付 datum zeitstempel zeitpunkt fecha zeit".split(" "),
  ],
  closeTime: [
    ..."close_time closetime time_close timeclose end_time endtime end time_period_end period_end".split(" "),
    "收盘时间",
  ],
  timeOfDay: ["time", "时间", "時間", "zeit", "uhrzeit", "hora", "heure"],
  open: [
    ..."open o open_price price_open openprice opening_price opening first eröffnung apertura ouverture".split(" "),
    "开盘价",
    "开盘",
    "始値",
  ],
  high: [..."high h high_price price_high highprice highest max hoch máximo haut".split(" "), "最高价", "最高", "高値"],
  low: [..."low l low_price price_low lowprice lowest min tief mínimo bas".split(" "), "最低价", "最低", "安値"],
  close: [
    ..."close c close_price price_close closeprice closing_price closing close_last last schluss schlusskurs cierre clôture".split(
      " ",
    ),
    "收盘价",
    "收盘",
    "終値",
  ],
  volume: [
    ..."volume vol v base_volume basevolume volume_base base_asset_volume volume_from volumefrom volumebase".split(" "),
    ..."volccy vol_ccy volume_ccy amount qty quantity size volume_traded traded_volume".split(" "),
    ..."成交量 出来高 volumen".split(" "),
  ],
  quoteVolume: [
    ..."quote_volume quotevolume volume_quote quote_asset_volume quote_vol turnover volume_to volumeto".split(" "),
    ..."volccyquote vol_ccy_quote volume_currency volumequote quote_qty notional value amount_quote".split(" "),
    "成交额",
  ],
  contracts: "contracts contract_volume volume_contracts num_contracts lots".split(" "),
  price: [..."price px p trade_price last_price".split(" "), "价格", "成交价"],
  size: [
    ..."size sz qty quantity amount q volume vol base_qty trade_size contracts homenotional".split(" "),
    "数量",
    "成交量",
  ],
  side: [..."side taker_side direction trade_side taker_order_type s type".split(" "), "方向"],
  buyerIsMaker: "is_buyer_maker isbuyermaker buyer_is_maker buyerismaker buyer_maker was_the_buyer_the_maker m".split(
    " ",
  ),
  id: "trade_id tradeid id agg_trade_id aggtradeid tid trade_no a".split(" "),
  rate: "funding_rate fundingrate last_funding_rate funding realized_rate realised_rate rate 资金费率".split(" "),
  mark: "mark_price markprice mark mark_px".split(" "),
  index: "index_price indexprice index index_px spot_price oracle_price".split(" "),
  symbol: "symbol ticker pair instrument instrument_name instrument_id inst_id instid coin asset market".split(" "),
};

const QUOTES = /^(usdt?|usdc|busd|fdusd|tusd|usde|dai|eur|krw|jpy|gbp|try|currency|quote|ccy_quote)$/;

/** Letters of a name in lower case, with `_` for what is between them: `Volume_(BTC)` is `volume_btc`. */
export function normalizeName(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before}${after.toLowerCase()}`)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_+|_+$/g, "");
}

/** The columns whose names mean a role, the most specific first. */
export function findColumns(names: readonly string[], role: Role): number[] {
  const known = names.map(normalizeName);
  return NAMES[role].flatMap((wanted) => known.flatMap((name, index) => (name === wanted ? [index] : [])));
}

/** Columns called `Volume BTC` or `Volume USDT`, by whether the currency is one of quotes. */
export function findCurrencyVolumes(names: readonly string[]): { base: number[]; quote: number[] } {
  const base: number[] = [];
  const quote: number[] = [];
  for (const [index, name] of names.map(normalizeName).entries()) {
    const currency = /^(?:volume|vol)_([a-z0-9_]+)$/.exec(name)?.[1];
    if (currency === undefined || /^(base|from|to|traded)$/.test(currency)) continue;
    (QUOTES.test(currency) ? quote : base).push(index);
  }
  return { base, quote };
}
