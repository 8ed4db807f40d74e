import type { TSchema } from "typebox";
import { SOCKET_PATH } from "./endpoint.ts";
import { Components } from "./jsonSchema.ts";
import { CHANNEL_NAMES, channels } from "./socket/channels.ts";
import { clientOperations, deltaOf, serverMessages, snapshotOf } from "./socket/messages.ts";
import { API_VERSION } from "./version.ts";

/** Builds the stream messages as an AsyncAPI 3 document, from the schemas that the venue validates with. */
export function createAsyncApi(): object {
  const sent: Readonly<Record<string, TSchema>> = clientOperations;
  const received: Record<string, TSchema> = { ...serverMessages };
  for (const channel of CHANNEL_NAMES) {
    received[`${channel}Snapshot`] = snapshotOf(channels[channel].snapshot, capital(channel));
    received[`${channel}Delta`] = deltaOf(channels[channel].delta, capital(channel));
  }
  const all = { ...sent, ...received };
  const components = new Components();
  const messages = Object.fromEntries(
    Object.entries(all).map(([name, schema]) => {
      const channel = CHANNEL_NAMES.find((of) => name === `${of}Snapshot` || name === `${of}Delta`);
      const { description } = schema as { readonly description?: string };
      const summary = channel === undefined ? description : channels[channel].doc;
      return [
        name,
        {
          name,
          contentType: "application/json",
          ...(summary === undefined ? {} : { summary }),
          payload: components.refer(schema),
        },
      ];
    }),
  );
  const inChannel = (name: string) => ({ $ref: `#/channels/stream/messages/${name}` });
  return {
    asyncapi: "3.0.0",
    info: {
      title: "perplab streams",
      version: API_VERSION,
      description:
        "One connection follows any number of streams. A snapshot comes first, then at most one delta a block and stream. `seq` is the height of the block; `prevSeq` is the `seq` of the message before: a client with a lower `seq` has missed a message.",
    },
    channels: {
      stream: {
        address: SOCKET_PATH,
        messages: Object.fromEntries(Object.keys(all).map((name) => [name, { $ref: `#/components/messages/${name}` }])),
      },
    },
    operations: {
      takeOperation: {
        action: "receive",
        summary: "Operations that a client sends.",
        channel: { $ref: "#/channels/stream" },
        messages: Object.keys(sent).map(inChannel),
      },
      sendMessage: {
        action: "send",
        summary: "Messages that the venue sends.",
        channel: { $ref: "#/channels/stream" },
        messages: Object.keys(received).map(inChannel),
      },
    },
    components: { messages, schemas: components.list() },
  };
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
