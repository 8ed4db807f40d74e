import { isEngineError } from "../../../protocol/engineError.ts";
import type { Address } from "../../../protocol/fields.ts";
import { createGenesis, type Genesis } from "../../../protocol/genesis.ts";
import { isParameterFault } from "../../../protocol/parameterFault.ts";
import type { ParameterTexts } from "../../../protocol/parameters.ts";
import { readMarketParameters } from "../../../protocol/readParameters.ts";
import type { Role } from "../../../protocol/words.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import { addressOfName, isAuthority, Names } from "../../../venue/simulation/accountNames.ts";
import type { Faults } from "../faults.ts";
import { type Cell, entriesOf, getCell, getText, type MapCell, toPlain } from "../parse/cell.ts";
import { parseInstant } from "./duration.ts";

/** Genesis of a case and the names that it declares. */
export function compileGenesis(root: MapCell, faults: Faults): { genesis: Genesis; names: Names } {
  const names = declareNames(root, faults);
  const accounts: Genesis["accounts"][number][] = [];
  if (getCell(root, "markets") === undefined)
    faults.add(
      root.place,
      "markets is missing",
      "write markets: { BTC-PERP: { preset: linear } }, or start: from a venue",
    );
  for (const { key: name, value } of entriesOf(getCell(root, "accounts"))) {
    const balance = getText(value, "deposit");
    const role = (getText(value, "role") ?? "normal") as Role;
    if (balance === undefined && role === "normal") continue;
    const { address, subaccount } = names.key(name);
    const lossLimit = getText(value, "lossLimit");
    const limited = lossLimit === undefined ? {} : { lossLimit };
    accounts.push({ address, subaccount, role, balance: balance ?? "0", ...limited });
  }
  const before = faults.list.length;
  const markets = entriesOf(getCell(root, "markets")).map(({ key: name, value }) => compileMarket(name, value, faults));
  const genesis = createGenesis({ ...readGenesisKeys(getCell(root, "genesis")), markets, accounts });
  if (faults.list.length === before) checkVenue(genesis, root, faults);
  return { genesis, names };
}

/** Names of accounts with their addresses. One owner has one address, and no other has it. */
export function declareNames(root: MapCell, faults: Faults): Names {
  const names = new Names();
  const owners = new Map<string, { readonly owner: string; readonly address: string }>();
  for (const { key: name, place, value } of entriesOf(getCell(root, "accounts"))) {
    if (isAuthority(name)) faults.add(place, `${name} is an authority`, "give the account another name");
    const [owner = ""] = name.split("/");
    const address = (getText(value, "address") ?? addressOfName(name)) as Address;
    const other = [...owners.values()].find((known) => (known.owner === owner) !== (known.address === address));
    if (other !== undefined) {
      const hint = "an owner has one address: write it with each of its subaccounts";
      faults.add(place, `${name} has the address ${address}, ${other.owner} ${other.address}`, hint);
    }
    owners.set(name, { owner, address });
    names.declare(name, address);
  }
  return names;
}

/** Whether a venue starts from it. */
function checkVenue(genesis: Genesis, root: MapCell, faults: Faults): void {
  try {
    createVenue(genesis);
  } catch (error) {
    if (!isEngineError(error, "INVALID_GENESIS")) throw error;
    const { place, fault } = error.details;
    const [head] = place.split(/[.[]/, 1);
    const key = entriesOf(getCell(root, "genesis")).find((entry) => entry.key === head);
    const near = key?.value.place ?? getCell(root, head!)?.place ?? root.place;
    faults.add(near, `genesis ${place}: ${fault}`);
  }
}

function readGenesisKeys(cell: Cell | undefined): Partial<Genesis> {
  const defaults = createGenesis() as unknown as Readonly<Record<string, unknown>>;
  const given: Record<string, unknown> = {};
  for (const { key: name, value } of entriesOf(cell)) {
    if (name === "time") {
      given["timeMs"] = value.kind === "number" ? Number(value.source) : parseInstant(getText(cell, name) ?? "");
      continue;
    }
    const plain = toPlain(value);
    const base = defaults[name];
    const isObject = typeof base === "object" && base !== null && typeof plain === "object" && plain !== null;
    given[name] = isObject ? { ...base, ...plain } : plain;
  }
  return given as Partial<Genesis>;
}

/** A market with `fees` and `leverage` expanded to parameters. */
function compileMarket(name: string, cell: Cell, faults: Faults): Genesis["markets"][number] {
  const preset = getText(cell, "preset") ?? "linear";
  const texts: Record<string, string> = {};
  for (const { key, value } of entriesOf(cell)) {
    const text = String(toPlain(value) ?? "");
    if (key === "preset") continue;
    if (key === "fees") Object.assign(texts, { takerFee: "0", makerFee: "0" });
    else if (key === "leverage") {
      const leverage = Number(text);
      if (1_000_000 % (2 * leverage) !== 0) {
        faults.add(
          value.place,
          `1 / ${text} has no exact rate`,
          "take 1, 2, 4, 5, 8, 10, 20, 25, 40 or 50, or write tier1",
        );
        continue;
      }
      texts["tier1"] = `0 ${1 / leverage} ${1 / (2 * leverage)}`;
      texts["tier2"] = "";
    } else texts[key] = text;
  }
  const read = readMarketParameters(preset, texts as ParameterTexts);
  if (isParameterFault(read)) {
    const entry = entriesOf(cell).find(({ key }) => key === read.parameter);
    faults.add(
      entry?.value.place ?? cell.place,
      `${name}: ${read.parameter} ${read.reason}`,
      "docs/reference/parameters.md lists all parameters",
    );
  }
  return { name, preset, parameters: texts };
}
