import { formatDecimal } from "../../math/decimal.ts";
import { AUTHORITIES } from "../../protocol/action.ts";
import { actions, DOMAIN_OF, type Payloads } from "../../protocol/actions/index.ts";
import type { Transaction } from "../../protocol/transaction.ts";
import { INTENT_KINDS } from "../../protocol/words.ts";
import { marketsOf } from "../shrink/passes/actors.ts";
import type { PlayedScript } from "../shrink/runner.ts";
import type { Link, Script, TransactionLine } from "../shrink/script.ts";
import { Outright } from "./outright.ts";
import { cellsOf, type Flow, type Replace, writeFlow } from "./payloadCells.ts";
import { type Speaker, sentenceOf } from "./sentences.ts";

/** A transaction that a script came to, and its place among all of them. */
interface Told {
  readonly line: TransactionLine;
  readonly transaction: Transaction;
  readonly order: number;
  /** Of its block. */
  readonly height: number;
}

/** Tells transactions of a script in the words of a scenario file. */
export class Teller {
  /** Names of accounts and agents that are not there at genesis. */
  readonly others: readonly string[];
  readonly #script: Script;
  readonly #names: ReadonlyMap<string, string>;
  readonly #byNumber = new Map<number, Told>();
  /** Labels of the lines that others name: one for each part up to the last that is named. */
  readonly #labels = new Map<number, string[]>();
  readonly #market: string | undefined;
  readonly #outright: Outright;

  /**
   * @param names of addresses
   * @param outright what is said as it is, and not in other words
   */
  constructor(
    script: Script,
    { chronicle, lines }: PlayedScript,
    names: ReadonlyMap<string, string>,
    outright = new Outright(),
  ) {
    this.#script = script;
    this.#names = names;
    this.#outright = outright;
    lines.forEach((own, place) => {
      own.forEach((line, index) => {
        const { height, transactions } = chronicle.blocks[place]!;
        const transaction = transactions[index]!;
        this.#byNumber.set(line.number, { line, transaction, order: this.#byNumber.size, height });
      });
    });
    const { markets } = script.genesis;
    this.#market = markets.length === 1 ? markets[0]!.name : undefined;
    this.#label();
    this.others = this.#findOthers();
  }

  account(address: string, subaccount: number): string {
    const { authorities } = this.#script.genesis;
    const authority = AUTHORITIES.find((name) => authorities[name] === address);
    const name = authority ?? this.#names.get(address) ?? address;
    return subaccount === 0 ? name : `${name}/${subaccount}`;
  }

