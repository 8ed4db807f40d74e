import { NONE } from "../../../ground/collections/table.ts";
import { AccountKey } from "../../../protocol/accountKey.ts";
import { AUTHORITIES, DOMAINS, type Domain } from "../../../protocol/action.ts";
import { DOMAIN_OF } from "../../../protocol/actions/index.ts";
import { createTransaction } from "../../../protocol/createTransaction.ts";
import type { Address, Bytes32, Field } from "../../../protocol/fields.ts";
import { type Block, type Transaction, type TxHeader, ZERO_BYTES32 } from "../../../protocol/transaction.ts";
import { applyBlock, type BlockResult } from "../../../venue/engine/applyBlock.ts";
import { getLaneNonce } from "../../../venue/engine/authorization/lanes.ts";
import { readSnapshot } from "../../../venue/engine/commitment/snapshot.ts";
import { readEvents } from "../../../venue/engine/events/readEvents.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import { findAccount } from "../../../venue/engine/state/accounts.ts";
import { forkState } from "../../../venue/engine/state/forkState.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { isAuthority } from "../../../venue/simulation/accountNames.ts";
import { marketsOfBlock } from "../../../venue/simulation/explain/marketsOfBlock.ts";
import { takesReportedMark } from "../../../venue/simulation/reportedMark.ts";
import { restoreVenue } from "../../../venue/simulation/restoreVenue.ts";
import { buildPayload, type PayloadContext } from "../compile/payload.ts";
import type { Case, PlannedBlock, PlannedStep, Relative } from "../compile/plan.ts";
import { readEventText } from "../expect/eventText.ts";
import { Faults, ScenarioError } from "../faults.ts";
import { idOfLabel, type Labelled } from "./ids.ts";
import { readAll } from "./readAll.ts";

/**
 * Payloads of steps that depend on nothing but the file: on no height, time, label or free amount. A caller that builds
 * the same blocks for many venues keeps them, and shares them among the runs of one case.
 */
export type FixedPayloads = Map<PlannedStep, object>;

/** Makes the id of a transaction. */
export type Digest = (transaction: Transaction) => Bytes32;

/** The venue that a case starts from: that of its genesis, or the stored one. */
export function openVenue({ genesis, start }: Case): State {
  return start === undefined ? createVenue(genesis) : readSnapshot(start.snapshot);
}

/**
 * A venue that a case runs through: turns planned blocks into blocks, with nonces, ids of labels and prices as they are
 * at that moment.
 */
export class CaseRun {
  readonly case: Case;
  readonly labels: Map<string, Labelled>;
  readonly #digest: Digest;
  readonly #fixed: FixedPayloads | undefined;
  #state: State;

  /**
   * @param from  a venue in the middle of the case, with the labels so far; by default the start of the case
   * @param fixed payloads of runs of the same case
   */
  constructor(plan: Case, digest: Digest, from?: Pick<CaseRun, "state" | "labels">, fixed?: FixedPayloads) {
    this.case = plan;
    this.#fixed = fixed;
    this.#state = from?.state ?? openVenue(plan);
    this.labels = new Map(from?.labels);
    this.#digest = digest;
  }

  /** The venue; another one after a block that has it start again. */
  get state(): State {
    return this.#state;
  }

