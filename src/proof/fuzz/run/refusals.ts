/** Checks that malformed input is refused: genesis, blocks, and stored venues. */

import { DecimalError, type DecimalFault, parseDecimal } from "../../../ground/math/decimal.ts";
import { isEngineError } from "../../../protocol/engineError.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import type { Block } from "../../../protocol/transaction.ts";
import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import { computeRoot, getHead } from "../../../venue/engine/commitment/root.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import { forkState } from "../../../venue/engine/state/forkState.ts";
import { catchError, findFormTaken, findGrantTaken } from "./damagedForms.ts";
import type { Played } from "./repeat.ts";
import type { FuzzViolation } from "./violation.ts";

type Loose = { -readonly [K in keyof Genesis]: Genesis[K] };

/** A fault of a genesis, with the place that the refusal must name. */
interface Damage {
  readonly place: string;
  damage(genesis: Loose): void;
}

const at = (place: string, damage: (genesis: Loose) => void): Damage => ({ place, damage });
const outflow = (field: string, change: object) =>
  at(`outflow.${field}`, (genesis) => void (genesis.outflow = { ...genesis.outflow, ...change }));
const nonces = (field: string, value: unknown) =>
  at(`nonces.${field}`, (genesis) => void (genesis.nonces = { [field]: value } as never));
const account = (genesis: Loose, change: object) => {
  const base = { address: `0x${"ab".repeat(20)}` as const, subaccount: 0, role: "normal" as const, balance: "1" };
  genesis.accounts = [...genesis.accounts, { ...base, ...change }];
};
const market = (genesis: Loose, change: object) => {
  genesis.markets = [...genesis.markets, { name: "FAULTY-PERP", preset: "minimal", parameters: {}, ...change }];
};

/**
 * Faults of an added last account and an added last market; their places depend on the number of accounts and markets.
 */
function listDamages({ accounts, markets }: Genesis): readonly Damage[] {
  const [last, other] = [`accounts[${accounts.length}]`, `accounts[${accounts.length + 1}]`];
  const backstop = { role: "backstop" };
  const market0 = `markets[${markets.length}]`;
  return [
    at("protocolVersion", (genesis) => void genesis.protocolVersion++),
    ...[0, 65_001, Number.NaN].map((most) => at("liquidationsMax", (it) => void (it.liquidationsMax = most))),
    ...[-1, 0.5, 2 ** 53].map((time) => at("timeMs", (it) => void (it.timeMs = time as never))),
    nonces("funds", "sequential"),
    ...["window:0", "window:1025", "window", "", 7, ["window:5"], ["sequential"]].map((scheme) =>
      nonces("trading", scheme),
    ),
    at(`${last}.lossLimit`, (it) => account(it, { lossLimit: "1" })),
    at(`${last}.lossLimit`, (it) => account(it, { ...backstop, lossLimit: "-1" })),
    at(`${last}.balance`, (it) => account(it, { ...backstop, lossLimit: "1", balance: "01" })),
    at(`${last}.balance`, (it) => account(it, { balance: "-1" })),
    at(`${last}.balance`, (it) => account(it, { balance: "0.0000001" })),
    at(`${last}.address`, (it) => account(it, { address: `0x${"AB".repeat(20)}` })),
    at(`${last}.address`, (it) => account(it, { address: `00x${"ab".repeat(20)}` })),
    at(`${last}.address`, (it) => account(it, { address: `0x${"ab".repeat(21)}` })),
    at(other, (it) => [account(it, {}), account(it, {})]),
    at("accounts", (it) => {
      for (let subaccount = 0; subaccount <= 500; subaccount++) account(it, { ...backstop, subaccount });
    }),
    at(`markets[${markets.length + 1}].name`, (it) => [market(it, {}), market(it, {})]),
    at(`markets[${markets.length}].parameters.tickSize`, (it) => market(it, { parameters: { tickSize: "0" } })),
    ...["-1", "9000000000.000001", "1.", "0.0000001", "x"].map((text) =>
      at("insurance", (it) => void (it.insurance = text)),
    ),
    ...listKinds(last, market0),
    at("origin", (it) => void (it.origin = `0x${"00".repeat(32)}`)),
    outflow("hourly.amount", { hourly: { amount: "x" } }),
    outflow("hourly.share", { hourly: { share: "1.000001" } }),
    outflow("daily.amount", { daily: { amount: "-1" } }),
    outflow("daily.share", { daily: { share: "2" } }),
    outflow("deficitThreshold", { deficitThreshold: "-0.5" }),
    ...[-1, 0.5, 1_000_000_001].map((blocks) => outflow("deficitBlocks", { deficitBlocks: blocks })),
  ];
}

