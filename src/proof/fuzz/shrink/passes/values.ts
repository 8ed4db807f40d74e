import { DOMAIN_OF, type Payloads } from "../../../../protocol/actions/index.ts";
import { DECIMALS, type Field } from "../../../../protocol/fields.ts";
import { carriedOf } from "../carried.ts";
import { deleteChunks } from "../deleteChunks.ts";
import { linksOfCarried } from "../links.ts";
import { listsOf, mapPayload, withElements, withValue } from "../payloads.ts";
import { rounder } from "../rounder.ts";
import type { Line, TransactionLine } from "../script.ts";
import type { Search } from "../search.ts";

/** Makes headers valid and default: all at once, then one by one, field by field. */
export function plainHeaders(search: Search): void {
  search.pass = "plain headers";
  const all = search.best.lines.map((line) => (line.kind === "block" ? line : HEADER.reduce((of, to) => to(of), line)));
  if (differs(all, search.best.lines) && search.tryLines(all)) return;
  for (const plain of HEADER) {
    const lines = search.best.lines.map((line) => (line.kind === "block" ? line : plain(line)));
    if (!differs(lines, search.best.lines) || search.tryLines(lines)) continue;
    eachTransaction(search, (line, at) => {
      const plainer = plain(line);
      if (plainer !== line) search.tryLines(search.best.lines.with(at, plainer));
    });
  }
}

type Plain = (line: TransactionLine) => TransactionLine;

/** Changes that make a header plainer, one per field. */
const HEADER: readonly Plain[] = [
  (line) => (line.validFrom === 0 && line.validUntil === 0 ? line : { ...line, validFrom: 0, validUntil: 0 }),
  (line) => (line.clientTxId === "" ? line : { ...line, clientTxId: "" }),
  (line) => (line.replaces === undefined ? line : { ...line, replaces: undefined }),
  (line) => (line.network === undefined ? line : { ...line, network: undefined }),
  (line) => (line.version === undefined ? line : { ...line, version: undefined }),
  (line) => (line.envelope === undefined ? line : { ...line, envelope: undefined }),
  (line) => (line.verdict ? line : { ...line, verdict: true }),
  (line) => (line.nonce === 0 ? line : { ...line, nonce: 0 }),
  (line) => {
    const own = DOMAIN_OF[line.action];
    return line.domain === own ? line : { ...line, domain: own };
  },
  (line) =>
    line.grant === undefined && line.signer === line.account.address
      ? line
      : { ...line, grant: undefined, signer: line.account.address },
];

const differs = (lines: readonly Line[], others: readonly Line[]) => lines.some((line, at) => line !== others[at]);

/** Replaces a batch by one of its orders, and a carried transaction by the same one sent by its account. */
export function sendDirectly(search: Search): void {
  search.pass = "send directly";
  eachTransaction(search, (line, at) => {
    if (line.action !== "placeOrders" || line.links.length > 0) return;
    const { orders } = line.payload as Payloads["placeOrders"];
    const [payload] = orders;
    if (orders.length === 1 && payload !== undefined)
      search.tryLines(search.best.lines.with(at, { ...line, action: "placeOrder", payload }));
  });
  eachTransaction(search, (line, at) => {
    const carried = carriedOf(line.action, line.payload);
    if (carried === undefined) return;
    const { action, payload, account, domain } = carried;
    const direct = {
      ...line,
      action,
      payload,
      account,
      domain,
      signer: account.address,
      links: linksOfCarried(line.links),
    };
    search.tryLines(search.best.lines.with(at, direct));
  });
}

/** Sets payload fields to their defaults, and shortens lists. */
export function plainFields(search: Search): void {
  search.pass = "plain fields";
  eachTransaction(search, (_line, at) => {
    for (const { path, length } of listsOf(search.best.lines[at] as TransactionLine)) {
      let kept = Array.from({ length }, (_, place) => place);
      deleteChunks(
        () => kept,
        (fewer) => {
          const line = search.best.lines[at] as TransactionLine;
          const places = fewer.map((place) => kept.indexOf(place));
          if (!search.tryLines(search.best.lines.with(at, withElements(line, path, places)))) return false;
          kept = [...fewer];
          return true;
        },
        () => search.isOver,
      );
    }
    plainMembers(search, at);
  });
}

/** Sets all payload fields with a default, one by one. */
function plainMembers(search: Search, at: number): void {
  const { action, payload } = search.best.lines[at] as TransactionLine;
  const plainer: { readonly path: readonly (string | number)[]; readonly value: unknown }[] = [];
  mapPayload(action, payload, (field, value, _name, path) => {
    const plain = plainOf(field);
    if (plain !== undefined && plain !== value) plainer.push({ path, value: plain });
    return value;
  });
  for (const { path, value } of plainer) {
    const line = search.best.lines[at] as TransactionLine | undefined;
    if (line?.kind !== "transaction") return;
    search.tryLines(search.best.lines.with(at, withValue(line, path, value)));
  }
}

/** Default of a field; undefined if it is required. */
function plainOf(field: Field): unknown {
  switch (field.kind) {
    case "word":
    case "count":
    case "time":
      return 0;
    case "flag":
      return false;
    case "price":
    case "size":
    case "amount":
    case "rate":
    case "id":
      return field.optional ? 0 : undefined;
    case "text":
    case "market":
      return field.optional ? "" : undefined;
    default:
      return undefined;
  }
}

/** Rounds numbers: equal numbers of one kind together, wherever they occur, then one by one. */
export function roundNumbers(search: Search): void {
  search.pass = "round numbers";
  for (const kind of ["price", "size", "amount", "rate"] as const) {
    const values = new Set<number>();
    eachValue(search.best.lines, kind, (value) => values.add(value));
    for (const value of values) {
      for (const round of rounder(value, DECIMALS[kind])) {
        if (search.isOver) return;
        if (search.tryLines(replaceNumbers(search.best.lines, kind, value, round))) break;
      }
    }
  }
  eachTransaction(search, (line, at) => {
    mapPayload(line.action, line.payload, (field, value, _name, path) => {
      if (!isDecimal(field)) return value;
      for (const round of rounder(value as number, DECIMALS[field.kind])) {
        const present = search.best.lines[at];
        if (present?.kind !== "transaction") break;
        if (search.tryLines(search.best.lines.with(at, withValue(present, path, round)))) break;
      }
      return value;
    });
  });
}

type DecimalKind = keyof typeof DECIMALS;

const isDecimal = (field: Field): field is Field & { readonly kind: DecimalKind } =>
  Object.hasOwn(DECIMALS, field.kind);

function eachValue(lines: readonly Line[], kind: DecimalKind, visit: (value: number) => void): void {
  for (const line of lines) {
    if (line.kind === "block") continue;
    mapPayload(line.action, line.payload, (field, value) => {
      if (field.kind === kind && value !== 0) visit(value as number);
      return value;
    });
  }
}

function replaceNumbers(lines: readonly Line[], kind: DecimalKind, from: number, to: number): Line[] {
  return lines.map((line) => {
    if (line.kind === "block") return line;
    const payload = mapPayload(line.action, line.payload, (field, value) =>
      field.kind === kind && value === from ? to : value,
    );
    return payload === line.payload ? line : { ...line, payload };
  });
}

/** Visits transactions by index, in the current list. */
export function eachTransaction(search: Search, visit: (line: TransactionLine, at: number) => void): void {
  for (let at = 0; at < search.best.lines.length && !search.isOver; at++) {
    const line = search.best.lines[at]!;
    if (line.kind === "transaction") visit(line, at);
  }
}
