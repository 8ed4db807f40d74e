import { type Static, Type } from "typebox";
import { ACTION_NAMES } from "../../../protocol/actions/index.ts";
import { AccountRisk, Position } from "./accounts.ts";
import { count, nullable, subaccount, text, word } from "./common.ts";
import { ActionResult } from "./transactions.ts";

/** An action to be tried out: nothing is signed, nothing is changed. */
export const PreviewRequest = Type.Object(
  {
    subaccount: Type.Optional(subaccount("Acting subaccount. Default: 0.")),
    action: word(ACTION_NAMES, "Kind of action; none that an authority signs."),
    payload: Type.Record(Type.String(), Type.Unknown(), {
      description: "Fields of the action, as in a signed transaction.",
    }),
  },
  { $id: "PreviewRequest", additionalProperties: false },
);
export type PreviewRequest = Static<typeof PreviewRequest>;

const AccountSituation = Type.Object(
  { risk: nullable(AccountRisk, "null for an account that does not exist."), positions: Type.Array(Position) },
  { $id: "AccountSituation", description: "Risk and positions, by the venue's own formulas." },
);

export const Preview = Type.Object(
  {
    status: word(["applied", "rejected", "invalid"], "Status of its receipt in the next block, alone in it."),
    code: nullable(text("Why it would not be applied.")),
    meaning: nullable(text("The code in words.")),
    numbers: nullable(Type.Record(Type.String(), Type.String()), "The numbers that the rejection compares."),
    results: Type.Array(ActionResult),
    fillCount: count("How many fills it would bring."),
    before: AccountSituation,
    after: AccountSituation,
  },
  { $id: "Preview", description: "Effect of an action in the next block, alone in it, at unchanged prices." },
);
export type Preview = Static<typeof Preview>;
