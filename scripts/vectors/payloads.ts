/** What the vectors carry: at least three payloads an action, the plain one, the fullest, and one of the corners. */
import type { ActionName, JsonPayloads } from "../../src/protocol/actions/index.ts";

const other = "0x000000000000000000000000000000000000dead";
const most = "x".repeat(64);

const order = (side: "buy" | "sell", price: string): JsonPayloads["placeOrder"] => ({
  market: "BTC-PERP",
  side,
  orderType: price === "" ? "market" : "limit",
  size: "0.5",
  price,
  slippage: price === "" ? "0.01" : "",
  timeInForce: price === "" ? "IOC" : "GTT",
  goodTilHeight: price === "" ? 0 : 17,
  goodTilTime: 0,
  postOnly: "no",
  reduceOnly: false,
  selfTrade: "cancelTaker",
  selfTradeScope: "account",
  clientOrderId: "",
});

export const payloads: { readonly [A in ActionName]: readonly JsonPayloads[A][] } = {
  placeOrder: [
    {
      market: "BTC-PERP",
      side: "buy",
      orderType: "limit",
      size: "0.5",
      price: "60000.5",
      slippage: "",
      timeInForce: "GTC",
      goodTilHeight: 0,
      goodTilTime: 0,
      postOnly: "no",
      reduceOnly: false,
      selfTrade: "cancelTaker",
      selfTradeScope: "account",
      clientOrderId: "",
    },
    {
      market: most,
      side: "sell",
      orderType: "limit",
      size: "90000000",
      price: "0.00000001",
      slippage: "0.000000001",
      timeInForce: "GTT",
      goodTilHeight: 9_000_000_000_000_000,
      goodTilTime: 1_700_000_000_000,
      postOnly: "slide",
      reduceOnly: true,
      selfTrade: "decrement",
      selfTradeScope: "owner",
      clientOrderId: most,
    },
    {
      market: "ETH-PERP",
      side: "sell",
      orderType: "market",
      size: "12",
      price: "",
      slippage: "0.01",
      timeInForce: "IOC",
      goodTilHeight: 0,
      goodTilTime: 0,
      postOnly: "no",
      reduceOnly: true,
      selfTrade: "cancelMaker",
      selfTradeScope: "account",
      clientOrderId: 'quote " and \\ backslash',
    },
  ],
  placeOrders: [
    { mode: "each", orders: [] },
    { mode: "all", orders: [order("buy", "1"), order("sell", "")] },
    {
      mode: "each",
      orders: Array.from({ length: 50 }, (_, leg) => order(leg % 2 === 0 ? "buy" : "sell", `${leg + 1}`)),
    },
  ],
  amendOrder: [
    { orderId: "17", clientOrderId: "", size: "0.25", price: "", goodTilHeight: 0, goodTilTime: 0 },
    {
      orderId: "9000000000000000",
      clientOrderId: most,
      size: "90000000",
      price: "90000000",
      goodTilHeight: 5_000_000_000,
      goodTilTime: 9_000_000_000_000_000,
    },
    { orderId: "0", clientOrderId: "mine-1", size: "", price: "59999", goodTilHeight: 0, goodTilTime: 7 },
  ],
  cancelOrder: [
    { orderId: "17", clientOrderId: "" },
    { orderId: "9000000000000000", clientOrderId: most },
    { orderId: "0", clientOrderId: "mine-1" },
  ],
  cancelOrders: [
    { orderIds: ["1", "2", "9000000000000000"], clientOrderIds: [] },
    { orderIds: ["17"], clientOrderIds: ["a", "b", most] },
    { orderIds: [], clientOrderIds: [] },
  ],
  cancelAll: [{ market: "" }, { market: most }, { market: "BTC-PERP" }],
  closePosition: [
    { market: "BTC-PERP", size: "", price: "", slippage: "0.005", clientOrderId: "" },
    { market: most, size: "0.00000001", price: "0.00000001", slippage: "-0.000000001", clientOrderId: most },
    { market: "ETH-PERP", size: "3.5", price: "1800", slippage: "", clientOrderId: "out" },
  ],
  setLeverage: [
    { market: "BTC-PERP", leverage: 10 },
    { market: most, leverage: 4294967295 },
    { market: "ETH-PERP", leverage: 0 },
  ],
  transfer: [
    { to: other, toSubaccount: 0, amount: "100" },
    { to: `0x${"f".repeat(40)}`, toSubaccount: 4294967295, amount: "9000000000" },
    { to: `0x${"0".repeat(40)}`, toSubaccount: 1, amount: "0.000001" },
  ],
  withdraw: [{ amount: "250.75" }, { amount: "9000000000" }, { amount: "0" }],
  noop: [{}, {}, {}],
  oracleUpdate: [
    { market: "BTC-PERP", source: "", price: "60000.12345678", mark: "", fundingRate: "", settleFunding: false },
    {
      market: most,
      source: most,
      price: "90000000",
      mark: "0.00000001",
      fundingRate: "9000000",
      settleFunding: true,
    },
    {
      market: "ETH-PERP",
      source: "recorded",
      price: "",
      mark: "1812.5",
      fundingRate: "-0.000125",
      settleFunding: true,
    },
  ],
  deposit: [
    { to: other, toSubaccount: 0, amount: "10000", reference: "" },
    { to: `0x${"f".repeat(40)}`, toSubaccount: 4294967295, amount: "9000000000", reference: most },
    { to: `0x${"0".repeat(40)}`, toSubaccount: 1, amount: "0.000001", reference: "wire 7" },
  ],
  faucetMint: [
    { to: other, toSubaccount: 0, amount: "10000" },
    { to: `0x${"f".repeat(40)}`, toSubaccount: 4294967295, amount: "9000000000" },
    { to: `0x${"0".repeat(40)}`, toSubaccount: 1, amount: "0.000001" },
  ],
  createMarket: [
    { market: "BTC-PERP", preset: "linear", parameters: [] },
    { market: most, preset: most, parameters: [{ name: most, value: most }] },
    {
      market: "ETH-PERP",
      preset: "linear",
      parameters: [
        { name: "tickSize", value: "0.01" },
        { name: "lotSize", value: "0.001" },
      ],
    },
  ],
  updateMarket: [
    { market: "BTC-PERP", parameters: [{ name: "status", value: "halted" }] },
    {
      market: most,
      parameters: [
        { name: "b", value: "1" },
        { name: "a", value: "2" },
      ],
    },
    { market: "ETH-PERP", parameters: [] },
  ],
  fundInsurance: [{ amount: "1000000" }, { amount: "9000000000" }, { amount: "0.000001" }],
  houseFlow: [
    { market: "BTC-PERP", account: other, subaccount: 0, steps: "0x" },
    { market: most, account: `0x${"f".repeat(40)}`, subaccount: 4294967295, steps: `0x${"00ff".repeat(48)}` },
    { market: "ETH-PERP", account: other, subaccount: 1, steps: "0x00" },
  ],
};