  /** The next block of the chain; before it the venue starts again, if the block says so. */
  build(planned: PlannedBlock): Block {
    for (const written of planned.restart) this.#state = restoreVenue(this.#state, written);
    const { state } = this;
    const height = state.height + 1;
    const timeMs = planned.timeMs ?? state.timeMs + planned.afterMs;
    const steps = stepsOf(planned);
    const transactions: Transaction[] = [];
    for (const step of steps) transactions.push(this.#transaction(step, { height, timeMs, transactions }, steps));
    return { height, timeMs, transactions };
  }

  /** Remembers the ids of the labels of an applied block. */
  remember(planned: PlannedBlock, block: Block, result: BlockResult, consumedBefore: number): void {
    this.#remember(this.labels, stepsOf(planned), block, result, consumedBefore, this.state);
  }

  idOf(label: string, unit: string): string | undefined {
    const labelled = this.labels.get(label.slice(1));
    if (labelled === undefined) return undefined;
    return unit === "transaction" ? labelled.txId() : idOfLabel(labelled, unit);
  }

  #remember(
    labels: Map<string, Labelled>,
    steps: readonly PlannedStep[],
    block: Block,
    result: BlockResult,
    consumedBefore: number,
    state: State,
  ): void {
    let consumed = consumedBefore;
    const scope = { state, names: this.case.names, texts: result.texts, marketOf: marketsOfBlock(state, result) };
    block.transactions.forEach((transaction, index) => {
      const receipt = result.receipts.at(index);
      const found = readEvents(result.events, receipt.eventsFrom, receipt.eventsTo);
      const events = steps[index]!.labels.length === 0 ? [] : found.map((event) => readEventText(scope, event));
      // A transaction that carries another uses its own nonce and then that of the carried one, which the label names.
      const used = found.filter(({ kind }) => kind === "nonceAdvanced" || kind === "nonceUsed").length;
      const own = consumed + Math.max(0, used - 1);
      // An exploration asks for the id of a grant in every block of its agent.
      let id: string | undefined;
      const txId = () => (id ??= this.#digest(transaction));
      steps[index]!.labels.forEach((label, part) => {
        labels.set(label, { part, receipt, events, consumed: own, txId });
      });
      consumed += used;
    });
  }

  #transaction(step: PlannedStep, block: Block, steps: readonly PlannedStep[]): Transaction {
    const { state } = this;
    const { names, genesis } = this.case;
    const payload = this.#fixed?.get(step) ?? this.#payload(step, block, steps);
    const account = isAuthority(step.who) ? new AccountKey(genesis.authorities[step.who], 0) : names.key(step.who);
    const lane = step.domain ?? DOMAIN_OF[step.action];
    const signer = step.signer === undefined ? account.address : signerOf(step.signer, this.case);
    const authorization = step.authorization?.startsWith("$")
      ? (this.#labelled(step.authorization, block, steps)?.txId() as Bytes32 | undefined)
      : (step.authorization as Bytes32 | undefined);
    const grant = signer === account.address ? undefined : (authorization ?? ZERO_BYTES32);
    const next = () => this.#nextNonce({ who: step.who, account, signer, grant, lane }, block, steps);
    const validFrom = at(step.validFrom, block.height) ?? block.height;
    const transaction = createTransaction({
      action: step.action,
      account,
      payload: withMark(step, payload, state) as never,
      network: step.network ?? genesis.network,
      nonceDomain: lane,
      nonce: step.nonce?.isRelative === false ? step.nonce.base : next() + (step.nonce?.base ?? 0),
      validFrom,
      validUntil: at(step.validUntil, block.height) ?? Math.max(validFrom, block.height),
      verdict: !step.badSignature,
      signer,
      ...(authorization === undefined ? {} : { authorization }),
      ...(step.clientTxId === undefined ? {} : { clientTxId: step.clientTxId }),
      ...(step.replaces === undefined ? {} : { replaces: step.replaces as Bytes32 }),
    });
    if (step.version === undefined && step.envelope === undefined) return transaction;
    const { header } = transaction;
    const { version = header.protocolVersion, envelope = header.envelopeVersion } = step;
    return { ...transaction, header: { ...header, protocolVersion: version, envelopeVersion: envelope } };
  }

  #payload(step: PlannedStep, block: Block, steps: readonly PlannedStep[]): object {
    const { state } = this;
    const { names, market } = this.case;
    const faults = new Faults();
    let isFixed = true;
    const depend = <Value>(value: Value): Value => {
      isFixed = false;
      return value;
    };
    const context: PayloadContext = {
      names,
      market,
      get height() {
        return depend(block.height);
      },
      get timeMs() {
        return depend(block.timeMs);
      },
      all: () => depend(readAll(state, names.key(step.who), step.action, step.payload, market)),
      resolve: (label, field, name) => depend(this.#resolve(label, field, name, block, steps)),
    };
    const payload = buildPayload(step.action, step.payload, step.place, context, faults);
    if (payload === undefined) throw new ScenarioError(faults.list);
    if (isFixed) this.#fixed?.set(step, payload);
    return payload;
  }

  /** A label of an earlier block, or of an earlier transaction of this one, which is tried on a fork. */
  #labelled(label: string, block: Block, steps: readonly PlannedStep[]): Labelled | undefined {
    const name = label.slice(1);
    const known = this.labels.get(name);
    if (known !== undefined) return known;
    const fork = forkState(this.state);
    const labels = new Map<string, Labelled>();
    const consumed = fork.consumed;
    this.#remember(labels, steps, block, applyBlock(fork, block), consumed, fork);
    return labels.get(name);
  }

