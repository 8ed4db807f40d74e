// A bot that quotes both sides of a market of a running devnet, and ends with exit code 1 if the venue did not do what
// the bot relies on. `devnet --config-out devnet.json` writes the addresses and keys that it reads.
//
//     node bin/perplab.js run examples/bot.ts --config devnet.json      in a clone
//     node bot.ts --config devnet.json                                  where the package is installed
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createVenueClient, http, privateKeyToAccount } from "perplab/sdk";

const HELP = `usage: bot.ts --config FILE [--market NAME] [--rounds COUNT] [--size SIZE]

  --config FILE    what \`perplab devnet --config-out FILE\` wrote
  --market NAME    default: the first market of the devnet
  --rounds COUNT   how often both quotes are placed and cancelled (default: 3)
  --size SIZE      of each quote, in units of base (default: 0.01)`;

/** What the bot reads of the file. */
interface Config {
  readonly restUrl: string;
  readonly markets: readonly string[];
  readonly accounts: readonly { readonly privateKey: `0x${string}` }[];
}

/** Distance of each quote from the index. */
const DISTANCE = 0.01;

const { values } = parseArgs({
  options: {
    config: { type: "string" },
    market: { type: "string" },
    rounds: { type: "string", default: "3" },
    size: { type: "string", default: "0.01" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) console.log(HELP);
else await quote(JSON.parse(readFileSync(values.config ?? "devnet.json", "utf8")) as Config);

async function quote({ restUrl, markets, accounts }: Config): Promise<void> {
  const [first] = accounts;
  const market = values.market ?? markets[0];
  if (first === undefined || market === undefined) throw new Error("the devnet has no account or no market");
  const account = privateKeyToAccount(first.privateKey);
  const client = createVenueClient({ transport: http(new URL(restUrl).origin), account });

  for (let round = 1; round <= Number(values.rounds); round++) {
    const { data: prices } = await client.getMarketPrices({ market });
    if (prices.index === null) throw new Error(`${market} has no index price`);
    const index = Number(prices.index.value);
    const order = { market, size: values.size, postOnly: "reject" } as const;
    const quotes = [
      await client.placeOrder({ ...order, side: "buy", price: String(Math.floor(index * (1 - DISTANCE))) }),
      await client.placeOrder({ ...order, side: "sell", price: String(Math.ceil(index * (1 + DISTANCE))) }),
    ];
    for (const submission of quotes) {
      const outcome = await submission.wait();
      if (outcome.status !== "applied") throw new Error(`a quote was ${outcome.status}: ${JSON.stringify(outcome)}`);
    }
    const { data: open } = await client.listOrders({ address: account.address });
    console.log(`round ${round}: ${open.map(({ side, size, price }) => `${side} ${size} @ ${price}`).join(", ")}`);
    if (open.length !== quotes.length) throw new Error(`${open.length} orders rest, not ${quotes.length}`);
    await (await client.cancelAll({ market })).wait();
  }

  const { data: left } = await client.listOrders({ address: account.address });
  if (left.length > 0) throw new Error(`${left.length} orders were not cancelled`);
  console.log(`${values.rounds} rounds, and no order is left`);
}
