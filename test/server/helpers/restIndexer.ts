/**
 * A venue built from REST answers alone: genesis, then the events of every block. It reads the public form of events
 * back into the numbers of the fold; market names, orders and grants it knows from the events before.
 */
import { createHash } from "node:crypto";
import type { ApiResponse } from "../../../src/client/api/endpoint.ts";
import type { Genesis as GenesisAnswer } from "../../../src/client/api/schemas/genesis.ts";
import type { Block, Event } from "../../../src/client/api/schemas/transactions.ts";
import { parseDecimal } from "../../../src/ground/math/decimal.ts";
import { applyEvent } from "../../../src/proof/invariants/machinery/fold/applyEvent.ts";
import { createFolded, type FoldedVenue } from "../../../src/proof/invariants/machinery/fold/folded.ts";
import { writeFolded } from "../../../src/proof/invariants/machinery/fold/writeFolded.ts";
import { AUTHORITIES } from "../../../src/protocol/action.ts";
import type { EventUnit } from "../../../src/protocol/event.ts";
import { type EventKind, events, type VenueEvent } from "../../../src/protocol/events.ts";
import { EVENT_WORDS } from "../../../src/protocol/eventWords.ts";
import type { Genesis } from "../../../src/protocol/genesis.ts";
import { REJECTION_NAMES } from "../../../src/protocol/rejections.ts";

type Ask = (path: string) => Promise<ApiResponse>;

const JOINED = [
  { name: "address", letter: "w" },
  { name: "agent", letter: "a" },
  { name: "authorizationId", letter: "i" },
] as const;

/** Numbers of 64 bits, which events have in halves; places after the point. */
const HALVES = { base: 6, funding: 0, index: 0 } as const;

export class RestIndexer {
  readonly #ask: Ask;
  readonly venue: FoldedVenue;
  readonly genesis: GenesisAnswer;
  readonly #markets: string[] = [];
  readonly #units: { readonly tick: number; readonly lot: number }[] = [];
  readonly #accounts: string[] = [];
  readonly #grants: string[] = [];
  /** Market of every order and intent. */
  readonly #marketOf = new Map<string, number>();
  /** Events that had sizes or prices in the market's units. */
  unitsSeen = 0;

  private constructor(ask: Ask, genesis: GenesisAnswer) {
    this.#ask = ask;
    this.genesis = genesis;
    this.venue = createFolded(JSON.parse(genesis.text!) as Genesis);
  }

  /** Starts from nothing: asks for genesis, and folds the events of block 0. */
  static async start(ask: Ask): Promise<RestIndexer> {
    const { data } = JSON.parse((await ask("/genesis")).body) as { data: GenesisAnswer };
    const indexer = new RestIndexer(ask, data);
    await indexer.fold(0);
    return indexer;
  }

  /** Folds a block. @returns its summary */
  async fold(height: number): Promise<Block> {
    const { venue } = this;
    const block = await this.summary(height);
    venue.height = block.height;
    venue.timeMs = block.timeMs;
    for (const market of venue.markets) Object.assign(market, { tradeHigh: 0, tradeLow: 0 });
    let cursor = "";
    do {
      const { body } = await this.#ask(`/blocks/${height}/events?limit=500${cursor}`);
      const { data, page } = JSON.parse(body) as { data: Event[]; page: { next: string | null } };
      for (const event of data) this.#apply(event);
      cursor = page.next === null ? "" : `&cursor=${encodeURIComponent(page.next)}`;
    } while (cursor !== "");
    return block;
  }

