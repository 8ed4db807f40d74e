/**
 * Participants of a replay. Their keys are small whole numbers, which every reader can check and which protect nothing.
 * The same addresses act whether signatures are made or left out, so that both give the same roots.
 */
import { AccountKey } from "../../protocol/accountKey.ts";
import type { Bytes32 } from "../../protocol/fields.ts";
import type { Genesis } from "../../protocol/genesis.ts";

const keyOf = (number: number): Bytes32 => `0x${number.toString(16).padStart(64, "0")}`;

/** Private keys 1 to 5. */
export const KEYS = {
  oracle: keyOf(1),
  faucet: keyOf(2),
  operator: keyOf(3),
  house: keyOf(4),
  strategy: keyOf(5),
} as const;

/** Their addresses; a test holds them to the keys. */
export const AUTHORITIES: Genesis["authorities"] = {
  oracle: "0x7e5f4552091a69125d5dfcb7b8c2659029395bdf",
  faucet: "0x2b5ad5c4795c026514f8317c7a215e218dccd6cf",
  operator: "0x6813eb9362372eef6200f3b1dbc3f819671cba69",
};

/** Of the strategies of a run, in the order of their names: the addresses of the private keys 5 to 36. */
const STRATEGY_ADDRESSES = [
  "0xe1ab8145f7e55dc933d51a18c793f901a3a0b276",
  "0xe57bfe9f44b819898f47bf37e5af72a0783e1141",
  "0xd41c057fd1c78805aac12b0a94a405c0461a6fbb",
  "0xf1f6619b38a98d6de0800f1defc0a6399eb6d30c",
  "0xf7edc8fa1ecc32967f827c9043fcae6ba73afa5c",
  "0x4cceba2d7d2b4fdce4304d3e09a1fea9fbeb1528",
  "0x3da8d322cb2435da26e9c9fee670f9fb7fe74e49",
  "0xdbc23ae43a150ff8884b02cea117b22d1c3b9796",
  "0x68e527780872cda0216ba0d8fbd58b67a5d5e351",
  "0x5a83529ff76ac5723a87008c4d9b436ad4ca7d28",
  "0x8735015837bd10e05d9cf5ea43a2486bf4be156f",
  "0xfae394561e33e242c551d15d4625309ea4c0b97f",
  "0x252dae0a4b9d9b80f504f6418acd2d364c0c59cd",
  "0x79196b90d1e952c5a43d4847caa08d50b967c34a",
  "0x4bd1280852cadb002734647305afc1db7ddd6acb",
  "0x811da72aca31e56f770fc33df0e45fd08720e157",
  "0x157bfbecd023fd6384dad2bded5dad7e27bf92e4",
  "0x37da28c050e3c0a1c0ac3be97913ec038783da4c",
  "0x3bc8287f1d872df4217283b7920d363f13cf39d8",
  "0xf4e2b0fcbd0dc4b326d8a52b718a7bb43bdbd072",
  "0x9a5279029e9a2d6e787c5a09cb068ab3d45e209d",
  "0xc39677f5f47d5fe65ab24e66750e8fca127c15be",
  "0x1dc728786e09f862e39be1f39dd218ee37feb68d",
  "0x636cc65783084b9f370789c90f733dbbeb88925d",
  "0x4a7a7c2e09209dbe44a582cd92b0edd7129e74be",
  "0xa56160a359f2eaa66f5c9df5245542b07339a9a6",
  "0x6b09d6433a379752157fd1a9e537c5cae5fa3168",
  "0x32e77de0d74a5c7af861aaed324c6a4c488142a8",
  "0x093d49d617a10f26915553255ec3fee532d2c12f",
  "0x138854708d8b603c9b7d4d6e55b6d32d40557f4d",
  "0x7dc0a40d64d72bb4590652b8f5c687bf7f26400c",
  "0x9358a525cc25aa571af0bcb5b98fbeab045a5e36",
] as const;

/** Accounts of the strategies of a run, each of an owner of its own. */
export const STRATEGIES: readonly AccountKey[] = STRATEGY_ADDRESSES.map((address) => new AccountKey(address, 0));

/** The account of the first strategy, or of the only one. */
export const STRATEGY = STRATEGIES[0]!;

/** Private keys of all participants of a run with so many strategies. */
export function listKeys(strategies: number): Bytes32[] {
  return [...Object.values(KEYS), ...Array.from({ length: strategies - 1 }, (_, place) => keyOf(6 + place))];
}

export const ORACLE = new AccountKey(AUTHORITIES.oracle, 0);
export const OPERATOR = new AccountKey(AUTHORITIES.operator, 0);
