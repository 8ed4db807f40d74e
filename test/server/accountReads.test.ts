/** Accounts that are read by session: no way in shows a client what belongs to another account. */
import { describe, expect, test } from "vitest";
import { API_PREFIX } from "../../src/client/api/endpoint.ts";
import { type OperationId, routes } from "../../src/client/api/routes.ts";
import type { Event } from "../../src/client/api/schemas/transactions.ts";
import { CHANNEL_NAMES, channels } from "../../src/client/api/socket/channels.ts";
import type { EventUnit } from "../../src/protocol/event.ts";
import { events } from "../../src/protocol/events.ts";
import type { Address } from "../../src/protocol/fields.ts";
import { nameLiquidation } from "../../src/protocol/liquidationId.ts";
import { createService } from "../../src/server/face/service.ts";
import { createConfig } from "../../src/server/face/services/config.ts";
import { idOfGrant } from "../../src/venue/engine/authorization/addGrant.ts";
import type { AccountRow, AuthorizationRow } from "../../src/venue/engine/state/schema.ts";
import { addressOf } from "../../src/venue/reads/rows.ts";
import { hostOfFlow } from "./helpers/flowHost.ts";

const OWNER_UNITS: ReadonlySet<EventUnit> = new Set(["account", "order", "intent", "liquidation", "authorization"]);

/** A flow in which accounts grant authorizations, and are liquidated against one another. */
const SEED = 34;

/**
 * A venue after 120 blocks of a generated flow, and one session token for each address. The first owner was liquidated,
 * and took over from another one or was taken over by it.
 */
function open(accountReads: "public" | "session" = "session") {
  const { host, flow } = hostOfFlow(SEED, 120);
  const { state } = host;
  const { endpoint, services, hub } = createService(host.asHost, { accountReads, limits: "off" });
  const tokens = services.sessions as unknown as {
    find(token: string): unknown;
    isActive(sessionId: string): boolean;
  };
  tokens.find = (address: string) =>
    address.startsWith("0x") ? { sessionId: address, address, createdAtMs: 0, expiresAtMs: 1e15 } : "unknown";
  tokens.isActive = () => true;
  const ask = async (path: string, as?: string) =>
    endpoint.request({
      method: "GET",
      path: `${API_PREFIX}${path}`,
      headers: as === undefined ? {} : { authorization: `Bearer ${as}` },
    });
  const addresses = new Set<Address>();
  for (let account = 0; account < state.accounts.rows.high; account++) {
    addresses.add(addressOf(state, account as AccountRow));
  }
  const backstops = new Set(state.backstops.map(({ account }) => addressOf(state, account)));
  const isOwner = (address: Address) => !backstops.has(address);
  const liquidations = [...services.history.read().liquidations.newestFirst()];
  const [first] = liquidations.flatMap(({ account, closes }) => {
    const own = addressOf(state, account as AccountRow);
    const others = closes.flatMap(({ counterparty }) =>
      counterparty < 0 ? [] : [addressOf(state, counterparty as AccountRow)],
    );
    return isOwner(own) && others.some((other) => other !== own && isOwner(other)) ? [own] : [];
  });
  const owners = [first!, ...[...addresses].filter((address) => isOwner(address) && address !== first)];
  return { host, flow, ask, owners, hub, endpoint, liquidations, history: services.history };
}

type Venue = ReturnType<typeof open>;

/** Every path to read, for each block and transaction. */
function* paths({ host, owners, liquidations }: Venue): Generator<readonly [OperationId, string]> {
  const { state } = host;
  const market = state.marketNames[0]!;
  for (const [id, { method, path }] of Object.entries(routes) as [OperationId, { method: string; path: string }][]) {
    if (method !== "GET") continue;
    const filled = path.replace("{market}", market);
    if (filled.includes("{height}")) {
      for (let height = 0; height <= state.height; height++) {
        yield [id, `${filled.replace("{height}", String(height))}`];
      }
    } else if (filled.includes("{txId}")) {
      for (const entry of host.entries) {
        for (const txId of (entry?.ids ?? []).slice(0, 4)) yield [id, filled.replace("{txId}", txId)];
      }
    } else if (filled.includes("{address}")) {
      const query = id === "getNonce" ? `?signer=${owners[0]}&subaccount=0&domain=trading` : "";
      yield [id, filled.replace("{address}", owners[0]!) + query];
    } else if (filled.includes("{authId}")) {
      for (let grant = 0; grant < state.authorizations.rows.high; grant++) {
        yield [id, filled.replace("{authId}", idOfGrant(state, grant as AuthorizationRow))];
      }
    } else if (filled.includes("{id}")) {
      for (const { id: liquidation } of liquidations) {
        yield [id, filled.replace("{id}", nameLiquidation(liquidation))];
      }
    } else yield [id, filled];
  }
}

