/** Committed transactions, their signers, and the numbers of receipts. */
import { NONE } from "../../../../src/ground/collections/table.ts";
import type { RejectionNumbers } from "../../../../src/protocol/rejections.ts";
import type { Transaction } from "../../../../src/protocol/transaction.ts";
import { ORDER_TYPE } from "../../../../src/protocol/words.ts";
import { bend, type Instant } from "../../../helpers/moments.ts";
import { has, isOrder, isUser, opened, type Plants, payloadOf, set } from "./plant.ts";

type TxHeader = Transaction["header"];

const headerOf = ({ transaction }: Instant) => transaction!.header as { -readonly [K in keyof TxHeader]: TxHeader[K] };

/** The numbers of a rejection that has some; they are those of the transaction pushed last. */
const numbersOf = ({ state }: Instant) => state.receipts.numbers.get(state.receipts.count - 1) ?? {};

const refused = (it: Instant) => it.status === "rejected" && Object.keys(numbersOf(it)).length > 0;

const say = (it: Instant, numbers: RejectionNumbers) =>
  void it.state.receipts.numbers.set(it.state.receipts.count - 1, numbers);

export const admissionPlants: Plants = {
  committedIsValid: [
    { fault: "a transaction of the past", isWanted: isUser, plant: (it) => void (headerOf(it).validUntil = 0) },
    {
      fault: "a transaction of the future",
      isWanted: isUser,
      plant: (it) => void (headerOf(it).validFrom = it.block.height + 1),
    },
  ],
  committedBelongs: [
    { fault: "another network", isWanted: isUser, plant: (it) => void (headerOf(it).network = "elsewhere") },
    { fault: "another version", isWanted: isUser, plant: (it) => void headerOf(it).protocolVersion++ },
    {
      fault: "no valid signature",
      isWanted: isUser,
      plant: (it) => void Object.assign(it.transaction!, { verdict: false }),
    },
  ],
  nonceIsEmitted: [{ fault: "another nonce", isWanted: isUser, plant: (it) => void headerOf(it).nonce++ }],
  grantStatesGoForward: [
    {
      fault: "a grant that comes back",
      isWanted: has("authorizationChanged"),
      plant: (it) => set(it, "authorizationChanged", "status", 0),
    },
  ],
  grantUseIsOrders: [
    {
      fault: "a unit more than the value of the order",
      isWanted: (it) => isOrder(it) && payloadOf(it).orderType === ORDER_TYPE.limit && has("authorizationUsed")(it),
      plant: (it) => bend(it, "authorizationUsed", "used", 1),
    },
    {
      fault: "use of another day",
      isWanted: has("authorizationUsed"),
      plant: (it) => bend(it, "authorizationUsed", "day", 1),
    },
    {
      fault: "a sum that falls",
      isWanted: has("authorizationUsed"),
      plant: (it) => set(it, "authorizationUsed", "used", -1),
    },
  ],
  agentWithinGrant: [
    {
      fault: "an agent of another owner",
      isWanted: (it) => isUser(it) && headerOf(it).signer !== headerOf(it).account.address,
      plant: (it) => void (headerOf(it).signer = `0x${"77".repeat(20)}` as never),
    },
    {
      fault: "a grant beyond its time",
      isWanted: (it) => isUser(it) && headerOf(it).signer !== headerOf(it).account.address,
      plant: ({ state }) => void (state.authorizations.expiresAt as unknown as Float64Array).fill(1),
    },
  ],
  systemBySystem: [
    {
      fault: "a user who mints",
      isWanted: isUser,
      plant: ({ state, actor }) => state.events.minted({ account: actor, amount: 1 }),
    },
  ],
  faucetIsOn: [
    { fault: "a mint of another amount", isWanted: has("minted"), plant: (it) => bend(it, "minted", "amount", 1) },
  ],
  movesExactly: [
    {
      fault: "a unit more",
      isWanted: (it) => isUser(it) && has("withdrawn")(it),
      plant: (it) => bend(it, "withdrawn", "amount", 1),
    },
    {
      fault: "a reference that did not come with it",
      isWanted: has("deposited"),
      plant: (it) =>
        set(
          it,
          "deposited",
          "reference",
          it.events.some((e) => e.kind === "deposited" && e.reference === NONE) ? it.state.events.text("x") : NONE,
        ),
    },
    {
      fault: "a unit of another account",
      isWanted: (it) => isUser(it) && has("transferred")(it),
      plant: (it) => bend(it, "balanceChanged", "collateral", 1),
    },
  ],
  refusalHolds: [
    { fault: "numbers left out", isWanted: refused, plant: (it) => it.state.receipts.numbers.clear() },
    {
      fault: "enough margin in a rejection for lack of it",
      isWanted: (it) => refused(it) && numbersOf(it)["required"] !== undefined,
      plant: (it) => say(it, { equity: 9, required: 9 }),
    },
    {
      fault: "an order that was not requested",
      isWanted: (it) =>
        refused(it) && numbersOf(it)["orderId"] !== undefined && it.transaction?.action === "cancelOrder",
      plant: (it) => say(it, { orderId: Number(numbersOf(it)["orderId"]) + 1 }),
    },
    {
      fault: "a number that is not one",
      isWanted: (it) => refused(it) && numbersOf(it)["least"] !== undefined,
      plant: (it) => say(it, { ...numbersOf(it), least: Number.NaN }),
    },
    {
      fault: "a use of a grant that is not of this day",
      isWanted: (it) => refused(it) && numbersOf(it)["used"] !== undefined && numbersOf(it)["leg"] === undefined,
      plant: (it) => say(it, { ...numbersOf(it), used: Number(numbersOf(it)["used"]) + 1 }),
    },
    {
      fault: "fewer open orders than the limit of open orders",
      isWanted: (it) => refused(it) && numbersOf(it)["orders"] !== undefined && numbersOf(it)["most"] !== undefined,
      plant: (it) => say(it, { ...numbersOf(it), orders: Number(numbersOf(it)["most"]) - 1 }),
    },
  ],
  appliedIsSane: [
    { fault: "an order of no lots", isWanted: opened, plant: (it) => void (payloadOf(it).size = 0 as never) },
    { fault: "a price off the grid", isWanted: opened, plant: (it) => void (payloadOf(it).price = 0.5 as never) },
  ],
};
