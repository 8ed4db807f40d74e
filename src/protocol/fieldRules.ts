/**
 * When a field of an action is needed or refused (ACT-3). The definition of an action holds the rows. The checks of the
 * venue, the wire page and the test that sets each field for each kind are derived from them. A field without a row is
 * honoured wherever it is given.
 */
import type { Field, Fields } from "./fields.ts";
import type { RejectionCode } from "./rejections.ts";
import { ZERO_ADDRESS } from "./transaction.ts";

/** Fields, and the words of each for which a row holds. The words of a flag are `true` and `false`. */
export type Conditions = Readonly<Record<string, readonly string[]>>;

interface Row {
  readonly field: string;
  /** Fields of the same record. */
  readonly when?: Conditions;
  /** Parameters of the market that the action names. */
  readonly market?: Conditions;
  /** The row holds only if this field is given, too. */
  readonly given?: string;
  readonly code: RejectionCode;
}

/** The field must be empty. */
export interface RefusedRow extends Row {
  readonly use: "refused";
  /** Only these words of it are refused; by default all but the empty one. */
  readonly words?: readonly string[];
}
/** The field may not be empty. */
export interface NeededRow extends Row {
  readonly use: "needed";
  /** This field will do in its place. */
  readonly or?: string;
  /** A list has exactly so many entries. */
  readonly entries?: number;
}
/** The field lies in a range where it is given, in its decoded unit. */
export interface WithinRow extends Row {
  readonly use: "within";
  readonly least: number;
  readonly most?: number;
  /** The range in words, for the wire page. */
  readonly range: string;
}
/** The field is a multiple of another. */
export interface MultipleRow extends Row {
  readonly use: "multiple";
  readonly of: string;
}

export type FieldRule = RefusedRow | NeededRow | WithinRow | MultipleRow;
type Shared = Pick<Row, "when" | "market" | "given" | "code">;

/** Rows that refuse each of the fields. */
export const refuse = (fields: readonly string[], shared: Shared & Pick<RefusedRow, "words">): readonly RefusedRow[] =>
  fields.map((field) => ({ field, use: "refused", ...shared }));
export const need = (field: string, shared: Shared & Pick<NeededRow, "or" | "entries">): NeededRow => ({
  field,
  use: "needed",
  ...shared,
});

type Values = Readonly<Record<string, unknown>>;

/** A row as the venue checks it: conditions are sets of words, a bit each. */
export interface CompiledRule {
  readonly rule: FieldRule;
  readonly conditions: readonly Condition[];
  readonly marketConditions: readonly { readonly name: string; readonly words: readonly string[] }[];
  /** Refused words as bits; 0 where everything but the empty value is refused. */
  readonly refused: number;
}
interface Condition {
  readonly name: string;
  readonly bits: number;
}

/** Rows by code, in the order of the definition. */
export type CompiledRules = Readonly<Partial<Record<RejectionCode, readonly CompiledRule[]>>>;

/** Rows of a definition as checks. */
export function compileFieldRules(fields: Fields, rules: readonly FieldRule[]): CompiledRules {
  const byCode: Partial<Record<RejectionCode, CompiledRule[]>> = {};
  for (const rule of rules) {
    const compiled: CompiledRule = {
      rule,
      conditions: Object.entries(rule.when ?? {}).map(([name, words]) => ({
        name,
        bits: bitsOf(fields[name]!, words),
      })),
      marketConditions: Object.entries(rule.market ?? {}).map(([name, words]) => ({ name, words })),
      refused: rule.use === "refused" && rule.words !== undefined ? bitsOf(fields[rule.field]!, rule.words) : 0,
    };
    (byCode[rule.code] ??= []).push(compiled);
  }
  return byCode;
}

/**
 * The first row of a code that a record breaks.
 *
 * @param parameters words of the market's parameters by name; only for rows that read them
 */
export function findFieldFault(
  rules: CompiledRules,
  code: RejectionCode,
  record: object,
  parameters?: Values,
): FieldRule | undefined {
  const rows = rules[code];
  if (rows === undefined) return undefined;
  for (const row of rows) if (isBroken(row, record as Values, parameters)) return row.rule;
  return undefined;
}

/** Words of the conditions of a row, for the numbers of a rejection: as the record has them. */
export function wordsOf(fields: Fields, { when = {}, market = {} }: FieldRule, record: object, parameters?: Values) {
  const words: Record<string, string> = {};
  for (const name of Object.keys(when)) words[name] = wordOf(fields[name]!, (record as Values)[name]);
  for (const name of Object.keys(market)) words[name] = String(parameters?.[name]);
  return words;
}

/** Whether a decoded value is the empty one of its field (ACT-3). */
export function isEmpty(value: unknown): boolean {
  return (
    value === 0 ||
    value === "" ||
    value === false ||
    value === ZERO_ADDRESS ||
    (Array.isArray(value) && value.length === 0)
  );
}

function wordOf(field: Field, value: unknown): string {
  return field.kind === "word" ? field.words[value as number]! : String(value);
}

function bitsOf(field: Field, words: readonly string[]): number {
  const all: readonly string[] = field.kind === "word" ? field.words : ["false", "true"];
  return words.reduce((bits, word) => bits | (1 << all.indexOf(word)), 0);
}

function isBroken(row: CompiledRule, record: Values, parameters: Values | undefined): boolean {
  for (const { name, bits } of row.conditions) if (((bits >> Number(record[name])) & 1) === 0) return false;
  for (const { name, words } of row.marketConditions) if (!words.includes(String(parameters?.[name]))) return false;
  const { rule } = row;
  if (rule.given !== undefined && isEmpty(record[rule.given])) return false;
  const value = record[rule.field];
  switch (rule.use) {
    case "refused":
      return row.refused === 0 ? !isEmpty(value) : ((row.refused >> Number(value)) & 1) !== 0;
    case "needed":
      if (rule.entries !== undefined) return (value as readonly unknown[]).length !== rule.entries;
      return isEmpty(value) && (rule.or === undefined || isEmpty(record[rule.or]));
    case "within":
      if (isEmpty(value)) return false;
      return (value as number) < rule.least || (rule.most !== undefined && (value as number) > rule.most);
    case "multiple":
      return (value as number) % (record[rule.of] as number) !== 0;
  }
}
