/** Signatures, nonces and grants. */

import { findUnbound } from "../../../../src/proof/invariants/admission/signatureBindsFields.ts";
import type { Step } from "../../../../src/proof/invariants/machinery/defineInvariant.ts";
import { AccountKey } from "../../../../src/protocol/accountKey.ts";
import { ZERO_BYTES32 } from "../../../../src/protocol/transaction.ts";
import { createDigester } from "../../../../src/protocol/typedDataDigest.ts";
import { forkState } from "../../../../src/venue/engine/state/forkState.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";
import { findMoment } from "../../../helpers/flows.ts";
import { loose } from "../../../helpers/loose.ts";
import { eventStep, type Plants } from "./plant.ts";

const granted = () => findMoment(({ state }) => state.authorizations.rows.high > 0);

const windowed = () =>
  findMoment(({ step }) => step.events.some((event) => event.kind === "nonceUsed" && event.lane < 0));

export const admissionPlants: Plants = {
  grantsWithin: [
    {
      fault: "a resting order too many",
      at: granted,
      plant: ({ authorizations }) => void loose(authorizations.openOrders)[0]!++,
    },
    {
      fault: "a day beyond its limit",
      at: granted,
      plant: ({ authorizations }) => {
        loose(authorizations.maxDailyNotional)[0] = 5;
        loose(authorizations.used)[0] = 6;
      },
    },
    {
      fault: "a day of less than nothing",
      at: granted,
      plant: ({ authorizations }) => void (loose(authorizations.used)[0] = -1),
    },
    {
      fault: "use of a grant that counts none",
      at: granted,
      plant: ({ authorizations }) => {
        loose(authorizations.maxDailyNotional)[0] = -1;
        loose(authorizations.used)[0] = 1;
      },
    },
    {
      fault: "a grant that ended long ago",
      at: granted,
      plant: ({ authorizations }) => {
        loose(authorizations.status)[0] = 1;
        loose(authorizations.expiresAt)[0] = 1;
      },
    },
  ],
  grantOrdersWithin: [
    {
      fault: "an order beyond the limit",
      at: granted,
      plant: ({ authorizations }) => {
        loose(authorizations.maxOpenOrders)[0] = 1;
        loose(authorizations.openOrders)[0] = 2;
      },
    },
  ],
  signatureBindsFields: [
    ...(["header.validUntil", "header.subaccount", "payload"] as const).map((left) => ({
      fault: `a digest without ${left}`,
      plant: () => {},
      check: (_state: State, { block }: Step) => {
        const digester = createDigester({ chainId: 1, genesisHash: ZERO_BYTES32 });
        const transaction = block.transactions.find(({ action }) => action !== "noop")!;
        const { header, payload } = transaction;
        return findUnbound(
          {
            digestOf(given) {
              switch (left) {
                case "payload":
                  return digester.digestOf({ ...given, payload });
                case "header.validUntil":
                  return digester.digestOf({ ...given, header: { ...given.header, validUntil: 1 } });
                default: {
                  const account = new AccountKey(given.header.account.address, header.account.subaccount);
                  return digester.digestOf({ ...given, header: { ...given.header, account } });
                }
              }
            },
          },
          transaction,
        );
      },
    })),
    {
      fault: "ids of another chain",
      plant: (state) => void (state.digester = createDigester({ chainId: 5, genesisHash: ZERO_BYTES32 })),
    },
  ],
  replayRefused: [
    {
      fault: "a lane that forgot its nonces",
      plant({ accounts }, step) {
        for (const lane of ["nonceTrading", "nonceRisk", "nonceFunds", "nonceAdmin"] as const) {
          for (let row = 0; row < step.before.accounts.rows.high; row++) {
            loose(accounts[lane])[row] = step.before.accounts[lane][row as never]!;
          }
        }
      },
    },
  ],
  nonceOnce: [
    { fault: "a lane that jumped", plant: ({ accounts }) => void loose(accounts.nonceTrading)[1]!++ },
    {
      fault: "an agent's lane that jumped",
      at: () => findMoment(({ step }) => step.before.lanes.rows.high > 0),
      plant: ({ lanes }) => void loose(lanes.nonceRisk)[0]!++,
    },
    { fault: "an authority's lane that did not advance", plant: ({ authorityNonces }) => void authorityNonces[0]!-- },
    { fault: "a transaction counted twice", plant: (state) => void state.consumed++ },
    {
      fault: "a used nonce of a window that was forgotten",
      at: windowed,
      plant: ({ ownerNonces }) => void ownerNonces.bits.fill(0),
    },
    {
      fault: "a nonce of a window that was used before",
      at: windowed,
      plant(_state, step) {
        const used = step.events.find((event) => event.kind === "nonceUsed" && event.lane < 0);
        if (used?.kind !== "nonceUsed") throw new Error("no owner's nonce");
        const before = forkState(step.before);
        const { accounts, ownerNonces } = before;
        loose(accounts.nonceTrading)[used.account] = ownerNonces.use(
          used.account,
          accounts.nonceTrading[used.account as never]!,
          used.nonce,
        );
        return { ...step, before };
      },
    },
    {
      fault: "a nonce without an event",
      plant: (_state, step) =>
        eventStep(
          step,
          step.events.filter(({ kind }) => kind !== "nonceAdvanced" && kind !== "nonceUsed"),
        ),
    },
  ],
};
