import { applyBlock } from "../../engine/applyBlock.ts";
import { computeRoot } from "../../engine/commitment/root.ts";
import { readEvents } from "../../engine/events/readEvents.ts";
import { createVenue } from "../../engine/genesis.ts";
import type { State } from "../../engine/state/state.ts";
import { AccountKey } from "../../protocol/accountKey.ts";
import { events as EVENTS, type VenueEvent } from "../../protocol/events.ts";
import type { Address } from "../../protocol/fields.ts";
import type { Block, Transaction } from "../../protocol/transaction.ts";
import type { Chronicle } from "../case/resolveCase.ts";
import { type FuzzViolation, ORACLES } from "../run/violation.ts";
import { mapPayload } from "../shrink/payloads.ts";
import type { Apply } from "../shrink/readScript.ts";
import { readScript } from "../shrink/readScript.ts";
import { playScript } from "../shrink/runner.ts";
import type { Line, Script, TransactionLine } from "../shrink/script.ts";

/**
 * Two chains that must come to the same, though neither says what is right: what changes between them is something that
 * must not matter. Pairs find what no look at a single state can.
 */
export interface MetamorphicPair {
  readonly id: string;
  /** What must not matter, as a sentence. */
  readonly sentence: string;
  readonly rules: readonly string[];
  /** What the two differ in; undefined where they do not, or where the chain has nothing to change. */
  check(chronicle: Chronicle, apply: Apply): FuzzViolation | undefined;
}

const violate = (invariant: string, height: number, observed: string): FuzzViolation => ({
  kind: "metamorphic",
  invariant,
  height,
  observed,
});

/** Committed transactions that come again are inadmissible, and leave nothing behind. */
export const replaysLeaveNothing: MetamorphicPair = {
  id: "replaysLeaveNothing",
  sentence: ORACLES.replaysLeaveNothing,
  rules: ["NON-1", "NON-3", "TX-1"],
  check({ genesis, blocks }, apply) {
    const [plain, noisy] = [createVenue(genesis), createVenue(genesis)];
    let old: Transaction[] = [];
    for (const block of blocks) {
      const result = apply(plain, block);
      const again = { ...block, transactions: [...block.transactions, ...old] };
      const second = apply(noisy, again);
      for (let index = block.transactions.length; index < again.transactions.length; index++) {
        if (second.receipts.codes[index]! < 0) continue;
        return violate(this.id, block.height, `${again.transactions[index]!.action} was committed a second time`);
      }
      const committed = block.transactions.filter(
        ({ header }, index) => result.receipts.codes[index]! >= 0 && header.nonceDomain !== "system",
      );
      old = [...old, ...committed].slice(-8);
    }
    const [one, two] = [computeRoot(plain), computeRoot(noisy)];
    return one === two ? undefined : violate(this.id, plain.height, `root ${one}, with replays ${two}`);
  },
};

/** Who somebody is does not matter, as long as everybody keeps their place in the order of addresses. */
export const namesDoNotMatter: MetamorphicPair = {
  id: "namesDoNotMatter",
  sentence: ORACLES.namesDoNotMatter,
  rules: ["DET-1"],
  check(chronicle, apply) {
    const script = readScript(chronicle, apply);
    // What is carried as bytes has addresses that are not seen here.
    if (script.lines.some((line) => line.kind === "transaction" && line.action === "devnetImpersonate"))
      return undefined;
    return compare(this.id, playScript(script, apply).chronicle, playScript(renameAll(script), apply).chronicle, apply);
  },
};

const SHIFT = 0x0100_0000_0000_0000_0000_0000_0000n;

function renameAll({ genesis, lines }: Script): Script {
  const fixed = new Set<string>(Object.values(genesis.authorities));
  const rename = (address: Address): Address => {
    const value = BigInt(address) + SHIFT;
    return fixed.has(address) || value >= 1n << 160n ? address : `0x${value.toString(16).padStart(40, "0")}`;
  };
  const accounts = genesis.accounts.map((account) => ({ ...account, address: rename(account.address) }));
  const renamed = lines.map((line): Line => {
    if (line.kind === "block") return line;
    const payload = mapPayload(line.action, line.payload, ({ kind }, value) =>
      kind === "address" && value !== "" ? rename(value as Address) : value,
    );
    const { address, subaccount } = line.account;
    return { ...line, payload, account: new AccountKey(rename(address), subaccount), signer: rename(line.signer) };
  });
  return { genesis: { ...genesis, accounts }, lines: renamed };
}

