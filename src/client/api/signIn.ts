/**
 * "Sign-In with Ethereum" (EIP-4361): the text that a wallet shows and signs to open a session. The service writes it,
 * a client may read it before it signs. Strict both ways: `formatSignIn` reproduces every text that `parseSignIn`
 * accepts, byte for byte.
 */
import type { Address } from "../../protocol/fields.ts";
import { checksumAddress } from "./checksumAddress.ts";

/** Members of the message. Times are RFC 3339 text. */
export interface SignInMessage {
  readonly scheme?: string;
  /** The service that asks, as its host, and its port unless it is the scheme's default. */
  readonly domain: string;
  /** With the checksum of EIP-55. */
  readonly address: Address;
  /** What the person agrees to, one line. */
  readonly statement?: string;
  /** What the session is for. */
  readonly uri: string;
  readonly version: "1";
  /** Decimal digits. */
  readonly chainId: string;
  /** At least eight letters or digits, used once. */
  readonly nonce: string;
  readonly issuedAt: string;
  readonly expirationTime?: string;
  readonly notBefore?: string;
  readonly requestId?: string;
  readonly resources?: readonly string[];
}

export type SignInMember = keyof SignInMessage;

/** A text or members that break the standard. */
export class SignInError extends Error {
  override readonly name = "SignInError";
  readonly code = "SIGN_IN_MALFORMED";
  /** Undefined if the layout of the text is wrong. */
  readonly member: SignInMember | undefined;

  constructor(member: SignInMember | undefined, message: string) {
    super(message);
    this.member = member;
  }
}

const PLAIN = "A-Za-z0-9\\-._~";
const DELIMITERS = "!$&'()*+,;=";
const ENCODED = "%[0-9A-Fa-f]{2}";
const SCHEME = "[A-Za-z][A-Za-z0-9+.\\-]*";
const IP_LITERAL = "\\[[0-9A-Fa-f:.]+\\]";

/** `user@host:port`; a host is a name, an IPv4 address or an IPv6 address in brackets (RFC 3986). */
const AUTHORITY = `(?:(?:[${PLAIN}${DELIMITERS}:]|${ENCODED})*@)?(?:${IP_LITERAL}|(?:[${PLAIN}${DELIMITERS}]|${ENCODED})+)(?::[0-9]*)?`;
/** A scheme, a colon, and the characters that a URI may hold; brackets only around an address. */
const URI = `${SCHEME}:(?://(?:[^/?#\\s]*@)?(?:${IP_LITERAL})?)?(?:[${PLAIN}${DELIMITERS}:@/?#]|${ENCODED})*`;
const STATEMENT = `[${PLAIN}${DELIMITERS}:/?#\\[\\]@ ]+`;
const REQUEST_ID = `(?:[${PLAIN}${DELIMITERS}:@]|${ENCODED})*`;

const WANTS = " wants you to sign in with your Ethereum account:";

/** Pattern of each whole member. */
const SHAPES: Readonly<Record<Exclude<SignInMember, "resources">, RegExp>> = {
  scheme: new RegExp(`^${SCHEME}$`),
  domain: new RegExp(`^${AUTHORITY}$`),
  address: /^0x[0-9a-fA-F]{40}$/,
  statement: new RegExp(`^${STATEMENT}$`),
  uri: new RegExp(`^${URI}$`),
  version: /^1$/,
  chainId: /^[0-9]+$/,
  nonce: /^[A-Za-z0-9]{8,}$/,
  issuedAt: /^/,
  expirationTime: /^/,
  notBefore: /^/,
  requestId: new RegExp(`^${REQUEST_ID}$`),
};

const TIMES: readonly SignInMember[] = ["issuedAt", "expirationTime", "notBefore"];
const REQUIRED: readonly SignInMember[] = ["domain", "address", "uri", "version", "chainId", "nonce", "issuedAt"];

/** The members with a line of their own, in order, each with the start of its line. */
const LINES = [
  ["uri", "URI: "],
  ["version", "Version: "],
  ["chainId", "Chain ID: "],
  ["nonce", "Nonce: "],
  ["issuedAt", "Issued At: "],
  ["expirationTime", "Expiration Time: "],
  ["notBefore", "Not Before: "],
  ["requestId", "Request ID: "],
] as const;

/**
 * The text of a message.
 *
 * @throws {SignInError} if a member is missing or breaks the standard
 */
