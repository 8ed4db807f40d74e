import type { BlockModeSetting, ClockSetting, DevnetStatus, SnapshotInfo } from "../../client/api/schemas/devnet.ts";
import { NONE } from "../../ground/collections/table.ts";
import { formatDecimal } from "../../ground/math/decimal.ts";
import { AMOUNT_DECIMALS } from "../../ground/math/fixed.ts";
import { AccountKey } from "../../protocol/accountKey.ts";
import { ACTION_NAMES, type ActionName, actions } from "../../protocol/actions/index.ts";
import { isValidationError } from "../../protocol/errors.ts";
import type { Address, Bytes32 } from "../../protocol/fields.ts";
import { FUNDING_METHOD } from "../../protocol/words.ts";
import { findAccount } from "../../venue/engine/state/accounts.ts";
import type { MarketRow } from "../../venue/engine/state/schema.ts";
import { malformedTransaction } from "../face/problems/malformed.ts";
import { invalidField, notFound, ProblemError } from "../face/problems/problems.ts";
import { type HostError, isHostError } from "../host/errors.ts";
import type { VenueHost } from "../host/host.ts";
import type { BlockMode } from "../host/options.ts";
import { readDump, writeDump } from "../host/store/dump.ts";
import { StoreError } from "../host/store/errors.ts";
import type { TimeMode } from "../host/virtualTime.ts";
import { findMakers } from "./makers.ts";
import {
  impersonation,
  type OperatorOptions,
  type OperatorTransaction,
  operatorTransaction,
  readPayload,
} from "./operatorTransactions.ts";
import { COUNTERPARTY, planPosition } from "./position.ts";
import { Snapshots } from "./snapshots.ts";

/** Collateral of the counterparty, quote units: a billion USD. */
const RICH = 1e15;

/** The account of a control request: its address, and its subaccount, 0 by default. */
export interface Whom {
  readonly account: string;
  readonly subaccount?: number | undefined;
}

/**
 * Control of a development venue. Every change of the venue is a system transaction, signed by its authority and logged
 * like every other. Every change of the chain is made by the host, which logs it too. So the block log always replays
 * to the same root.
 */
export class DevnetControl {
  readonly #host: VenueHost;
  readonly #snapshots = new Snapshots();
  #frozen = false;

  constructor(host: VenueHost) {
    this.#host = host;
  }

  status(): DevnetStatus {
    const { state, pool, epoch, time } = this.#host;
    return {
      blocks: this.blocks,
      clock: this.clock,
      nextBlockTimeMs: time.peek(state.timeMs),
      pending: pool.size,
      epoch,
      snapshots: this.snapshots(),
    };
  }

  /** Mines blocks, the first with the pending transactions; returns the heights of the first and the last. */
  async mine({ blocks = 1, stepMs }: { blocks?: number | undefined; stepMs?: number | undefined } = {}) {
    const host = this.#host;
    const fromHeight = host.state.height + 1;
    for (let made = 0; made < blocks; made++) {
      if (stepMs !== undefined && made > 0) host.time.setNext(host.state.timeMs + stepMs);
      await host.mine();
    }
    return { fromHeight, toHeight: host.state.height };
  }

  get blocks(): BlockModeSetting {
    const { blockMode } = this.#host;
    return { ...blockMode };
  }

  setBlocks({ mode, everyMs, size }: BlockModeSetting): void {
    if (everyMs !== undefined && mode !== "interval")
      throw invalidField("body.everyMs", "mode", "goes with `interval`");
    if (size !== undefined && mode !== "batch") throw invalidField("body.size", "mode", "goes with `batch`");
    this.#host.blockMode = blockModeOf(mode, everyMs, size);
  }

