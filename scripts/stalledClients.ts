/** A separate process with clients that follow streams and read nothing, for `campaignStalled.ts`. */
import { openStalled } from "../test/helpers/stalledClients.ts";

const PATIENCE_MS = 60_000;

const [url, count] = process.argv.slice(2);
const clients = await openStalled(url!, Number(count));
process.send!("stalled");
// Clients of a kind continue reading until their connections end; their close codes are reported.
process.on("message", async (kind) => {
  const codes: Record<string, number> = {};
  const late = new Promise<number>((resolve) => setTimeout(() => resolve(0), PATIENCE_MS).unref());
  const those = clients.filter(({ follows }) => follows === kind);
  for (const code of await Promise.all(those.map((client) => Promise.race([client.release(), late])))) {
    const name = code === 0 ? "open" : String(code);
    codes[name] = (codes[name] ?? 0) + 1;
  }
  process.send!(codes);
});