/** A transaction that does nothing takes a nonce and an id, and moves nothing else. */
export const idleTransactionsMoveNothing: MetamorphicPair = {
  id: "idleTransactionsMoveNothing",
  sentence: ORACLES.idleTransactionsMoveNothing,
  rules: ["ACT-1", "NON-1", "DET-1"],
  check(chronicle, apply) {
    const script = readScript(chronicle, apply);
    return compare(this.id, playScript(script, apply).chronicle, playScript(withIdle(script), apply).chronicle, apply);
  },
};

/** Every block ends with a noop of the account that acted last, under its owner's signature. */
function withIdle({ genesis, lines }: Script): Script {
  let number = lines.reduce((most, line) => (line.kind === "transaction" ? Math.max(most, line.number) : most), 0);
  let last: TransactionLine | undefined;
  const idle = lines.flatMap((line): Line[] => {
    if (line.kind === "transaction") {
      if (line.domain !== "system" && line.grant === undefined && line.signer === line.account.address) last = line;
      return [line];
    }
    return last === undefined ? [line] : [noopOf(last, ++number), line];
  });
  return { genesis, lines: idle };
}

function noopOf({ account }: TransactionLine, number: number): TransactionLine {
  return {
    kind: "transaction",
    number,
    action: "noop",
    account,
    payload: {},
    links: [],
    signer: account.address,
    grant: undefined,
    domain: "risk",
    nonce: 0,
    validFrom: 0,
    validUntil: 0,
    network: undefined,
    version: undefined,
    envelope: undefined,
    replaces: undefined,
    clientTxId: "",
    verdict: true,
  };
}

/** Fields that name what was made, not what happened. */
const NAMES = new Set(["word32", "order", "intent", "text", "grant", "authorization"]);
/** Events that tell of nonces, and of addresses that came to be. */
const SILENT = new Set(["nonceAdvanced", "nonceUsed"]);

/** What happened in two chains, block by block. */
function compare(id: string, first: Chronicle, second: Chronicle, apply: Apply): FuzzViolation | undefined {
  const [one, two] = [createVenue(first.genesis), createVenue(second.genesis)];
  for (const [at, block] of first.blocks.entries()) {
    const other = second.blocks[at];
    if (other === undefined) return violate(id, block.height, "the other chain ends before it");
    const [before, after] = [tell(one, block, apply), tell(two, other, apply)];
    const place = before.findIndex((words, index) => words !== after[index]);
    if (place >= 0 || before.length !== after.length) {
      const index = place < 0 ? before.length : place;
      return violate(id, block.height, `${before[index] ?? "nothing"}, the other time ${after[index] ?? "nothing"}`);
    }
  }
  return undefined;
}

function tell(state: State, block: Block, apply: Apply): string[] {
  const { events, from, to } = apply(state, block);
  return readEvents(events, from, to).flatMap((event) => (SILENT.has(event.kind) ? [] : [wordsOf(event)]));
}

function wordsOf(event: VenueEvent): string {
  const fields = EVENTS[event.kind].fields as Readonly<Record<string, string>>;
  const values = event as unknown as Readonly<Record<string, number>>;
  const parts = Object.entries(fields).flatMap(([name, unit]) => (NAMES.has(unit) ? [] : [`${name} ${values[name]}`]));
  return `${event.kind}: ${parts.join(", ")}`;
}

/** All pairs, in the order in which they are looked at. */
export const METAMORPHIC_PAIRS: readonly MetamorphicPair[] = [
  replaysLeaveNothing,
  namesDoNotMatter,
  idleTransactionsMoveNothing,
];

/**
 * Looks at the pairs of a chain: the first that differs. A chain at which the venue breaks down has none; that is another
 * oracle's to say.
 */
export function checkPairs(chronicle: Chronicle, apply: Apply = applyBlock): FuzzViolation | undefined {
  for (const pair of METAMORPHIC_PAIRS) {
    const found = pair.check(chronicle, apply);
    if (found !== undefined) return found;
  }
  return undefined;
}
