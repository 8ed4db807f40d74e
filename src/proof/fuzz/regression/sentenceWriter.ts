import { formatDecimal } from "../../../ground/math/decimal.ts";
import { cellsOf, type Flow, type Replace, writeFlow } from "../../../product/scenario/write/payloadCells.ts";
import { type Speaker, sentenceOf } from "../../../product/scenario/write/sentences.ts";
import { AUTHORITIES } from "../../../protocol/action.ts";
import { actions, DOMAIN_OF, type Payloads } from "../../../protocol/actions/index.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import { marketsOf } from "../shrink/passes/actors.ts";
import type { PlayedScript } from "../shrink/runner.ts";
import type { Link, Script, TransactionLine } from "../shrink/script.ts";
import { Labels } from "./labels.ts";
import { LiteralPlaces } from "./literalPlaces.ts";

/** A transaction of a script after it was played. */
interface ReachedTransaction {
  readonly line: TransactionLine;
  readonly transaction: Transaction;
  /** Height of its block. */
  readonly height: number;
}

/** Writes transactions of a script in the notation of a scenario file. */
export class SentenceWriter {
  /** Names of accounts and agents that do not exist at genesis. */
  readonly others: readonly string[];
  readonly #script: Script;
  readonly #names: ReadonlyMap<string, string>;
  readonly #byNumber = new Map<number, ReachedTransaction>();
  readonly #labels: Labels;
  readonly #market: string | undefined;
  readonly #literals: LiteralPlaces;

  /**
   * @param names by address
   * @param literals places that are written as literal values
   */
  constructor(
    script: Script,
    { chronicle, lines }: PlayedScript,
    names: ReadonlyMap<string, string>,
    literals = new LiteralPlaces(),
  ) {
    this.#script = script;
    this.#names = names;
    this.#literals = literals;
    lines.forEach((own, place) => {
      own.forEach((line, index) => {
        const { height, transactions } = chronicle.blocks[place]!;
        const transaction = transactions[index]!;
        this.#byNumber.set(line.number, { line, transaction, height });
      });
    });
    const { markets } = script.genesis;
    this.#market = markets.length === 1 ? markets[0]!.name : undefined;
    this.#labels = new Labels(lines.flat(), literals);
    this.others = this.#findOthers();
  }

  account(address: string, subaccount: number): string {
    const { authorities } = this.#script.genesis;
    const authority = AUTHORITIES.find((name) => authorities[name] === address);
    const name = authority ?? this.#names.get(address) ?? address;
    return subaccount === 0 ? name : `${name}/${subaccount}`;
  }