  /** Whether a transaction is a report of a market's price, the first of its block, that `prices` can say. */
  isPlainPrice(line: TransactionLine, before: readonly TransactionLine[]): boolean {
    if (line.action !== "oracleUpdate" || this.#header(line).length > 0 || this.#from(line) !== undefined) return false;
    // Ids that nobody ever had may be named by it.
    if (this.#labels.has(line.number) || this.#outright.hasPayload(line.number)) return false;
    const { market, sources, price, mark, fundingRate, settleFunding } = line.payload as Payloads["oracleUpdate"];
    const isFirst = before.every((other) => other.action === "oracleUpdate" && !marketsOf(other).has(market));
    // A price alone would be taken for the mark, too, where the market takes marks from outside.
    return isFirst && sources.length === 0 && price !== 0 && mark === 0 && fundingRate === 0 && !settleFunding
      ? !this.#takesMarks(market)
      : false;
  }

  /** `BTC-PERP: "100"`. */
  price({ payload }: TransactionLine): string {
    const { market, price } = payload as Payloads["oracleUpdate"];
    return `${market}: ${JSON.stringify(formatDecimal(price, 8))}`;
  }

  /** A transaction for a reader: as in the file, and a price as a price. */
  words(line: TransactionLine): string {
    return this.isPlainPrice(line, []) ? `price of ${this.price(line).replaceAll('"', "")}` : this.transaction(line);
  }

  /** A transaction as one line: a sentence, or its long form. */
  transaction(line: TransactionLine): string {
    const labels = this.#labels.get(line.number) ?? [];
    const header = this.#header(line);
    const who = this.account(line.account.address, line.account.subaccount);
    const sentence = this.#outright.hasPayload(line.number) ? undefined : sentenceOf(line, this.#speaker(line));
    if (sentence !== undefined && labels.length <= 1) {
      const said = `${who}: ${sentence}${labels.length === 0 ? "" : ` as ${labels[0]}`}`;
      return header.length === 0 ? said : `{ ${[said, ...header].join(", ")} }`;
    }
    const form = writeFlow(this.#cells(line));
    const as = labels.length === 0 ? [] : [`as: ${labels.length === 1 ? labels[0] : `[${labels.join(", ")}]`}`];
    const from = this.#from(line);
    return `{ ${[...(from === undefined ? [] : [`from: ${from}`]), `${line.action}: ${form}`, ...as, ...header].join(", ")} }`;
  }

  /** Who acts; undefined where it is the authority whose action it is. */
  #from({ action, account }: TransactionLine): string | undefined {
    const { authority } = { authority: undefined, ...actions[action] };
    const who = this.account(account.address, account.subaccount);
    return who === authority ? undefined : who;
  }

  /** The long form of a payload. */
  #cells(line: TransactionLine): Flow {
    const isSaid = (path: string) => this.#outright.has(line.number, `payload.${path}`);
    const { transaction } = this.#byNumber.get(line.number)!;
    const links = new Map(line.links.map((link) => [link.path.join("."), link]));
    const replace: Replace = (field, value, _name, path) => {
      const link = isSaid(path) ? undefined : links.get(path);
      const said = link === undefined ? undefined : this.#linkText(link, line.number);
      if (said !== undefined) return said;
      if (field.kind !== "address") return undefined;
      const { address, subaccount } = value as { address: string; subaccount?: number };
      return this.account(address, subaccount ?? 0);
    };
    return cellsOf(line.action, transaction.payload, replace, isSaid);
  }

  /** `$label`, `+3` or `+30s`; undefined where only the value says it. */
  #linkText(link: Link, by: number): string | undefined {
    switch (link.to) {
      case "height":
        return isNear(link.after) ? `+${link.after}` : undefined;
      case "time":
        return isNear(link.after) ? `+${link.after}ms` : undefined;
      case "grant":
        return this.#labelOf(link.line, 0, by);
      case "id": {
        const part = this.#partOf(link);
        return part === undefined ? undefined : this.#labelOf(link.line, part, by);
      }
    }
  }