  async summary(height: number): Promise<Block> {
    return (JSON.parse((await this.#ask(`/blocks/${height}`)).body) as { data: Block }).data;
  }

  /** State root of what was folded. */
  root(): string {
    return `0x${createHash("sha256").update(writeFolded(this.venue)).digest("hex")}`;
  }

  #apply({ kind, fields, units = {} }: Event): void {
    const texts: string[] = [];
    if (Object.keys(units).length > 0) this.unitsSeen++;
    const given: Record<string, unknown> = { ...fields };
    for (const { name, letter } of JOINED) {
      const joined = given[name];
      if (typeof joined !== "string" || !Object.hasOwn(events[kind as EventKind].fields, `${letter}0`)) continue;
      joined
        .slice(2)
        .match(/.{8}/g)!
        .forEach((word, at) => {
          given[`${letter}${at}`] = word;
        });
    }
    for (const [name, decimals] of Object.entries(HALVES)) {
      if (!Object.hasOwn(events[kind as EventKind].fields, `${name}High`)) continue;
      const [whole, part = ""] = (given[name] as string).split(".");
      const value = BigInt(`${whole}${part.padEnd(decimals, "0")}`);
      given[`${name}High`] = Number(value >> 32n);
      given[`${name}Low`] = Number(value & 0xffff_ffffn);
    }
    this.#learn(kind, fields);
    const market = this.#findMarket(fields);
    const event: Record<string, number | string> = { kind };
    for (const [name, unit] of Object.entries(events[kind as EventKind].fields)) {
      event[name] = units[name] ?? this.#read(kind, name, unit, given[name], market, texts);
    }
    applyEvent(this.venue, event as unknown as VenueEvent, texts);
  }

  /** Names that later events use. */
  #learn(kind: string, fields: Event["fields"]): void {
    if (kind === "accountCreated") {
      const subaccount = (fields["subaccount"] as number) >>> 0;
      this.#accounts.push(subaccount === 0 ? `${fields["address"]}` : `${fields["address"]}/${subaccount}`);
    } else if (kind === "marketCreated") {
      this.#markets.push(fields["name"] as string);
      const lines = (fields["definition"] as string).split("\n").map((line) => line.split("="));
      const { tickSize, lotSize } = Object.fromEntries(lines) as Record<string, string>;
      this.#units.push({ tick: parseDecimal(tickSize!, 8), lot: parseDecimal(lotSize!, 8) });
    } else if (kind === "authorizationGranted") {
      this.#grants.push(fields["authorizationId"] as string);
    } else if (kind === "orderOpened" || kind === "intentPlaced") {
      const id = (fields["order"] ?? fields["intent"]) as string;
      this.#marketOf.set(id, this.#markets.indexOf(fields["market"] as string));
    }
  }

  #findMarket({ market, order, intent }: Event["fields"]): number | undefined {
    if (market !== undefined) return market === null ? undefined : this.#markets.indexOf(market as string);
    return this.#marketOf.get((order ?? intent) as string);
  }

  #read(
    kind: string,
    name: string,
    unit: EventUnit,
    value: unknown,
    market: number | undefined,
    texts: string[],
  ): number {
    switch (unit) {
      case "account": {
        if (value === null) return -1;
        const authority = AUTHORITIES.indexOf(value as never);
        return authority >= 0 ? -1 - authority : this.#accounts.indexOf(value as string);
      }
      case "market":
        // A new market's own place is its name.
        return value === null ? -1 : this.#markets.indexOf(value as string);
      case "order":
      case "intent":
        return Number(value ?? 0);
      case "ticks":
        return value === "0" ? 0 : countUnits(value as string, this.#units[market!]!.tick);
      case "lots":
        return value === "0" ? 0 : countUnits(value as string, this.#units[market!]!.lot);
      case "amount":
        return parseDecimal(value as string, 6);
      case "priceE8":
        return parseDecimal(value as string, 8);
      case "ppb":
        return parseDecimal(value as string, 9);
      case "word":
        return EVENT_WORDS[`${kind}.${name}`]?.indexOf(value as string) ?? Number(value);
      case "code":
        return value === null ? -1 : REJECTION_NAMES.indexOf(value as never);
      case "flag":
        return value === true ? 1 : 0;
      case "text":
        return value === null ? -1 : texts.push(value as string) - 1;
      case "word32":
        return Number.parseInt(value as string, 16);
      case "liquidation": {
        const [, height, place] = /^L-(\d+)-(\d+)$/.exec((value as string | null) ?? "L-0-0")!;
        return Number(height) * 65_536 + Number(place);
      }
      case "authorization":
        return this.#grants.indexOf(value as string);
      default:
        return value as number;
    }
  }
}

/** Ticks or lots of a text. The greatest number of ticks may be worth more than a price can be. */
function countUnits(text: string, unit: number): number {
  const [whole, part = ""] = text.split(".");
  return Number(BigInt(`${whole}${part.padEnd(8, "0")}`) / BigInt(unit));
}
