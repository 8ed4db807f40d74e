/**
 * A venue for engine tests that read like stories: accounts and markets have names, numbers are decimal text as traders
 * write them, nonces look after themselves, and after every block the books of the venue are checked (`audit`).
 */
import { expect } from "vitest";
import { NONE } from "../../src/ground/collections/table.ts";
import { AccountKey } from "../../src/protocol/accountKey.ts";
import { AUTHORITIES, DOMAINS, type Domain } from "../../src/protocol/action.ts";
import { DOMAIN_OF, type Payloads } from "../../src/protocol/actions/index.ts";
import { createTransaction } from "../../src/protocol/createTransaction.ts";
import type { EventKind, EventOf, VenueEvent } from "../../src/protocol/events.ts";
import type { Address, Bytes32 } from "../../src/protocol/fields.ts";
import { createGenesis, type Genesis, type GenesisInit } from "../../src/protocol/genesis.ts";
import type { ParameterTexts } from "../../src/protocol/parameters.ts";
import type { Transaction } from "../../src/protocol/transaction.ts";
import type { Role } from "../../src/protocol/words.ts";
import { applyBlock } from "../../src/venue/engine/applyBlock.ts";
import { findAgent } from "../../src/venue/engine/authorization/agents.ts";
import { findLane } from "../../src/venue/engine/authorization/lanes.ts";
import { readEvents } from "../../src/venue/engine/events/readEvents.ts";
import { createVenue } from "../../src/venue/engine/genesis.ts";
import { findAccount } from "../../src/venue/engine/state/accounts.ts";
import { digestOf } from "../../src/venue/engine/state/digest.ts";
import type { State } from "../../src/venue/engine/state/state.ts";
import { audit } from "../reference/audit.ts";
import type { Outcome, Story } from "./venue/story.ts";
import type { Step } from "./venue/traderSteps.ts";
import { addressOf, keyOf } from "./venue/values.ts";
import { VenueViews } from "./venue/venueViews.ts";

/** Names of what tests reached, for the test that compares them with what there is to reach. */
export class Reached {
  readonly names = new Set<string>();
}

export interface VenueOptions {
  /** Parameters by market name, over the preset `minimal` with whole lots, unless `preset` says otherwise. */
  readonly markets?: Readonly<Record<string, ParameterTexts & { readonly preset?: string }>>;
  /** Balances by account name; "alice/1" is alice's subaccount 1. */
  readonly accounts?: Readonly<Record<string, string>>;
  readonly house?: Readonly<Record<string, string>>;
  /** Balances of backstops, with their loss limit after a space: "1000" or "1000 400". */
  readonly backstops?: Readonly<Record<string, string>>;
  readonly insurance?: string;
  /** First prices, given in a first block. */
  readonly prices?: Readonly<Record<string, string>>;
  readonly genesis?: GenesisInit;
}

/** The market that tests use where it does not matter: a lot is 1, a tick is 1, tier 10 % / 5 %, recorded marks. */
export const PLAIN: ParameterTexts = {
  lotSize: "1",
  minSize: "1",
  markMethod: "reported",
  maxSize: "10000",
  positionLimit: "10000",
};

const isAuthority = (name: string): name is (typeof AUTHORITIES)[number] =>
  (AUTHORITIES as readonly string[]).includes(name);

export class TestVenue extends VenueViews {
  state: State;
  readonly genesis: Genesis;
  readonly reached: Reached | undefined;
  /** Market of orders that name none: the first. */
  readonly market: string;
  lastStory: Story | undefined;

  constructor(options: VenueOptions = {}, reached?: Reached) {
    super();
    const {
      markets = { TEST: {} },
      accounts = {},
      house = {},
      backstops = {},
      insurance = "0",
      prices,
      genesis,
    } = options;
    const account =
      (role: Role) =>
      ([name, balance]: [string, string]) => {
        const { address, subaccount } = keyOf(name);
        const [given, lossLimit] = balance.split(" ");
        return { address, subaccount, role, balance: given!, ...(lossLimit === undefined ? {} : { lossLimit }) };
      };
    this.genesis = createGenesis({
      markets: Object.entries(markets).map(([name, { preset, ...texts }]) => ({
        name,
        preset: preset ?? "minimal",
        parameters: (preset === undefined ? { ...PLAIN, ...texts } : texts) as ParameterTexts,
      })),
      accounts: [
        ...Object.entries(accounts).map(account("normal")),
        ...Object.entries(house).map(account("house")),
        ...Object.entries(backstops).map(account("backstop")),
      ],
      insurance,
      ...genesis,
    });
    this.state = createVenue(this.genesis);
    this.reached = reached;
    this.market = Object.keys(markets)[0] ?? "";
    this.note(readEvents(this.state.events.data, 3, this.eventsEnd()));
    audit(this.state);
    if (prices !== undefined) {
      this.run(...Object.entries(prices).map(([market, text]) => this.price(text, { market })));
    }
  }