/** Values of another type. A list with one text would read as that text if the type were not checked. */
function listKinds(last: string, lastMarket: string): readonly Damage[] {
  const set = (name: keyof Genesis, ...values: readonly unknown[]) =>
    values.map((value) => at(name, (it) => void Object.assign(it, { [name]: value })));
  const inAccount = (name: string, ...values: readonly unknown[]) =>
    values.map((value) => at(`${last}.${name}`, (it) => account(it, { [name]: value })));
  const inMarket = (name: string, ...values: readonly unknown[]) =>
    values.map((value) => at(`${lastMarket}.${name}`, (it) => market(it, { [name]: value })));
  return [
    ...set("network", ["x"], "", "x".repeat(65), "ü", 1),
    ...set("chainId", "1", -1, [1]),
    ...set("validityMax", Number.NaN, "5"),
    ...set("intentsMax", -1, [5]),
    ...set("liquidationsMax", 1.5, "5", [5]),
    ...set("insurance", ["1"], 1, null),
    ...set("accounts", "x", null),
    ...set("markets", null, {}),
    ...set("outflow", null, "x"),
    ...set("authorities", null, "x"),
    ...set("features", null, "x"),
    ...set("nonces", null, "window:5", ["window:5"]),
    ...inAccount("address", [`0x${"ab".repeat(20)}`], 5),
    ...inAccount("subaccount", -1, 0.5, 2 ** 32, "0", [0]),
    ...inAccount("role", "king", ["house"], "toString"),
    ...inAccount("balance", ["1"], 1),
    ...inMarket("name", ["FAULTY-PERP"], "", 5),
    ...inMarket("preset", ["minimal"]),
    ...inMarket("parameters", null, ["tickSize"]),
    at(`${lastMarket}.parameters.tickSize`, (it) => market(it, { parameters: { tickSize: ["1"] } })),
    at("authorities.oracle", (it) => void (it.authorities = { ...it.authorities, oracle: "0xa1" })),
    at("features.agents", (it) => void (it.features = { ...it.features, agents: "no" as never })),
    ...["hourly", "daily"].map((name) => outflow(name, { [name]: null })),
    outflow("hourly.share", { hourly: { share: ["1"] } }),
    outflow("deficitThreshold", { deficitThreshold: ["1"] }),
  ];
}

/** Changes that are barely valid. */
const EDGES: readonly ((genesis: Loose) => void)[] = [
  (genesis) => void Object.assign(genesis, { liquidationsMax: 1, timeMs: 0 }),
  (genesis) => void (genesis.liquidationsMax = 65_000),
  (genesis) => void (genesis.outflow = { ...genesis.outflow, hourly: { share: "1" }, deficitBlocks: 1_000_000_000 }),
  (genesis) => account(genesis, { role: "backstop", lossLimit: "0" }),
];

