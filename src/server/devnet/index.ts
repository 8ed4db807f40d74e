/** A development venue within a program: for tests of bots and other clients. */
export type { DevelopmentAccount } from "./accounts.ts";
export { DEVELOPMENT_ACCOUNTS, DEVELOPMENT_MNEMONIC } from "./accounts.ts";
export type { Whom } from "./control.ts";
export { type CreateDevnetOptions, createDevnet, Devnet, type ListeningDevnet } from "./createDevnet.ts";
export type { Played, PlayOptions } from "./feed/feed.ts";
export type { RecordingOptions } from "./feed/recording.ts";
export type { OperatorOptions, OperatorTransaction } from "./operatorTransactions.ts";
export { DEVNET_PRICES, DEVNET_TIME_MS, type DevnetOptions } from "./venue.ts";