  #labelOf(line: number, part: number, by: number): string | undefined {
    const label = this.#labels.get(line)?.[part];
    return label === undefined || !this.#isBefore(line, by) ? undefined : `$${label}`;
  }

  /** Whether a line is there and stands before another: only then can that name it. */
  #isBefore(line: number, by: number): boolean {
    const made = this.#byNumber.get(line);
    return made !== undefined && made.order < this.#byNumber.get(by)!.order;
  }

  /** Place of what a link names among the labels of its line; undefined where that line is gone or cannot be labelled. */
  #partOf(link: Link & { readonly to: "id" }): number | undefined {
    const made = this.#byNumber.get(link.line);
    if (made === undefined || link.part >= 50) return undefined;
    const { line } = made;
    if (line.action !== "placeIntent" || !link.path.includes("intent")) return link.part;
    // Legs of a group that waits for an entry stand behind the entry's id.
    const kind = INTENT_KINDS[(line.payload as Payloads["placeIntent"]).kind]!;
    return link.part - (kind === "oto" || kind === "otoco" ? 1 : 0);
  }

  #label(): void {
    const parts = new Map<number, Set<number>>();
    for (const { line } of this.#byNumber.values()) {
      const need = (number: number, part: number | undefined) => {
        if (part === undefined || !this.#isBefore(number, line.number)) return;
        parts.set(number, (parts.get(number) ?? new Set()).add(part));
      };
      const says = (place: string) => this.#outright.has(line.number, place);
      if (typeof line.grant === "number" && !says("header.authorization")) need(line.grant, 0);
      for (const link of line.links) {
        // What is carried is written as it is.
        if (link.path[0] === "carried" || says(`payload.${link.path.join(".")}`)) continue;
        if (link.to === "grant") need(link.line, 0);
        else if (link.to === "id") need(link.line, this.#partOf(link));
      }
    }
    let count = 0;
    for (const [number, used] of [...parts].sort(([a], [b]) => a - b)) {
      // A file may not give labels that nothing uses: parts are labelled only if all before them are.
      const isWhole = used.size === Math.max(...used) + 1;
      if (!isWhole) continue;
      const { action } = this.#byNumber.get(number)!.line;
      const stem = action === "grantAuthorization" ? "grant" : action === "placeIntent" ? "intent" : "order";
      count++;
      const labels = [...used].map((part) => `${stem}${count}${used.size === 1 ? "" : String.fromCharCode(97 + part)}`);
      this.#labels.set(number, labels.sort());
    }
  }

  /** What of a header is not as it would be by itself. */
  #header(line: TransactionLine): string[] {
    const said: string[] = [];
    const relative = (distance: number) => JSON.stringify(distance < 0 ? String(distance) : `+${distance}`);
    const nonce = this.#outright.nonceOf(line.number) ?? (line.nonce === 0 ? undefined : relative(line.nonce));
    if (nonce !== undefined) said.push(`nonce: ${nonce}`);
    if (line.domain !== DOMAIN_OF[line.action]) said.push(`domain: ${line.domain}`);
    const { transaction, height } = this.#byNumber.get(line.number)!;
    const [from, until] = [transaction.header.validFrom - height, transaction.header.validUntil - height];
    if (from !== 0) said.push(`validFrom: ${relative(from)}`);
    if (until !== Math.max(0, from)) said.push(`validUntil: ${relative(until)}`);
    if (line.signer !== line.account.address) said.push(`signer: ${this.account(line.signer, 0)}`);
    if (line.grant !== undefined) {
      const isLabelled = typeof line.grant === "number" && !this.#outright.has(line.number, "header.authorization");
      const label = isLabelled ? this.#labelOf(line.grant as number, 0, line.number) : undefined;
      said.push(`authorization: ${label ?? `"${transaction.header.authorization}"`}`);
    }
    if (!line.verdict) said.push("badSignature: true");
    if (line.network !== undefined) said.push(`network: ${JSON.stringify(line.network)}`);
    if (line.version !== undefined) said.push(`version: ${line.version}`);
    if (line.envelope !== undefined) said.push(`envelope: ${line.envelope}`);
    if (line.replaces !== undefined) said.push(`replaces: "${line.replaces}"`);
    if (line.clientTxId !== "") said.push(`clientTxId: ${JSON.stringify(line.clientTxId)}`);
    return said;
  }

  #speaker(line: TransactionLine): Speaker {
    return {
      market: (name) => (name === this.#market ? "" : ` ${name}`),
      account: (address, subaccount) => this.account(address, subaccount),
      label: (path) => {
        const link = line.links.find((candidate) => candidate.path.join(".") === path);
        return link === undefined ? undefined : this.#linkText(link, line.number);
      },
    };
  }

  #takesMarks(market: string): boolean {
    const found = this.#script.genesis.markets.find(({ name }) => name === market);
    const texts = (found?.parameters ?? {}) as Readonly<Record<string, string>>;
    return found === undefined || texts["markMethod"] === "external" || found.preset === "replay";
  }

  /** Accounts that transactions name and genesis does not. */
  #findOthers(): string[] {
    const there = new Set(
      this.#script.genesis.accounts.map(({ address, subaccount }) => this.account(address, subaccount)),
    );
    const found = new Set<string>();
    const add = (address: string, subaccount: number) => {
      const name = this.account(address, subaccount);
      if (!there.has(name) && !(AUTHORITIES as readonly string[]).includes(name) && !name.startsWith("0x"))
        found.add(name);
    };
    for (const { line, transaction } of this.#byNumber.values()) {
      add(line.account.address, line.account.subaccount);
      if (line.signer !== line.account.address) add(line.signer, 0);
      cellsOf(line.action, transaction.payload, (field, value) => {
        if (field.kind !== "address") return undefined;
        const { address, subaccount } = value as { address: string; subaccount?: number };
        if (address !== "") add(address, subaccount ?? 0);
        return undefined;
      });
    }
    return [...found];
  }
}

/** Distances that a file can say; of what is further away it says the value. */
const isNear = (after: number) => after > 0 && after < 1_000_000_000;
