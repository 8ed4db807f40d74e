import { AccountKey } from "../../../protocol/accountKey.ts";
import { AUTHORITIES, type Authority } from "../../../protocol/action.ts";
import { ACTION_NAMES, type ActionName, actions, type GivenPayloads } from "../../../protocol/actions/index.ts";
import { createPayload } from "../../../protocol/createPayload.ts";
import { createTransaction } from "../../../protocol/createTransaction.ts";
import { ValidationError } from "../../../protocol/errors.ts";
import type { Address } from "../../../protocol/fields.ts";
import type { State } from "../../engine/state/state.ts";
import type { Injection } from "./forkLog.ts";

/**
 * Reads transactions that are added to a fork, next to the recorded ones:
 *
 *     - height: 120                    block that it is in
 *       from: "0x…/1"                  account and subaccount, or oracle, operator, faucet
 *       placeOrder: { market: BTC-PERP, side: sell, size: "1", price: "60000" }
 *
 * A payload may leave out what it does not use.
 *
 * @param list parsed JSON or YAML
 * @throws {ValidationError} with the place in the list
 */
export function readInjections(list: unknown): Injection[] {
  if (!Array.isArray(list))
    throw fault("", "wrongType", "must be a list of transactions", "begin every entry with a dash");
  return list.map((entry, place) => readInjection(entry, `[${place}]`));
}

function readInjection(entry: unknown, path: string): Injection {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) {
    throw fault(path, "wrongType", "must be an object", "write height, from, and one action");
  }
  const { height, from, ...rest } = entry as Record<string, unknown>;
  if (!Number.isSafeInteger(height) || (height as number) < 1) {
    throw fault(
      `${path}.height`,
      "wrongType",
      `${JSON.stringify(height)} is no height`,
      "write a whole number of a block",
    );
  }
  const names = Object.keys(rest);
  const [name] = names;
  if (names.length !== 1 || !(ACTION_NAMES as readonly string[]).includes(name!)) {
    const found = names.length === 0 ? "nothing" : names.join(", ");
    throw fault(
      path,
      "unknownField",
      `one action is wanted next to height and from, not ${found}`,
      `use ${ACTION_NAMES.join(", ")}`,
    );
  }
  const action = name as ActionName;
  const at = `${path}.${action}`;
  const payload = createPayload(action, (rest[action] ?? {}) as GivenPayloads[ActionName], at);
  const accountOf = readActor(from, action, `${path}.from`);
  return {
    height: height as number,
    make(fork) {
      return createTransaction({
        action,
        account: accountOf(fork),
        payload,
        nonce: 0,
        network: fork.genesis.network,
        validFrom: height as number,
      });
    },
  };
}

function readActor(from: unknown, action: ActionName, path: string): (fork: State) => AccountKey {
  const { authority } = { authority: undefined, ...actions[action] } as { authority: Authority | undefined };
  if (authority !== undefined && (from === undefined || from === authority)) {
    return (fork) => new AccountKey(fork.genesis.authorities[authority], 0);
  }
  const named = (AUTHORITIES as readonly unknown[]).includes(from);
  const match = typeof from === "string" ? /^(0x[0-9a-f]{40})(?:\/(0|[1-9][0-9]{0,9}))?$/.exec(from) : null;
  if (match === null || authority !== undefined) {
    const hint =
      authority === undefined
        ? "write 0x and 40 lower-case hex digits, with /subaccount where it is not 0"
        : `${action} is signed by ${authority}: write that, or leave it out`;
    throw fault(path, named ? "unknownWord" : "malformed", `${JSON.stringify(from)} cannot send ${action}`, hint);
  }
  const key = new AccountKey(match[1] as Address, Number(match[2] ?? "0"));
  return () => key;
}

function fault(
  path: string,
  kind: "wrongType" | "unknownField" | "unknownWord" | "malformed",
  reason: string,
  hint: string,
) {
  return new ValidationError({ fault: kind, path: path === "" ? "file" : path, reason, hint });
}