test("the flow has accounts, orders and grants that the answers below could name", () => {
  const { host, owners, liquidations, history } = open();
  expect(host.state.authorizations.rows.high).toBeGreaterThan(3);
  const liquidated = new Set(liquidations.map(({ account }) => addressOf(host.state, account as AccountRow)));
  expect(liquidated.size).toBeGreaterThan(2);
  expect(liquidated).toContain(owners[0]);
  const { list } = history.read().insurance;
  const changes = Array.from({ length: list.length }, (_, at) => list.at(at)!);
  expect(changes.filter(({ account }) => account >= 0).length).toBeGreaterThan(0);
});

const isAddress = (value: unknown) => typeof value === "string" && value.startsWith("0x");

/** Addresses of accounts in a text, but for those of `except`. */
const named = (text: string, owners: readonly string[], except?: string) =>
  owners.filter((owner) => owner !== except && text.toLowerCase().includes(owner));

describe("by REST", () => {
  test("without a session no answer names an account", async () => {
    const venue = open();
    const found = new Set<string>();
    const statuses = new Set<string>();
    for (const [id, path] of paths(venue)) {
      const { status, body } = await venue.ask(path);
      statuses.add(`${id} ${status}`);
      // The nonce names the account that was asked for, with the next numbers alone.
      if (id !== "getNonce" && named(body, venue.owners).length > 0) found.add(`${id} ${path}`);
    }
    expect([...found]).toEqual([]);
    for (const id of ["getTransaction", "getConfirmation", "listReceipts", "listTransactionEvents"])
      expect(statuses).toContain(`${id} 401`);
  });

  test("a session names no account but its own, and no cache gives its answers to others", async () => {
    const venue = open();
    const [own] = venue.owners as [string];
    let seen = 0;
    for (const [id, path] of paths(venue)) {
      const { status, body, headers } = await venue.ask(path, own);
      if (status !== 200) continue;
      if (id !== "listAuthorizations" && id !== "getAuthorization" && !id.startsWith("getTransaction"))
        expect(named(body, venue.owners, own), `${id} ${path}`).toEqual([]);
      if (named(body, [own]).length === 0) continue;
      seen++;
      expect(headers["cache-control"], id).toMatch(/private|no-store/);
      if (id === "getNonce") continue;
      // The same path afterwards, and with the ETag of the session's answer.
      expect(named((await venue.ask(path)).body, [own]), id).toEqual([]);
    }
    expect(seen).toBeGreaterThan(10);
  });

  test("a session sees every event that names its account, and none that names others only", async () => {
    const [limited, open_] = [open("session"), open("public")];
    const own = limited.owners[1]!;
    let both = 0;
    for (let height = 1; height <= limited.host.state.height; height++) {
      const path = `/blocks/${height}/events?limit=500`;
      const all = (JSON.parse((await open_.ask(path)).body) as { data: Event[] }).data;
      const mine = (JSON.parse((await limited.ask(path, own)).body) as { data: Event[] }).data;
      const ids = new Set(mine.map(({ eventId }) => eventId));
      for (const event of all) {
        const units = Object.entries(events[event.kind as keyof typeof events].fields) as [string, EventUnit][];
        const isMine = Object.values(event.fields).some((value) => isAddress(value) && `${value}`.startsWith(own));
        if (isMine) expect(ids, JSON.stringify(event)).toContain(event.eventId);
        else if (units.some(([name, unit]) => unit === "account" && isAddress(event.fields[name]))) {
          if (event.kind !== "authorizationGranted") expect(ids).not.toContain(event.eventId);
        }
      }
      for (const event of mine.filter(({ kind }) => kind === "fill")) {
        const { makerAccount, takerAccount, makerFee, takerFee, makerOrder } = event.fields;
        if (makerAccount === null) expect([makerFee, makerOrder]).toEqual([null, null]);
        if (takerAccount === null) expect(takerFee).toBeNull();
        expect(`${makerAccount} ${takerAccount}`).toContain(own);
        both++;
      }
    }
    expect(both).toBeGreaterThan(0);
  });

  test("without a session events name no account, order, intent, liquidation or grant", async () => {
    const venue = open();
    let count = 0;
    for (let height = 1; height <= venue.host.state.height; height++) {
      const { data } = JSON.parse((await venue.ask(`/blocks/${height}/events?limit=500`)).body) as { data: Event[] };
      for (const { kind, fields } of data) {
        count++;
        for (const [name, unit] of Object.entries(events[kind as keyof typeof events].fields)) {
          // An authority is no account: its nonces are public.
          const isAuthority = kind === "nonceAdvanced" && !isAddress(fields["account"]);
          if (OWNER_UNITS.has(unit) && !isAuthority) expect(fields[name], `${kind}.${name}`).toBeNull();
        }
      }
    }
    expect(count).toBeGreaterThan(100);
  });

  test.each(["no session", "a session of another address"])(
    "to %s an id of another account's data is answered as an unknown id",
    async (who) => {
      const venue = open();
      const as = who === "no session" ? undefined : `0x${"ab".repeat(20)}`;
      const unknownIds: Readonly<Record<string, string>> = {
        "{txId}": `0x${"cd".repeat(32)}`,
        "{authId}": `0x${"cd".repeat(32)}`,
        "{id}": "L-9999-0",
      };
      // Of an answer, only its own name differs, and the id that was asked for.
      const textOf = async (path: string, id: string) => {
        const { status, body } = await venue.ask(path, as);
        const { instance: _, ...problem } = JSON.parse(body) as Record<string, unknown>;
        return [status, JSON.stringify(problem).replaceAll(id, "ID")];
      };
      const compared = new Set<string>();
      for (const [operation, path] of paths(venue)) {
        const pattern = routes[operation].path;
        const [variable] = Object.keys(unknownIds).filter((name) => pattern.includes(name));
        if (variable === undefined) continue;
        const id = path.split("/")[pattern.split("/").indexOf(variable)]!;
        const hidden = await textOf(path, id);
        if (hidden[0] === 200) continue;
        const unknown = unknownIds[variable]!;
        expect(await textOf(path.replace(id, unknown), unknown), path).toEqual(hidden);
        compared.add(operation);
      }
      for (const operation of ["getTransaction", "getConfirmation", "listReceipts", "listTransactionEvents"])
        expect(compared).toContain(operation);
      for (const operation of ["getClaim", "getAuthorization", "getLiquidation"]) expect(compared).toContain(operation);
    },
  );

  test("a token of no session is refused, not read as none", async () => {
    const venue = open();
    for (const path of ["/blocks/1/events", "/blocks/1/transactions", "/authorizations", "/liquidations"]) {
      expect((await venue.ask(path, "gone")).status, path).toBe(401);
    }
  });
});

