import { usesOf } from "../../../../product/scenario/compile/compileStep.ts";
import type { PlannedBlock, PlannedStep } from "../../../../product/scenario/compile/plan.ts";
import type { Cell, MapCell } from "../../../../product/scenario/parse/cell.ts";

/** A block of an alphabet, for one exchange of the names of accounts that are alike. */
export interface Letter {
  /** Place of the block in the world's file. */
  readonly block: number;
  readonly name: string;
  readonly planned: PlannedBlock;
  /** Labels that the block needs from before. */
  readonly needs: readonly string[];
}

/** An exchange of names: the name that each account gets. Names that are not in it stay. */
export type Exchange = ReadonlyMap<string, string>;

/** An alphabet that is closed under the exchanges of its accounts. */
export interface Alphabet {
  readonly letters: readonly Letter[];
  /** All exchanges; the first one changes nothing. */
  readonly exchanges: readonly Exchange[];
  /** By exchange and letter: the letter with exchanged names. */
  readonly exchanged: readonly (readonly number[])[];
  /** True if a transaction names a nonce. */
  readonly hasNonces: boolean;
  /** Name of a label after an exchange. */
  exchangeLabel(label: string, exchange: number): string;
}

/** Name of a label with the account that makes it: each of several accounts that are alike makes its own. */
export function labelOf(label: string, maker: string): string {
  return `${label}--${maker.replaceAll("/", "_")}`;
}

/**
 * Adds to each block of an alphabet its copies with exchanged names, each once.
 *
 * @param made accounts that made the labels before the alphabet
 */
export function expandAlphabet(
  blocks: readonly PlannedBlock[],
  alike: readonly (readonly string[])[],
  made: ReadonlyMap<string, string>,
): Alphabet {
  const makers = new Map(made);
  for (const { steps } of blocks)
    for (const { who, labels } of steps) for (const label of labels) makers.set(label, who);
  const exchanges = listExchanges(alike);
  const letters: Letter[] = [];
  const places = new Map<string, number>();
  const placeOf = (exchange: Exchange, block: number): number => {
    const planned = exchangeBlock(blocks[block]!, exchange, makers);
    const text = textOf(block, planned);
    let place = places.get(text);
    if (place === undefined) {
      place = letters.length;
      places.set(text, place);
      letters.push({ block, name: nameOf(planned, exchange), planned, needs: listNeeds(planned) });
    }
    return place;
  };
  // The copies of a block follow it, so that reports list them together.
  const table = blocks.map((_, block) => exchanges.map((exchange) => placeOf(exchange, block)));
  const origins = letters.map((_, letter) => {
    const block = letters[letter]!.block;
    return { block, by: exchanges[table[block]!.indexOf(letter)]! };
  });
  const exchanged = exchanges.map((exchange) => origins.map(({ block, by }) => placeOf(join(by, exchange), block)));
  const hasNonces = blocks.some(({ steps }) => steps.some(({ nonce }) => nonce !== undefined));
  const exchangeLabel = (label: string, exchange: number): string => {
    const [plain = "", maker = ""] = label.split("--");
    const other = [...exchanges[exchange]!].find(([name]) => name.replaceAll("/", "_") === maker)?.[1];
    return other === undefined ? label : labelOf(plain, other);
  };
  return { letters, exchanges, exchanged, hasNonces, exchangeLabel };
}

/** Every way to exchange the names of each group; the first way leaves them. */
function listExchanges(groups: readonly (readonly string[])[]): Exchange[] {
  let found: Exchange[] = [new Map()];
  for (const group of groups) {
    const ways = listOrders(group).map((order) => group.map((name, at) => [name, order[at]!] as const));
    found = found.flatMap((exchange) => ways.map((way) => new Map([...exchange, ...way])));
  }
  return found;
}

function listOrders(names: readonly string[]): string[][] {
  if (names.length <= 1) return [[...names]];
  return names.flatMap((first, at) =>
    listOrders(names.filter((_, place) => place !== at)).map((others) => [first, ...others]),
  );
}

/** One exchange after another. */
function join(first: Exchange, second: Exchange): Exchange {
  return new Map([...first].map(([name, other]) => [name, second.get(other) ?? other]));
}

function exchangeBlock(block: PlannedBlock, exchange: Exchange, makers: ReadonlyMap<string, string>): PlannedBlock {
  const nameOfLabel = (label: string) => {
    const maker = makers.get(label) ?? "";
    return labelOf(label, exchange.get(maker) ?? maker);
  };
  const word = (text: string): string =>
    /^\$[a-zA-Z][\w-]*$/.test(text) ? `$${nameOfLabel(text.slice(1))}` : (exchange.get(text) ?? text);
  const cellOf = (cell: Cell): Cell => {
    if (cell.kind === "map") return mapOf(cell);
    if (cell.kind === "list") return { ...cell, items: cell.items.map(cellOf) };
    return cell.kind === "text" ? { ...cell, source: word(cell.source) } : cell;
  };
  const mapOf = (cell: MapCell): MapCell => ({
    ...cell,
    entries: cell.entries.map((entry) => ({ ...entry, value: cellOf(entry.value) })),
  });
  const stepOf = (step: PlannedStep): PlannedStep => ({
    ...step,
    who: exchange.get(step.who) ?? step.who,
    payload: mapOf(step.payload),
    labels: step.labels.map(nameOfLabel),
    signer: step.signer === undefined ? undefined : (exchange.get(step.signer) ?? step.signer),
    authorization: step.authorization === undefined ? undefined : word(step.authorization),
  });
  return { ...block, steps: block.steps.map(stepOf) };
}

/** Labels that a block uses before it makes them. */
function listNeeds({ steps }: PlannedBlock): string[] {
  const made = new Set<string>();
  const needs = new Set<string>();
  for (const { payload, authorization, labels } of steps) {
    const uses = usesOf(payload).map(({ name }) => name);
    if (authorization?.startsWith("$")) uses.push(authorization.slice(1));
    for (const name of uses) if (!made.has(name)) needs.add(name);
    for (const label of labels) made.add(label);
  }
  return [...needs];
}

/** Text that two blocks have in common only if they are equal. */
function textOf(block: number, { steps }: PlannedBlock): string {
  const plain = (cell: Cell): unknown => {
    if (cell.kind === "map") return cell.entries.map(({ key, value }) => [key, plain(value)]);
    return cell.kind === "list" ? cell.items.map(plain) : cell.source;
  };
  const parts = steps.map(({ who, action, payload, labels, signer, authorization }) => [
    ...[who, action, plain(payload), labels, signer, authorization],
  ]);
  return JSON.stringify([block, parts]);
}

/** Name of a block, with the exchanged accounts. */
function nameOf({ name }: PlannedBlock, exchange: Exchange): string {
  const changed = [...exchange].filter(([from, to]) => from !== to).map(([from, to]) => `${to} for ${from}`);
  return changed.length === 0 ? name : `${name} (${changed.join(", ")})`;
}