  #resolve(label: string, field: Field, name: string, block: Block, steps: readonly PlannedStep[]): string {
    const labelled = this.#labelled(label, block, steps);
    if (labelled === undefined) return "0";
    if (field.kind !== "id") return labelled.txId();
    return idOfLabel(labelled, /^order/i.test(name) ? "order" : name.replace(/Ids?$/, "")) ?? "0";
  }

  #nextNonce(lane: Lane, block: Block, steps: readonly PlannedStep[]): number {
    // Only transactions use nonces.
    if (block.transactions.length === 0) return nonceOf(this.state, lane);
    const before = block.transactions.filter(({ header }, index) => isIn(lane, header, steps[index]!.who));
    // An action of the operator for another account uses that account's nonces.
    const isOdd = steps
      .slice(0, block.transactions.length)
      .some((step) => step.action === "devnetImpersonate" || (step.who === lane.who && step.isOdd));
    if (!isOdd && lane.grant === undefined) return nonceOf(this.state, lane) + before.length;
    const fork = forkState(this.state);
    applyBlock(fork, block);
    return nonceOf(fork, lane);
  }
}

/** A lane whose next nonce is needed. */
interface Lane {
  readonly who: string;
  readonly account: AccountKey;
  readonly signer: Address;
  /** Grant of a signer that is not the owner. */
  readonly grant: Bytes32 | undefined;
  readonly lane: Domain;
}

function isIn({ who, signer, lane }: Lane, header: TxHeader, from: string): boolean {
  return from === who && header.signer === signer && header.nonceDomain === lane;
}

/** Transactions of a block, in block order. */
export function stepsOf({ prices, markets, steps }: PlannedBlock): PlannedStep[] {
  const oracles = steps.filter(({ action }) => action === "oracleUpdate");
  return [...prices, ...oracles, ...markets, ...steps.filter(({ action }) => action !== "oracleUpdate")];
}

function at(number: Relative | undefined, base: number): number | undefined {
  return number === undefined ? undefined : number.isRelative ? base + number.base : number.base;
}

function signerOf(name: string, { genesis, names }: Case): Address {
  return isAuthority(name) ? genesis.authorities[name] : names.key(name).address;
}

/** A price in a market of reported marks is its mark, too, unless the file gives another. */
function withMark(step: PlannedStep, payload: object, state: State): object {
  const update = payload as { market: string; price: number; mark: number };
  if (step.action !== "oracleUpdate" || step.who !== "oracle" || update.price === 0 || update.mark !== 0)
    return payload;
  if (step.payload.entries.some(({ key }) => key === "mark")) return payload;
  return takesReportedMark(state, update.market) ? { ...payload, mark: update.price } : payload;
}

function nonceOf(state: State, { who, account, grant, lane }: Lane): number {
  if (isAuthority(who) && lane === "system") return state.authorityNonces[AUTHORITIES.indexOf(who)]!;
  const row = findAccount(state, account);
  if (row === NONE) return 0;
  if (grant !== undefined) return getLaneNonce(state, row, state.grants.find(grant), lane);
  const { accounts } = state;
  const lanes = [accounts.nonceTrading, accounts.nonceRisk, accounts.nonceFunds, accounts.nonceAdmin];
  return lanes[DOMAINS.indexOf(lane)]?.[row] ?? 0;
}
