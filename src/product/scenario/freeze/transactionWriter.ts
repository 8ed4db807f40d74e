import { formatDecimal } from "../../../ground/math/decimal.ts";
import { AUTHORITIES } from "../../../protocol/action.ts";
import { actions, DOMAIN_OF, type Payloads } from "../../../protocol/actions/index.ts";
import type { Field, Fields } from "../../../protocol/fields.ts";
import type { Receipt } from "../../../protocol/receipt.ts";
import { ENVELOPE_VERSION, PROTOCOL_VERSION, type Transaction, ZERO_BYTES32 } from "../../../protocol/transaction.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { Names } from "../../../venue/simulation/accountNames.ts";
import { takesReportedMark } from "../../../venue/simulation/reportedMark.ts";
import { formatHouseSteps } from "../sugar/houseSteps.ts";
import { cellsOf, type Flow, type Replace, writeFlow } from "../write/payloadCells.ts";
import { type Speaker, sentenceOf } from "../write/sentences.ts";

/** A recorded transaction, and the fields that the file writes for it besides its action. */
export interface WrittenTransaction {
  readonly transaction: Transaction;
  readonly receipt: Receipt;
  /** Label of the order that it makes, if a later transaction names it. */
  readonly label: string | undefined;
  /** Its nonce, where the next one of its lane would be another. */
  readonly nonce: number | undefined;
}

/** Writes recorded transactions in the notation of a scenario file. */
export class TransactionWriter {
  readonly #state: State;
  readonly #names: Names;
  readonly #market: string | undefined;
  readonly #labels: ReadonlyMap<string, string>;

  /**
   * @param state the venue, for its genesis and the ways its markets are marked
   * @param labels labels by the id of their order
   */
  constructor(state: State, names: Names, labels: ReadonlyMap<string, string>) {
    this.#state = state;
    this.#names = names;
    this.#market = state.marketNames.length === 1 ? state.marketNames[0] : undefined;
    this.#labels = labels;
  }

  /** `BTC-PERP: "100"` for an oracle update that is no more than a price; undefined for any other transaction. */
  price({ transaction: { action, payload }, receipt, nonce }: WrittenTransaction): string | undefined {
    if (action !== "oracleUpdate" || receipt.status !== "applied" || nonce !== undefined) return undefined;
    const { market, sources, price, mark, fundingRate, settleFunding } = payload as Payloads["oracleUpdate"];
    const isPlain = sources.length === 0 && price !== 0 && fundingRate === 0 && !settleFunding;
    // A price in a market of reported marks is its mark, too.
    const usual = takesReportedMark(this.#state, market) ? price : 0;
    return isPlain && mark === usual ? `${market}: ${JSON.stringify(formatDecimal(price, 8))}` : undefined;
  }

  /** One line: a sentence, or the long form. */
  write(written: WrittenTransaction): string {
    const { transaction, label } = written;
    const { action, header, payload } = transaction;
    const who = this.account(header.account.address, header.account.subaccount);
    const more = this.#header(written);
    const sentence = sentenceOf({ action, payload }, this.#speaker(transaction));
    if (sentence !== undefined) {
      const text = `${who}: ${sentence}${label === undefined ? "" : ` as ${label}`}`;
      return more.length === 0 ? text : `{ ${[text, ...more].join(", ")} }`;
    }
    const { authority } = { authority: undefined, ...actions[action] };
    const from = who === authority ? [] : [`from: ${who}`];
    const as = label === undefined ? [] : [`as: ${label}`];
    const cells = [...from, `${action}: ${writeFlow(this.#cells(transaction))}`, ...as, ...more];
    return cells.length === 1 ? cells[0]! : `{ ${cells.join(", ")} }`;
  }

  account(address: string, subaccount: number): string {
    const { authorities } = this.#state.genesis;
    const authority = subaccount === 0 ? AUTHORITIES.find((name) => authorities[name] === address) : undefined;
    return authority ?? this.#names.nameOf(address, subaccount);
  }

  /**
   * Header fields that differ from the default. Validity and names of transactions change no result, except that of one
   * that was inadmissible, and the id of a grant.
   */
  #header({ transaction: { action, header, verdict }, receipt, nonce }: WrittenTransaction): string[] {
    const isExact = receipt.status === "invalid" || action === "grantAuthorization";
    const cells: string[] = [];
    if (isExact || nonce !== undefined) cells.push(`nonce: ${header.nonce}`);
    if (header.nonceDomain !== DOMAIN_OF[action]) cells.push(`domain: ${header.nonceDomain}`);
    if (isExact) cells.push(`validFrom: ${header.validFrom}`, `validUntil: ${header.validUntil}`);
    if (header.signer !== header.account.address) cells.push(`signer: ${this.account(header.signer, 0)}`);
    if (header.authorization !== ZERO_BYTES32) cells.push(`authorization: "${header.authorization}"`);
    if (!verdict) cells.push("badSignature: true");
    if (header.network !== this.#state.genesis.network) cells.push(`network: ${JSON.stringify(header.network)}`);
    if (header.protocolVersion !== PROTOCOL_VERSION) cells.push(`version: ${header.protocolVersion}`);
    if (header.envelopeVersion !== ENVELOPE_VERSION) cells.push(`envelope: ${header.envelopeVersion}`);
    if (isExact && header.replaces !== ZERO_BYTES32) cells.push(`replaces: "${header.replaces}"`);
    if (isExact && header.clientTxId !== "") cells.push(`clientTxId: ${JSON.stringify(header.clientTxId)}`);
    return cells;
  }

  #speaker({ payload }: Transaction): Speaker {
    return {
      market: (name) => (name === this.#market ? "" : ` ${name}`),
      account: (address, subaccount) => this.account(address, subaccount),
      label: (path) => {
        if (path !== "orderId") return undefined;
        const { orderId } = payload as unknown as { readonly orderId: number };
        const label = this.#labels.get(String(orderId));
        return label === undefined ? undefined : `$${label}`;
      },
    };
  }

  #cells({ action, payload }: Transaction): { readonly [key: string]: Flow } {
    const replace: Replace = (field: Field, value, name) => {
      switch (field.kind) {
        case "address": {
          const { address, subaccount = 0 } = value as { address: string; subaccount?: number };
          return this.account(address, subaccount);
        }
        case "id": {
          const label = this.#labels.get(String(value));
          return label === undefined ? undefined : `$${label}`;
        }
        case "bytes":
          return name === "steps" ? formatHouseSteps(Buffer.from((value as string).slice(2), "hex")) : undefined;
        default:
          return undefined;
      }
    };
    const cells = cellsOf(action, payload, replace);
    // A file need not name the only market of a venue.
    const { market, ...rest } = cells;
    const field = (actions[action].fields as Fields)["market"];
    return market === this.#market && field?.kind === "market" && !field.optional ? rest : cells;
  }
}
