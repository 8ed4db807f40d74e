import { expect, test } from "vitest";
import type { AccountRow } from "../../src/engine/state/schema.ts";
import { createServices } from "../../src/service/services.ts";
import { addressOf } from "../../src/service/views/accounts.ts";
import { ask } from "./helpers/ask.ts";
import { hostOfFlow } from "./helpers/flowHost.ts";

// Goal: whatever a venue holds, every answer has the form that its route promises.
// Method: lively venues of generated flows, every market and account asked about everything.
test.each([1, 2, 3, 4, 5, 6])(
  "every answer about a lively venue is valid against its schema, seed %i",
  async (seed) => {
    const { host } = hostOfFlow(seed, 120);
    const services = createServices(host.asHost);
    await ask(services, "getStatus");
    const { data: markets } = await ask(services, "listMarkets");
    for (const { market } of markets) {
      await ask(services, "getMarket", { params: { market } });
      await ask(services, "getMarketPrices", { params: { market } });
      await ask(services, "getMarketBook", { params: { market }, query: { depth: 5 } });
    }
    let positions = 0;
    for (let row = 0; row < host.state.accounts.rows.high; row++) {
      const address = addressOf(host.state, row as AccountRow);
      await ask(services, "listBalances", { params: { address } });
      positions += (await ask(services, "listPositions", { params: { address } })).data.length;
      await ask(services, "listRisk", { params: { address } });
      await ask(services, "getNonce", {
        params: { address },
        query: { signer: address, subaccount: 0, domain: "trading" },
      });
    }
    expect(positions).toBeGreaterThan(0);
  },
);
