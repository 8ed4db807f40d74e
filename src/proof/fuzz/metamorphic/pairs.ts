import { AccountKey } from "../../../protocol/accountKey.ts";
import type { Address } from "../../../protocol/fields.ts";
import { type Transaction, ZERO_ADDRESS } from "../../../protocol/transaction.ts";
import { computeRoot } from "../../../venue/engine/commitment/root.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import type { Chronicle } from "../case/resolveCase.ts";
import { type FuzzViolation, ORACLES } from "../run/violation.ts";
import { createLine } from "../shrink/createLine.ts";
import { mapPayload } from "../shrink/payloads.ts";
import type { Apply } from "../shrink/readScript.ts";
import { playScript } from "../shrink/runner.ts";
import type { Line, Script, TransactionLine } from "../shrink/script.ts";
import { sidesDoNotMatter } from "./mirror.ts";
import { compare, type MetamorphicPair, Original, violate } from "./pair.ts";
import { settlingIsFree } from "./settling.ts";
import { unitsDoNotMatter } from "./units.ts";

/** Committed transactions that are sent again are invalid and have no effect. */
export const replaysLeaveNothing: MetamorphicPair = {
  id: "replaysLeaveNothing",
  sentence: ORACLES.replaysLeaveNothing,
  rules: ["NON-1", "NON-3", "TX-1"],
  check({ chronicle: { genesis, blocks }, apply }) {
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

/** Addresses do not matter, if all accounts keep their order by address. */
export const namesDoNotMatter: MetamorphicPair = {
  id: "namesDoNotMatter",
  sentence: ORACLES.namesDoNotMatter,
  rules: ["DET-1"],
  check({ script, plain, apply }) {
    // Bytes that are carried may contain addresses that this pair does not see.
    if (script.lines.some((line) => line.kind === "transaction" && line.action === "devnetImpersonate"))
      return undefined;
    return compare(this.id, plain, playScript(renameAll(script), apply).chronicle, apply);
  },
};

const SHIFT = 0x0100_0000_0000_0000_0000_0000_0000n;

function renameAll({ genesis, lines }: Script): Script {
  // The zero address is the empty value of a field, and never an account (ACT-3).
  const fixed = new Set<string>([...Object.values(genesis.authorities), ZERO_ADDRESS]);
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

/** A noop consumes a nonce and an id, and changes nothing else. */
export const idleTransactionsMoveNothing: MetamorphicPair = {
  id: "idleTransactionsMoveNothing",
  sentence: ORACLES.idleTransactionsMoveNothing,
  rules: ["ACT-1", "NON-1", "DET-1"],
  check({ script, plain, apply }) {
    return compare(this.id, plain, playScript(withIdle(script), apply).chronicle, apply);
  },
};

/** Adds a noop at the end of every block, signed by the owner of the account that acted last. */
function withIdle({ genesis, lines }: Script): Script {
  let number = lines.reduce((most, line) => (line.kind === "transaction" ? Math.max(most, line.number) : most), 0);
  let last: TransactionLine | undefined;
  const idle = lines.flatMap((line): Line[] => {
    if (line.kind === "transaction") {
      if (line.domain !== "system" && line.grant === undefined && line.signer === line.account.address) last = line;
      return [line];
    }
    if (last === undefined) return [line];
    const { account } = last;
    return [createLine({ number: ++number, action: "noop", account, payload: {}, domain: "risk" }), line];
  });
  return { genesis, lines: idle };
}

/** All pairs, in the order in which they are checked. */
export const METAMORPHIC_PAIRS: readonly MetamorphicPair[] = [
  replaysLeaveNothing,
  namesDoNotMatter,
  idleTransactionsMoveNothing,
  settlingIsFree,
  sidesDoNotMatter,
  unitsDoNotMatter,
];

/**
 * Checks the pairs of a chain and returns the first difference. Returns none if the venue throws: another oracle
 * reports that.
 */
export function checkPairs(chronicle: Chronicle, apply?: Apply): FuzzViolation | undefined {
  const original = new Original(chronicle, apply);
  for (const pair of METAMORPHIC_PAIRS) {
    const found = pair.check(original);
    if (found !== undefined) return found;
  }
  return undefined;
}
