import { AUTHORITIES } from "../../../protocol/action.ts";
import { actions } from "../../../protocol/actions/index.ts";
import { encodePayload } from "../../../protocol/codec.ts";
import type { Address, Fields } from "../../../protocol/fields.ts";
import { type Transaction, ZERO_ADDRESS } from "../../../protocol/transaction.ts";
import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import { readSnapshot } from "../../../venue/engine/commitment/snapshot.ts";
import { readEvents } from "../../../venue/engine/events/readEvents.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { addressOf, subaccountOf } from "../../../venue/reads/rows.ts";
import { unitsOf } from "../expect/eventText.ts";
import { nameOfPerson } from "../write/people.ts";
import type { Stretch } from "./readStretch.ts";

/** An account or agent that takes part in the frozen blocks. */
export interface Actor {
  /** `alice`, `alice/1`. */
  readonly name: string;
  readonly address: Address;
  readonly subaccount: number;
}

/**
 * Names all accounts and agents that transactions and events of the blocks have, in the order in which they appear.
 *
 * @param known names of owners by address
 */
export function nameActors(stretch: Stretch, known: ReadonlyMap<string, string>): Actor[] {
  const naming = new Naming(readSnapshot(stretch.snapshot), known);
  for (const block of stretch.blocks) {
    for (const transaction of block.transactions) naming.addTransaction(transaction);
    const { state } = naming;
    const { events, from, to } = applyBlock(state, block);
    for (const event of readEvents(events, from, to)) {
      for (const [field, unit] of Object.entries(unitsOf(event.kind))) {
        const row = (event as unknown as Readonly<Record<string, number>>)[field]!;
        if (unit === "account" && row >= 0)
          naming.add(addressOf(state, row as AccountRow), subaccountOf(state, row as AccountRow));
      }
    }
  }
  return naming.actors;
}

class Naming {
  readonly state: State;
  readonly actors: Actor[] = [];
  readonly #known: ReadonlyMap<string, string>;
  readonly #owners = new Map<string, string>();
  readonly #seen = new Set<string>();
  #people = 0;

  constructor(state: State, known: ReadonlyMap<string, string>) {
    this.state = state;
    this.#known = known;
    for (const address of Object.values(state.genesis.authorities)) this.#seen.add(`${address}/0`);
    this.#seen.add(`${ZERO_ADDRESS}/0`);
  }

  addTransaction({ action, header, payload }: Transaction): void {
    this.add(header.account.address, header.account.subaccount);
    if (header.signer !== header.account.address) this.add(header.signer, 0);
    const fields = actions[action].fields as Fields;
    const json = encodePayload(action, payload as never) as Readonly<Record<string, unknown>>;
    for (const [name, field] of Object.entries(fields)) {
      if (field.kind !== "address") continue;
      const subaccount = json[name === "account" ? "subaccount" : `${name}Subaccount`];
      this.add(json[name] as Address, Number(subaccount ?? 0));
    }
  }

  add(address: Address, subaccount: number): void {
    const key = `${address}/${subaccount}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const owner = this.#owners.get(address) ?? this.#nameOwner(address, subaccount);
    this.#owners.set(address, owner);
    this.actors.push({ name: subaccount === 0 ? owner : `${owner}/${subaccount}`, address, subaccount });
  }

  #nameOwner(address: string, subaccount: number): string {
    const taken = new Set(this.#owners.values());
    const given = this.#known.get(address) ?? this.#roleOf(address, subaccount);
    if (given !== undefined) return unique(given, taken);
    for (;;) {
      const name = nameOfPerson(this.#people++);
      if (!taken.has(name)) return name;
    }
  }

  /** `house` and `backstop` are called by their role. */
  #roleOf(address: string, subaccount: number): string | undefined {
    const { accounts } = this.state.genesis;
    const role = accounts.find((one) => one.address === address && one.subaccount === subaccount)?.role;
    return role === undefined || role === "normal" ? undefined : role;
  }
}

function unique(name: string, taken: ReadonlySet<string>): string {
  let candidate = name;
  for (let count = 2; taken.has(candidate) || (AUTHORITIES as readonly string[]).includes(candidate); count++)
    candidate = `${name}${count}`;
  return candidate;
}