describe("by streams", () => {
  function follow(venue: Venue, as: string | undefined) {
    const texts: string[] = [];
    const connection = venue.hub.connect({ client: "x", buffered: 0, send: (text) => texts.push(text), close() {} })!;
    const say = (message: object) => connection.receive(JSON.stringify(message));
    if (as !== undefined) say({ op: "auth", id: 0, token: as });
    CHANNEL_NAMES.forEach((channel, id) => {
      const { about } = channels[channel];
      if (about === "account") return;
      const market = about === "none" ? {} : { market: venue.host.state.marketNames[0]! };
      say({ op: "subscribe", id: id + 1, channel, ...market });
    });
    return { texts };
  }

  test("public channels name no account but that of the session", () => {
    const venue = open();
    const own = venue.owners[1]!;
    const [none, mine] = [follow(venue, undefined), follow(venue, own)];
    const backstops = venue.host.state.backstops.map(({ account }) => addressOf(venue.host.state, account));
    for (let count = 0; count < 120; count++) venue.host.apply(venue.flow.next(venue.host.state));
    const owners = venue.owners.filter((owner) => !backstops.includes(owner));
    expect(named(none.texts.join("\n"), owners)).toEqual([]);
    const received = mine.texts.filter((text) => !text.includes('"authorizationGranted"')).join("\n");
    expect(named(received, owners, own)).toEqual([]);
    expect(named(mine.texts.filter((text) => text.includes('"channel":"events"')).join("\n"), [own])).toEqual([own]);
  });
});

test("the stream of liquidations begins with those of the session's address alone", () => {
  const venue = open();
  const { host, flow, hub } = venue;
  const openAccounts = () =>
    [...venue.history.read().liquidations.newestFirst()]
      .filter(({ endedHeight }) => endedHeight === undefined)
      .map(({ account }) => addressOf(host.state, account as AccountRow));
  for (let count = 0; openAccounts().length === 0 && count < 300; count++) host.apply(flow.next(host.state));
  const [liquidated] = openAccounts() as [Address];
  const begin = (as: string | undefined): unknown[] => {
    const texts: string[] = [];
    const connection = hub.connect({ client: "x", buffered: 0, send: (text) => texts.push(text), close() {} })!;
    if (as !== undefined) connection.receive(JSON.stringify({ op: "auth", id: 0, token: as }));
    connection.receive(JSON.stringify({ op: "subscribe", id: 1, channel: "liquidations" }));
    const messages = texts.map((text) => JSON.parse(text) as { type: string; data: unknown[] });
    return messages.find(({ type }) => type === "snapshot")!.data;
  };
  expect(begin(undefined)).toEqual([]);
  expect(begin(`0x${"ab".repeat(20)}`)).toEqual([]);
  expect(begin(liquidated)).toHaveLength(openAccounts().filter((account) => account === liquidated).length);
});

test("streams cannot be public where reads are by session", () => {
  const { genesis } = hostOfFlow(3, 1).host;
  expect(() => createConfig(genesis, { accountReads: "session", accountStreams: "public" })).toThrow(RangeError);
  expect(createConfig(genesis, { accountReads: "session" }).accountStreams).toBe("session");
});