  get clock(): ClockSetting {
    const { mode } = this.#host.time;
    if (this.#frozen) return { kind: "frozen" };
    return mode.kind === "wall" ? { kind: "wall", speed: mode.speed ?? 1 } : mode;
  }

  setClock({ kind, speed, stepMs }: ClockSetting): void {
    if (speed !== undefined && kind !== "wall") throw invalidField("body.speed", "kind", "goes with `wall`");
    if (stepMs !== undefined && kind !== "step") throw invalidField("body.stepMs", "kind", "goes with `step`");
    this.#frozen = kind === "frozen";
    const { time, state } = this.#host;
    time.change(timeModeOf(kind, Number(speed ?? 1), stepMs), state.timeMs);
  }

  /** Delays the next block's time by this much. */
  advance(ms: number, options?: OperatorOptions): Promise<number> {
    this.#host.time.advance(ms);
    return this.#moved(options);
  }

  /** Sets the next block's time. */
  async advanceTo(timeMs: number, options?: OperatorOptions): Promise<number> {
    const { state, time } = this.#host;
    if (timeMs <= state.timeMs) throw invalidField("body.toMs", "minimum", `must be above the head's, ${state.timeMs}`);
    time.setNext(timeMs);
    return this.#moved(options);
  }

  /** The next block ends the funding interval of a market. */
  async advanceToFunding(market: string, options?: OperatorOptions): Promise<number> {
    const { state } = this.#host;
    const { fundingMethod, fundingInterval } = state.parameters[this.#rowOf(market)]!;
    if (fundingMethod === FUNDING_METHOD.reported || fundingMethod === FUNDING_METHOD.continuous) {
      throw invalidField("body.toNextFunding", "method", "its funding is not paid at the end of intervals");
    }
    const interval: number = fundingInterval;
    return this.advanceTo((Math.floor(state.timeMs / interval) + 1) * interval, options);
  }

  /** The oracle reports a price; the venue's rules apply to its effects. */
  async report(market: string, price: string, options?: OperatorOptions): Promise<OperatorTransaction> {
    return operatorTransaction(this.#host, "oracleUpdate", readHere("oracleUpdate", { market, price }), options);
  }

  /** Reports prices one after another, each in a block of its own, `stepMs` apart. Returns the last. */
  async reportPath(market: string, path: readonly string[], stepMs?: number): Promise<OperatorTransaction> {
    const { time } = this.#host;
    let last: OperatorTransaction | undefined;
    for (const price of path) {
      if (stepMs !== undefined) time.setNext(this.#host.state.timeMs + stepMs);
      last = await this.report(market, price);
    }
    if (last === undefined) throw invalidField("body.path", "minItems", "names no price");
    return last;
  }

  /** Sets the age at which the oracle price of a market is stale; 0 for never. */
  setStaleness(market: string, afterMs: number, options?: OperatorOptions): Promise<OperatorTransaction> {
    return this.system(
      "updateMarket",
      { market, parameters: [{ name: "oracleStale", value: String(afterMs) }] },
      options,
    );
  }

  /** Sets oracle, index and mark at once. Makers quote around the price in the same block. */
  async setPrice(market: string, price: string, options?: OperatorOptions): Promise<OperatorTransaction> {
    const payload = readHere("devnetSet", { what: "price", market, price });
    const set = () => operatorTransaction(this.#host, "devnetSet", payload, options);
    const makers = findMakers(this.#host);
    const row = this.#host.state.marketRows.get(market);
    if (makers === undefined || row === undefined || options?.mine === false) return set();
    return makers.moveTo(row, payload.price, set);
  }

  /** Sets the cross collateral of an account, USD. */
  setCollateral(
    { account, subaccount = 0 }: Whom,
    amount: string,
    options?: OperatorOptions,
  ): Promise<OperatorTransaction> {
    return this.system("devnetSet", { what: "collateral", account, subaccount, amount: amountOrNone(amount) }, options);
  }

  /**
   * Gives an account a position, by a trade with a counterparty that is created for it. Both orders are impersonations
   * and obey every rule. Undefined if the account already has the position.
   *
   * @param size  units of base; negative is short
   * @param price within the spread, USD; the mark by default
   */
  async setPosition(
    { account, subaccount = 0 }: Whom,
    market: string,
    size: string,
    price?: string,
  ): Promise<OperatorTransaction | undefined> {
    const host = this.#host;
    const plan = planPosition(host.state, new AccountKey(account as Address, subaccount), market, size, price);
    if (plan === undefined) return undefined;
    const counterparty = { account: COUNTERPARTY };
    await this.#enrich(counterparty);
    const other = plan.side === "buy" ? "sell" : "buy";
    // Both at once, so that they enter one block, one after the other.
    const [, own] = await Promise.allSettled([
      this.impersonate(counterparty, "placeOrder", { ...plan, market, side: other, orderType: "limit" }),
      this.impersonate({ account, subaccount }, "placeOrder", {
        ...plan,
        market,
        orderType: "limit",
        timeInForce: "IOC",
      }),
    ]);
    if (own.status === "fulfilled") return own.value;
    await this.impersonate(counterparty, "cancelAll", { market }).catch(() => {});
    throw own.reason;
  }

  /** Acts for an account without its signature. */
  async impersonate(
    { account, subaccount = 0 }: Whom,
    action: string,
    given?: unknown,
    options?: OperatorOptions,
  ): Promise<OperatorTransaction> {
    const name = findAction(action, false);
    const payload = impersonation(account as Address, subaccount, name, readHere(name, given));
    return operatorTransaction(this.#host, "devnetImpersonate", payload, options);
  }

  /** Signs as the authority of an action. */
  async system(action: string, given?: unknown, options?: OperatorOptions): Promise<OperatorTransaction> {
    const name = findAction(action, true);
    return operatorTransaction(this.#host, name, readHere(name, given), options);
  }

  snapshot(name?: string): SnapshotInfo {
    const height = this.#host.checkpoint();
    return { name: this.#snapshots.take(height, name), height };
  }

  snapshots(): SnapshotInfo[] {
    return this.#snapshots.list();
  }

  /** Reverts to a snapshot, by its name, or to a height. Later snapshots are discarded. */
  async revert(to: string | number): Promise<{ height: number; epoch: number }> {
    const height = typeof to === "number" ? to : this.#snapshots.heightOf(to);
    if (height === undefined) throw notFound(`There is no snapshot ${JSON.stringify(to)}.`, "UNKNOWN_SNAPSHOT");
    try {
      await this.#host.revert(height);
    } catch (error) {
      if (isHostError(error, "HEIGHT_NOT_KEPT")) throw notFound(`${error.message}.`, error.code);
      throw error;
    }
    this.#snapshots.forgetAbove(height);
    return { height: this.#host.state.height, epoch: this.#host.epoch };
  }

  /** The whole venue: the file that `perplab devnet --state` loads. Pending transactions are not part of it. */
  dump(): Uint8Array {
    return writeDump(this.#host);
  }

  /**
   * Replaces this venue with a dumped one. Snapshots are discarded, pending transactions are dropped.
   *
   * @throws {ProblemError} VALIDATION_ERROR with the reason: DUMP_FORMAT, DUMP_VERSION, DUMP_CORRUPT, GENESIS_DIFFERS
   */
  async load(dump: Uint8Array): Promise<{ height: number; epoch: number }> {
    try {
      await this.#host.load(readDump(dump));
    } catch (error) {
      if (error instanceof StoreError || isHostError(error, "GENESIS_DIFFERS")) throw refusedDump(error);
      throw error;
    }
    this.#snapshots.forgetAbove(-1);
    return { height: this.#host.state.height, epoch: this.#host.epoch };
  }

  /** Drops a pending transaction. */
  async drop(txId: Bytes32): Promise<void> {
    if (!(await this.#host.drop(txId))) throw notFound("No transaction of this id is pending.", "UNKNOWN_TRANSACTION");
  }

  async #enrich(counterparty: Whom): Promise<void> {
    const { state } = this.#host;
    const row = findAccount(state, new AccountKey(COUNTERPARTY, 0));
    if (row !== NONE && state.accounts.collateral[row]! >= RICH / 2) return;
    await this.setCollateral(counterparty, formatDecimal(RICH, AMOUNT_DECIMALS));
  }

  async #moved({ mine = true }: OperatorOptions = {}): Promise<number> {
    const { time, state } = this.#host;
    if (!mine) return time.peek(state.timeMs);
    return (await this.#host.mine()).timeMs;
  }

  #rowOf(market: string): MarketRow {
    const row = this.#host.state.marketRows.get(market);
    if (row === undefined) throw notFound(`There is no market ${market}.`, "UNKNOWN_MARKET");
    return row;
  }
}

function refusedDump({ code, message }: StoreError | HostError): ProblemError {
  const errors = [{ pointer: "body.dump", rule: code, message }];
  return new ProblemError("VALIDATION_ERROR", `The dump is not loaded: ${message}.`, { reason: code, errors });
}

function blockModeOf(mode: BlockModeSetting["mode"], everyMs = 1_000, size = 1): BlockMode {
  if (mode === "interval") return { mode, everyMs };
  return mode === "batch" ? { mode, size } : { mode };
}

function timeModeOf(kind: ClockSetting["kind"], speed: number, stepMs = 1_000): TimeMode {
  if (kind === "wall") return { kind, speed };
  // Block times rise with every block, so frozen time advances by a millisecond.
  return { kind: "step", stepMs: kind === "frozen" ? 1 : stepMs };
}

/** The empty text means none; zero is not written (NUM-5). */
function amountOrNone(amount: string): string {
  return amount === "0" ? "" : amount;
}

function findAction(name: string, isSystem: boolean): ActionName {
  const action = ACTION_NAMES.find((known) => known === name);
  if (action !== undefined && "authority" in actions[action] === isSystem) return action;
  const whose = isSystem ? "authorities sign" : "users sign";
  throw invalidField("body.action", "unknownWord", `${JSON.stringify(name)} is no action that ${whose}`);
}

function readHere<A extends ActionName>(action: A, given: unknown) {
  try {
    return readPayload(action, given);
  } catch (error) {
    if (isValidationError(error)) throw malformedTransaction(error);
    throw error;
  }
}
