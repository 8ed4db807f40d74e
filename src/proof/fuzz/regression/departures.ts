import { compileScenario } from "../../../product/scenario/compile/compileScenario.ts";
import { ScenarioError } from "../../../product/scenario/faults.ts";
import { CaseRun } from "../../../product/scenario/run/caseRun.ts";
import { encodePayload } from "../../../protocol/codec.ts";
import { genesisText } from "../../../protocol/genesis.ts";
import type { Block, Transaction } from "../../../protocol/transaction.ts";
import { createDigester } from "../../../protocol/typedDataDigest.ts";
import { applyBlock, type BlockResult } from "../../../venue/engine/applyBlock.ts";
import type { Written } from "../../../venue/simulation/restoreVenue.ts";
import { signingDomainOf } from "../../../venue/simulation/signatures.ts";
import type { Apply } from "../shrink/readScript.ts";
import type { PlayedScript } from "../shrink/runner.ts";
import type { TransactionLine } from "../shrink/script.ts";

/** A place where a file would do something else than what was played. */
export interface Departure {
  /** 0 for genesis. */
  readonly height: number;
  /** Number of the line; undefined if it is not a transaction. */
  readonly line: number | undefined;
  /** `header.nonce`, `payload.legs.0.orderId`. */
  readonly place: string;
  readonly wanted: unknown;
  /** Value that the file gives. */
  readonly built: unknown;
}

/**
 * Compares a file with what was played: genesis, block times, and every value of every transaction, each built on the
 * venue as of its block. No departure: the file does exactly what was played.
 *
 * @param restarts forms from which the venue restarts before each block
 */
export function findDepartures(
  text: string,
  played: PlayedScript,
  restarts: readonly (readonly Written[])[] = [],
  apply: Apply = applyBlock,
): Departure[] {
  const { genesis, blocks } = played.chronicle;
  let run: CaseRun;
  try {
    const [plan] = compileScenario(FILE, () => text).cases;
    const digester = createDigester(signingDomainOf(genesis));
    run = new CaseRun(plan!, (transaction) => digester.digestOf(transaction));
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    const [fault] = error.faults;
    return [{ height: 0, line: undefined, place: "file", wanted: "no fault", built: fault?.message }];
  }
  const found: Departure[] = [];
  const compare = (place: string, wanted: unknown, built: unknown, height: number, line?: number) => {
    if (wanted !== built) found.push({ height, line, place, wanted, built });
  };
  const { blocks: planned, genesis: own } = run.case;
  compare("genesis", genesisText(genesis), genesisText(own), 0);
  compare("blocks", blocks.length, planned.length, 0);
  if (found.length > 0) return found;
  for (const [at, block] of blocks.entries()) {
    const { height } = block;
    compare("restart", String(restarts[at] ?? []), String(planned[at]!.restart), height);
    let built: Block;
    try {
      built = run.build(planned[at]!);
    } catch {
      // Nonces and labels depend on earlier transactions of the block, at which the venue throws.
      return listPlaces(block, played.lines[at]!, { others: new Set(played.lines[at]!.map(({ number }) => number)) });
    }
    compare("timeMs", block.timeMs, built.timeMs, height);
    compare("transactions", block.transactions.length, built.transactions.length, height);
    if (found.some(({ line }) => line === undefined)) return found;
    block.transactions.forEach((transaction, index) => {
      const wanted = flatten(transaction);
      const given = flatten(built.transactions[index]!);
      for (const place of new Set([...wanted.keys(), ...given.keys()]))
        compare(place, wanted.get(place), given.get(place), height, played.lines[at]![index]!.number);
    });
    const before = run.state.consumed;
    let result: BlockResult;
    try {
      result = apply(run.state, block);
    } catch {
      break; // the venue throws here, and no later block was played
    }
    run.remember(planned[at]!, block, result, before);
  }
  return found;
}

/**
 * All places of a block that depend on the outcome of earlier transactions: nonces and references.
 *
 * @param chosen indices of transactions; all by default
 * @param others numbers of the referenced lines; all by default
 */
export function listPlaces(
  { height, transactions }: Block,
  lines: readonly TransactionLine[],
  { chosen, others }: { readonly chosen?: readonly number[]; readonly others?: ReadonlySet<number> },
): Departure[] {
  const counts = (line: unknown) => others?.has(line as number) ?? true;
  return lines.flatMap((line, index) => {
    if (chosen?.includes(index) === false) return [];
    const { header } = transactions[index]!;
    const departure = { height, line: line.number, built: undefined };
    const found: Departure[] = [{ ...departure, place: "header.nonce", wanted: header.nonce }];
    if (line.grant !== undefined && counts(line.grant))
      found.push({ ...departure, place: "header.authorization", wanted: header.authorization });
    for (const link of line.links) {
      if ((link.to === "id" || link.to === "grant") && counts(link.line))
        found.push({ ...departure, place: `payload.${link.path.join(".")}`, wanted: undefined });
    }
    return found;
  });
}

/** The file exists only in memory. */
const FILE = "regression.yaml";

/** Single values of a transaction by place. */
function flatten({ action, header, payload, verdict }: Transaction): Map<string, unknown> {
  const { account, ...rest } = header;
  const values = new Map<string, unknown>([
    ["action", action],
    ["verdict", verdict],
    ["header.account", `${account.address}/${account.subaccount}`],
  ]);
  walk(rest, "header", values);
  walk(encodePayload(action, payload as never), "payload", values);
  return values;
}

function walk(tree: object, path: string, values: Map<string, unknown>): void {
  for (const [name, value] of Object.entries(tree)) {
    if (typeof value === "object" && value !== null) walk(value, `${path}.${name}`, values);
    else values.set(`${path}.${name}`, value);
  }
}