/** Texts that are not valid amounts, and why. */
const DECIMALS: readonly (readonly [text: string, fault: DecimalFault, words: string])[] = [
  ["1.", "malformed", '"1." is not a canonical'],
  ["1e3", "malformed", '"1e3" is not a canonical'],
  ["+1", "malformed", '"+1" is not a canonical'],
  ["-0", "malformed", '"-0" is not a canonical'],
  ["x".repeat(60), "malformed", `"${"x".repeat(45)}..." is not`],
  ["y".repeat(48), "malformed", `"${"y".repeat(48)}" is not`],
  ["0.0000001", "precision", '"0.0000001" has more than 6 digits'],
  ["9000000000.000001", "range", "beyond the largest value that can be stored, 9000000000"],
];

/**
 * @param played a played case, whose genesis and first blocks are damaged
 * @param create creates a venue of the engine
 */
export function checkRefusals({ genesis, blocks }: Played, create = createVenue): FuzzViolation | undefined {
  const fault =
    findGenesisTaken(genesis, create) ??
    findDecimalTaken() ??
    findBlockTaken(genesis, blocks) ??
    findGrantTaken(genesis, blocks);
  return fault === undefined
    ? undefined
    : { kind: "determinism", invariant: "malformedIsRefused", height: 0, observed: fault };
}

function findGenesisTaken(genesis: Genesis, create: typeof createVenue): string | undefined {
  for (const { place, damage } of listDamages(genesis)) {
    const damaged: Loose = { ...genesis };
    damage(damaged);
    const error = catchError(() => create(damaged));
    if (!isEngineError(error, "INVALID_GENESIS"))
      return `a genesis with another ${place} is taken, or ${String(error)}`;
    const { details, message } = error;
    const isReported =
      details.place === place && details.fault !== "" && message === `genesis ${place}: ${details.fault}`;
    if (!isReported) return `a genesis with another ${place} is refused for ${details.place}: ${message}`;
  }
  for (const change of EDGES) {
    const edged: Loose = { ...genesis };
    change(edged);
    const error = catchError(() => create(edged));
    if (error !== undefined) return `a genesis at an edge is refused: ${String(error)}`;
  }
  return undefined;
}

function findDecimalTaken(): string | undefined {
  for (const [text, fault, words] of DECIMALS) {
    const error = catchError(() => parseDecimal(text, 6));
    const isReported = error instanceof DecimalError && error.fault === fault && error.message.includes(words);
    if (!isReported) return `${text} is read, or ${String(error)}`;
  }
  return undefined;
}

/** Blocks that do not follow, and damaged stored forms of a venue, some blocks into the case. */
function findBlockTaken(genesis: Genesis, blocks: readonly Block[]): string | undefined {
  const state = createVenue(genesis);
  for (const block of blocks.slice(0, 4)) applyBlock(state, block);
  const root = computeRoot(state);
  const { height, timeMs } = state;
  const next: Block = { height: height + 1, timeMs: timeMs + 1, transactions: [] };
  const system = blocks.flatMap(({ transactions }) => transactions).filter(({ action }) => action === "oracleUpdate");
  const user = blocks.flatMap(({ transactions }) => transactions).find(({ action }) => action === "placeOrder");
  const wrong: Block[] = [
    { ...next, height },
    { ...next, height: height + 2 },
    { ...next, timeMs },
    { ...next, timeMs: timeMs + 0.5 },
    { ...next, timeMs: Number.NaN },
    { ...next, parentHash: `0x${"00".repeat(32)}` },
  ];
  if (user !== undefined && system[0] !== undefined) wrong.push({ ...next, transactions: [user, system[0]] });
  for (const block of wrong) {
    const error = catchError(() => applyBlock(state, block));
    if (!isEngineError(error, "INVALID_BLOCK")) return `a block that does not follow is taken, or ${String(error)}`;
    if (error.details.fault === "" || error.details.height !== block.height)
      return `block ${block.height}: ${error.message}`;
    if (computeRoot(state) !== root) return `block ${block.height} is refused and changed the venue`;
  }
  const fork = forkState(state);
  const error = catchError(() => applyBlock(fork, { ...next, parentHash: getHead(state) }));
  return error === undefined ? findFormTaken(state) : `a block that follows is refused: ${String(error)}`;
}