export function formatSignIn(message: SignInMessage): string {
  checkSignIn(message);
  const { scheme, domain, address, statement, resources } = message;
  const lines = [`${scheme === undefined ? "" : `${scheme}://`}${domain}${WANTS}`, address, ""];
  if (statement !== undefined) lines.push(statement);
  lines.push("");
  for (const [member, label] of LINES) {
    const value = message[member];
    if (value !== undefined) lines.push(label + value);
  }
  if (resources !== undefined) lines.push("Resources:", ...resources.map((resource) => `- ${resource}`));
  return lines.join("\n");
}

/**
 * The members of a text.
 *
 * @throws {SignInError} if the layout of the text or a member breaks the standard
 */
export function parseSignIn(text: string): SignInMessage {
  const lines = text.split("\n");
  let at = 0;
  const take = (): string => lines[at++] ?? fail(undefined, "the message ends too early");
  const takeEmpty = (): void => {
    if (take() !== "") fail(undefined, `line ${at} is not empty`);
  };

  const first = take();
  if (!first.endsWith(WANTS)) fail(undefined, "the first line does not name the host that asks");
  const [, scheme, domain] = /^(?:([^:/]*):\/\/)?(.*)$/.exec(first.slice(0, -WANTS.length))!;
  const found: Record<string, unknown> = { domain, address: take() };
  if (scheme !== undefined) found["scheme"] = scheme;
  takeEmpty();
  if (lines[at] !== "") found["statement"] = take();
  takeEmpty();
  for (const [member, label] of LINES) {
    if (lines[at]?.startsWith(label)) found[member] = take().slice(label.length);
  }
  if (lines[at] === "Resources:") {
    at++;
    const resources: string[] = [];
    while (lines[at]?.startsWith("- ")) resources.push(take().slice(2));
    found["resources"] = resources;
  }
  if (at < lines.length) fail(undefined, `line ${at + 1} is out of place`);
  checkSignIn(found as unknown as SignInMessage);
  return found as unknown as SignInMessage;
}

/**
 * Milliseconds since 1970 of a time in the form of RFC 3339; undefined for other text, and for a day that the calendar
 * does not have.
 */
export function readSignInTime(text: string): number | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i.exec(text);
  if (parts === null) return undefined;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** Members that a message must have; an absent member may have any value. */
export interface SignInExpectation {
  readonly domain?: string;
  readonly nonce?: string;
  readonly chainId?: string;
  readonly address?: Address;
  /** Milliseconds since 1970. A client with an unreliable clock leaves it out; the venue then checks the times. */
  readonly timeMs?: number;
}

/**
 * The first member that differs from the expected one, or is not valid at the time. Do not sign or accept such a
 * message.
 */
export function findSignInFault(message: SignInMessage, expected: SignInExpectation): SignInMember | undefined {
  const { domain, nonce, chainId, address, timeMs } = expected;
  if (domain !== undefined && domain !== message.domain) return "domain";
  if (address !== undefined && address.toLowerCase() !== message.address.toLowerCase()) return "address";
  if (chainId !== undefined && chainId !== message.chainId) return "chainId";
  if (nonce !== undefined && nonce !== message.nonce) return "nonce";
  const { notBefore, expirationTime } = message;
  if (timeMs === undefined) return undefined;
  if (notBefore !== undefined && timeMs < readSignInTime(notBefore)!) return "notBefore";
  if (expirationTime !== undefined && timeMs >= readSignInTime(expirationTime)!) return "expirationTime";
  return undefined;
}

function checkSignIn(message: SignInMessage): void {
  for (const member of REQUIRED) if (message[member] === undefined) fail(member, "is missing");
  for (const [member, shape] of Object.entries(SHAPES) as [Exclude<SignInMember, "resources">, RegExp][]) {
    const value = message[member];
    if (value !== undefined && !shape.test(value)) fail(member, "is not what the standard allows");
  }
  for (const member of TIMES) {
    const value = message[member];
    if (value !== undefined && readSignInTime(value as string) === undefined) fail(member, "is no time of RFC 3339");
  }
  if (checksumAddress(message.address) !== message.address) fail("address", "does not have the checksum of EIP-55");
  for (const resource of message.resources ?? []) {
    if (!SHAPES.uri.test(resource)) fail("resources", "has an entry that is no URI");
  }
}

function fail(member: SignInMember | undefined, reason: string): never {
  throw new SignInError(member, member === undefined ? reason : `${member} ${reason}`);
}
