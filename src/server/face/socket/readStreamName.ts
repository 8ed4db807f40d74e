import {
  BOOK_DEPTHS,
  CHANNEL_NAMES,
  type ChannelName,
  channels,
  type StreamName,
} from "../../../client/api/socket/channels.ts";
import type { ClientMessage } from "../../../client/api/socket/messages.ts";
import { readAddress } from "../services/access.ts";
import { SocketRefusal } from "./readMessage.ts";

/** Members that name a stream, in addition to its channel. */
const MEMBERS = { none: [], market: ["market"], book: ["market", "depth"], account: ["address"] } as const;

/**
 * The stream that a subscription names.
 *
 * @throws {SocketRefusal} INVALID_CHANNEL, INVALID_MESSAGE
 */
export function readStreamName(
  given: Extract<ClientMessage, { readonly op: "subscribe" }>,
  hasMarket: (name: string) => boolean,
): StreamName {
  const channel = CHANNEL_NAMES.find((name) => name === given.channel) as ChannelName | undefined;
  if (channel === undefined) {
    throw new SocketRefusal("INVALID_CHANNEL", `Channels are ${CHANNEL_NAMES.join(", ")}.`);
  }
  const { about } = channels[channel];
  const wanted: readonly string[] = MEMBERS[about];
  for (const member of ["market", "address", "depth"] as const) {
    if (given[member] !== undefined && !wanted.includes(member)) {
      throw new SocketRefusal("INVALID_MESSAGE", `\`${channel}\` takes no \`${member}\`; leave it out.`);
    }
  }
  if (about === "none") return { channel };
  if (about === "account") {
    if (given.address === undefined || !/^0x[0-9a-fA-F]{40}$/.test(given.address)) {
      throw new SocketRefusal("INVALID_MESSAGE", `\`${channel}\` needs \`address\`: 0x and 40 hexadecimal digits.`);
    }
    return { channel, address: readAddress(given.address, "address") };
  }
  if (given.market === undefined || !hasMarket(given.market)) {
    throw new SocketRefusal("INVALID_CHANNEL", `\`${channel}\` needs \`market\`: a name of \`/markets\`.`);
  }
  const { market } = given;
  return about === "book" ? { channel, market, depth: given.depth ?? BOOK_DEPTHS[1] } : { channel, market };
}
