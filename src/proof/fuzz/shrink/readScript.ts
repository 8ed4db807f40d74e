import type { Bytes32 } from "../../../protocol/fields.ts";
import {
  type Block,
  ENVELOPE_VERSION,
  PROTOCOL_VERSION,
  type Transaction,
  ZERO_BYTES32,
} from "../../../protocol/transaction.ts";
import { createDigester } from "../../../protocol/typedDataDigest.ts";
import { applyBlock, type BlockResult } from "../../../venue/engine/applyBlock.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import { ORDERS_PER_TRANSACTION } from "../../../venue/engine/handler/defineHandler.ts";
import type { Probe } from "../../../venue/engine/probe.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { signingDomainOf } from "../../../venue/simulation/signatures.ts";
import type { Crash } from "../case/crash.ts";
import type { Chronicle } from "../case/resolveCase.ts";
import { countCommitted } from "./carried.ts";
import type { FirstPass } from "./firstPass.ts";
import { placesWithin } from "./links.ts";
import { draftGrant, getNextNonce, isAdmissible, nameLane, takeCarried } from "./player.ts";
import type { Line, Link, Script, TransactionLine } from "./script.ts";

/** A larger distance is not treated as one: the value stays absolute. 2^40 ms are 34 years. */
const FAR = 1_099_511_627_776;

/** Applies a block. Tests and benchmarks may use a venue with a fault. */
export type Apply = (state: State, block: Block, probe?: Probe) => BlockResult;

/**
 * Reads a chronicle as a script by running it: references are resolved by the outcomes of earlier transactions. Blocks
 * after one that the venue refuses, or in which it throws, are left out.
 *
 * @param pass receives each block; those after a failure that it expects are left out as well
 */
export function readScript(
  { genesis, blocks, crashes = [] }: Chronicle,
  apply: Apply = applyBlock,
  pass?: FirstPass,
): Script {
  return new Reader(createVenue(genesis), apply, pass).read(blocks, crashes);
}

class Reader {
  readonly #state: State;
  readonly #apply: Apply;
  readonly #pass: FirstPass | undefined;
  readonly #lines: Line[] = [];
  /** Lines by the number of transactions committed before them, or before what they carried. */
  readonly #byBase = new Map<number, { readonly line: number; readonly base: number }>();
  readonly #grants = new Map<Bytes32, number>();
  #number = 0;

  constructor(state: State, apply: Apply, pass: FirstPass | undefined) {
    this.#state = state;
    this.#apply = apply;
    this.#pass = pass;
  }

  read(blocks: readonly Block[], crashes: readonly Crash[]): Script {
    const state = this.#state;
    const { genesis } = state;
    const digester = createDigester(signingDomainOf(genesis));
    const pass = this.#pass;
    pass?.start(state);
    for (const block of blocks) {
      const before = state.timeMs;
      const base = state.consumed;
      const lanes = new Map<string, number>();
      const first = this.#number;
      // Within a block, a transaction counts as committed if its header is valid.
      let consumed = base;
      for (const transaction of block.transactions) {
        this.#byBase.set(consumed, { line: ++this.#number, base: consumed });
        if (transaction.action === "grantAuthorization") this.#grants.set(digester.digestOf(transaction), this.#number);
        const line = this.#line(transaction, block, lanes);
        this.#lines.push(line);
        if (isAdmissible(line, state.nonceWindow)) {
          consumed += 1 + takeCarried(state, transaction.action, transaction.payload, lanes);
          const grant = draftGrant(state, transaction, lanes, block.height);
          if (grant !== undefined) this.#grants.set(digester.digestOf(grant), this.#number);
        }
      }
      const crash = crashes.find(({ height }) => height === block.height);
      const end = { kind: "block", afterMs: block.timeMs - before } as const;
      this.#lines.push(crash === undefined ? end : { ...end, crash: crash.way });
      let result: BlockResult;
      try {
        const { height, timeMs, transactions } = block;
        result = this.#apply(state, { height, timeMs, transactions }, pass?.probe);
      } catch {
        break;
      }
      consumed = base;
      for (let index = 0; index < block.transactions.length; index++) {
        const count = countCommitted(block.transactions[index]!.action, result.receipts, index);
        const made = { line: first + 1 + index, base: consumed };
        this.#byBase.set(consumed, made);
        if (count > 1) this.#byBase.set(consumed + 1, made);
        if (pass !== undefined) pass.bases[made.line] = consumed;
        consumed += count;
      }
      const own = this.#lines.slice(-1 - block.transactions.length, -1) as TransactionLine[];
      if (pass?.note(state, block, result, own, this.#lines.length) === true) break;
    }
    return { genesis, lines: this.#lines };
  }

  #line({ action, header, payload, verdict }: Transaction, block: Block, lanes: Map<string, number>): TransactionLine {
    const { account, signer, nonceDomain: domain } = header;
    const { genesis, nonceWindow } = this.#state;
    const lane = nameLane(account, signer, domain);
    const next = lanes.get(lane) ?? getNextNonce(this.#state, account, signer, domain);
    const isNone = header.authorization === ZERO_BYTES32;
    const line: TransactionLine = {
      kind: "transaction",
      number: this.#number,
      action,
      account,
      payload,
      links: this.#links(action, payload, block),
      signer,
      grant: isNone ? undefined : (this.#grants.get(header.authorization) ?? header.authorization),
      domain,
      nonce: header.nonce - next,
      validFrom: header.validFrom - block.height,
      validUntil: header.validUntil - block.height,
      network: header.network === genesis.network ? undefined : header.network,
      version: header.protocolVersion === PROTOCOL_VERSION ? undefined : header.protocolVersion,
      envelope: header.envelopeVersion === ENVELOPE_VERSION ? undefined : header.envelopeVersion,
      replaces: header.replaces === ZERO_BYTES32 ? undefined : header.replaces,
      clientTxId: header.clientTxId,
      verdict,
    };
    lanes.set(lane, isAdmissible(line, nonceWindow) ? Math.max(next, header.nonce + 1) : next);
    return line;
  }

  #links(action: Transaction["action"], payload: object, { height, timeMs }: Block): Link[] {
    const links: Link[] = [];
    for (const { path, kind, value } of placesWithin(action, payload)) {
      switch (kind) {
        case "id": {
          const id = value as number;
          const made = this.#byBase.get(Math.floor(id / ORDERS_PER_TRANSACTION));
          const { line, base } = made ?? { line: 0, base: Math.floor(id / ORDERS_PER_TRANSACTION) };
          links.push({ path, to: "id", line, part: id - base * ORDERS_PER_TRANSACTION });
          break;
        }
        case "grant": {
          const line = this.#grants.get(value as Bytes32);
          if (line !== undefined) links.push({ path, to: "grant", line });
          break;
        }
        default: {
          const after = (value as number) - (kind === "height" ? height : timeMs);
          if (Math.abs(after) < FAR) links.push({ path, to: kind, after });
        }
      }
    }
    return links;
  }
}