  /** End of the genesis block's events: receipts begin there. */
  private eventsEnd(): number {
    const { data, length } = this.state.events;
    let end = 3;
    while (end < length && data[end]! >= 0) {
      const events = readEvents(data, end, end + 1);
      end += Object.keys(events[0]!).length;
    }
    return end;
  }

  private note(events: readonly VenueEvent[]): void {
    for (const { kind } of events) this.reached?.names.add(kind);
  }

  /** Grants in a block of its own; returns the id of the grant. */
  authorize(who: string, agent: string, terms: Partial<Payloads["grantAuthorization"]> = {}): Bytes32 {
    const [transaction] = this.toTransactions([this.grant(who, agent, terms)]);
    expect(this.apply(this.state.timeMs + 1000, [transaction!]).outcomes).toEqual(["applied"]);
    return digestOf(this.state, transaction!);
  }

  /** Gives steps their nonces: next of the lane, counting those before it in the same block. */
  toTransactions(steps: readonly Step[]): Transaction[] {
    const taken = new Map<string, number>();
    return steps.map(({ action, who, payload, header }) => {
      const authority = isAuthority(who);
      const account = authority ? new AccountKey(this.genesis.authorities[who], 0) : keyOf(who);
      const lane = header.nonceDomain ?? DOMAIN_OF[action];
      const key = `${who} ${header.signer ?? ""} ${lane}`;
      const nonce = header.nonce ?? this.nextNonce(who, lane, header.signer) + (taken.get(key) ?? 0);
      if (header.nonce === undefined) taken.set(key, (taken.get(key) ?? 0) + 1);
      const validFrom = header.validFrom ?? this.state.height;
      return createTransaction({ action, account, payload, ...header, nonceDomain: lane, nonce, validFrom });
    });
  }

  nextNonce(who: string, lane: Domain, signer?: Address): number {
    const { state } = this;
    if (signer !== undefined && signer !== addressOf(who) && !isAuthority(who)) {
      const agent = findAgent(state, new AccountKey(signer, 0));
      const agentLane = agent === NONE ? NONE : findLane(state, findAccount(state, keyOf(who)), agent);
      if (agentLane === NONE) return 0;
      const { nonceTrading, nonceRisk, nonceFunds, nonceAdmin } = state.lanes;
      return [nonceTrading, nonceRisk, nonceFunds, nonceAdmin][DOMAINS.indexOf(lane)]?.[agentLane as never] ?? 0;
    }
    if (isAuthority(who)) return state.authorityNonces[AUTHORITIES.indexOf(who)]!;
    const row = findAccount(state, keyOf(who));
    if (row === NONE) return 0;
    const { accounts } = state;
    const lanes = [accounts.nonceTrading, accounts.nonceRisk, accounts.nonceFunds, accounts.nonceAdmin];
    return lanes[DOMAINS.indexOf(lane)]?.[row] ?? 0;
  }

  /** One block, a second after the last. */
  run(...steps: Step[]): Story {
    return this.runAt(this.state.timeMs + 1000, ...steps);
  }

  runAt(timeMs: number, ...steps: Step[]): Story {
    return this.apply(timeMs, this.toTransactions(steps));
  }

  apply(timeMs: number, transactions: readonly Transaction[]): Story {
    const { state } = this;
    const result = applyBlock(state, { height: state.height + 1, timeMs, transactions });
    const receipts = transactions.map((_, index) => result.receipts.at(index));
    const events = readEvents(result.events, result.from, result.to);
    const story: Story = {
      receipts,
      outcomes: receipts.map(({ code }) => code ?? "applied"),
      events,
      texts: result.texts.slice(),
      of: <K extends EventKind>(kind: K) => events.filter((event): event is EventOf<K> => event.kind === kind),
    };
    this.note(events);
    receipts.forEach(({ code }, index) => {
      this.reached?.names.add(`${transactions[index]!.action} ${code ?? "applied"}`);
      if (code !== undefined) this.reached?.names.add(code);
    });
    audit(state);
    this.lastStory = story;
    return story;
  }

  /** As `run`, and every step must be applied. */
  do(...steps: Step[]): Story {
    const story = this.run(...steps);
    expect(story.outcomes).toEqual(steps.map(() => "applied"));
    return story;
  }

  /** One step in a block of its own; returns its outcome. */
  try(step: Step): Outcome {
    return this.run(step).outcomes[0]!;
  }

  /** Places an order that must be applied; returns its id. */
  place(step: Step): number {
    const story = this.do(step);
    return story.receipts[0]!.results![0]!.orderId!;
  }
}