  /** True if `prices` can express the transaction: the first report of a market's price in its block. */
  isPlainPrice(line: TransactionLine, before: readonly TransactionLine[]): boolean {
    if (line.action !== "oracleUpdate" || this.#header(line).length > 0 || this.#from(line) !== undefined) return false;
    // A label or a literal of the line needs the long form.
    if (this.#labels.of(line.number).length > 0 || this.#literals.hasPayload(line.number)) return false;
    const { market, sources, price, mark, fundingRate, settleFunding } = line.payload as Payloads["oracleUpdate"];
    const isFirst = before.every((other) => other.action === "oracleUpdate" && !marketsOf(other).has(market));
    // `prices` also sets the mark in a market with reported marks.
    return isFirst && sources.length === 0 && price !== 0 && mark === 0 && fundingRate === 0 && !settleFunding
      ? !this.#takesMarks(market)
      : false;
  }

  /** `BTC-PERP: "100"`. */
  price({ payload }: TransactionLine): string {
    const { market, price } = payload as Payloads["oracleUpdate"];
    return `${market}: ${JSON.stringify(formatDecimal(price, 8))}`;
  }

  /** A transaction for readers: as in the file, and a price as a price. */
  words(line: TransactionLine): string {
    return this.isPlainPrice(line, []) ? `price of ${this.price(line).replaceAll('"', "")}` : this.transaction(line);
  }

  /** A transaction as one line: a sentence, or its long form. */
  transaction(line: TransactionLine): string {
    const labels = this.#labels.of(line.number);
    const header = this.#header(line);
    const who = this.account(line.account.address, line.account.subaccount);
    const sentence = this.#literals.hasPayload(line.number) ? undefined : sentenceOf(line, this.#speaker(line));
    if (sentence !== undefined && labels.length <= 1) {
      const text = `${who}: ${sentence}${labels.length === 0 ? "" : ` as ${labels[0]}`}`;
      return header.length === 0 ? text : `{ ${[text, ...header].join(", ")} }`;
    }
    const form = writeFlow(this.#cells(line));
    const as = labels.length === 0 ? [] : [`as: ${labels.length === 1 ? labels[0] : `[${labels.join(", ")}]`}`];
    const from = this.#from(line);
    return `{ ${[...(from === undefined ? [] : [`from: ${from}`]), `${line.action}: ${form}`, ...as, ...header].join(", ")} }`;
  }

  /** The acting account; undefined for the authority of the action. */
  #from({ action, account }: TransactionLine): string | undefined {
    const { authority } = { authority: undefined, ...actions[action] };
    const who = this.account(account.address, account.subaccount);
    return who === authority ? undefined : who;
  }

  /** The long form of a payload. */
  #cells(line: TransactionLine): Flow {
    const isLiteral = (path: string) => this.#literals.has(line.number, `payload.${path}`);
    const { transaction } = this.#byNumber.get(line.number)!;
    const links = new Map(line.links.map((link) => [link.path.join("."), link]));
    const replace: Replace = (field, value, _name, path) => {
      const link = isLiteral(path) ? undefined : links.get(path);
      const text = link === undefined ? undefined : this.#linkText(link, line.number);
      if (text !== undefined) return text;
      if (field.kind !== "address") return undefined;
      const { address, subaccount } = value as { address: string; subaccount?: number };
      return this.account(address, subaccount ?? 0);
    };
    return cellsOf(line.action, transaction.payload, replace, isLiteral);
  }

  /** `$label`, `+3` or `+30s`; undefined if only the value can be written. */
  #linkText(link: Link, by: number): string | undefined {
    switch (link.to) {
      case "height":
        return isNear(link.after) ? `+${link.after}` : undefined;
      case "time":
        return isNear(link.after) ? `+${link.after}ms` : undefined;
      default:
        return this.#labels.refer(link, by);
    }
  }

  /** Header fields that are not defaults. */
  #header(line: TransactionLine): string[] {
    const cells: string[] = [];
    const relative = (distance: number) => JSON.stringify(distance < 0 ? String(distance) : `+${distance}`);
    const nonce = this.#literals.nonceOf(line.number) ?? (line.nonce === 0 ? undefined : relative(line.nonce));
    if (nonce !== undefined) cells.push(`nonce: ${nonce}`);
    if (line.domain !== DOMAIN_OF[line.action]) cells.push(`domain: ${line.domain}`);
    const { transaction, height } = this.#byNumber.get(line.number)!;
    const [from, until] = [transaction.header.validFrom - height, transaction.header.validUntil - height];
    if (from !== 0) cells.push(`validFrom: ${relative(from)}`);
    if (until !== Math.max(0, from)) cells.push(`validUntil: ${relative(until)}`);
    if (line.signer !== line.account.address) cells.push(`signer: ${this.account(line.signer, 0)}`);
    if (line.grant !== undefined) {
      const isLabelled = typeof line.grant === "number" && !this.#literals.has(line.number, "header.authorization");
      const label = isLabelled ? this.#labels.referGrant(line.grant as number, line.number) : undefined;
      cells.push(`authorization: ${label ?? `"${transaction.header.authorization}"`}`);
    }
    if (!line.verdict) cells.push("badSignature: true");
    if (line.network !== undefined) cells.push(`network: ${JSON.stringify(line.network)}`);
    if (line.version !== undefined) cells.push(`version: ${line.version}`);
    if (line.envelope !== undefined) cells.push(`envelope: ${line.envelope}`);
    if (line.replaces !== undefined) cells.push(`replaces: "${line.replaces}"`);
    if (line.clientTxId !== "") cells.push(`clientTxId: ${JSON.stringify(line.clientTxId)}`);
    return cells;
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
    return found === undefined || texts["markMethod"] === "reported" || found.preset === "replay";
  }

  /** Accounts that transactions name but genesis does not contain. */
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

/** Distances that a file can express; larger ones are written as values. */
const isNear = (after: number) => after > 0 && after < 1_000_000_000;
