/** A client of the venue for Node and browsers: reads, signs, submits and follows streams. Brings no server code. */

export type { UserAction } from "../../protocol/actions/index.ts";
export { type Account, type Signer, toAccount } from "./account/account.ts";
export { type PrivateKeyAccount, privateKeyToAccount } from "./account/privateKey.ts";
export { type WalletProvider, walletAccount, writeTypedData } from "./account/provider.ts";
export { type DevnetActions, devnetActions } from "./actions/devnetActions.ts";
export { type PublicActions, publicActions, type ReadId, type Reads } from "./actions/publicActions.ts";
export { type StreamActions, streamActions } from "./actions/streamActions.ts";
export {
  type SubmitOptions,
  type UserActions,
  type WalletActions,
  walletActions,
} from "./actions/walletActions.ts";
export { type Grant, payloadOfGrant } from "./agents/grant.ts";
export { type Client, type ClientBase, createClient } from "./client.ts";
export { type ClientClock, computeBackoffMs, DEFAULT_RETRY, type RetryPolicy, systemClock } from "./clock.ts";
export type { ClientOptions } from "./core.ts";
export { type AgentActions, createVenueClient, type SigningClient, type VenueClient } from "./createVenueClient.ts";
export { ClientError, type ClientErrorCode, isClientError, isUnanswered, isVenueError, VenueError } from "./errors.ts";
export type { NetworkChange, NetworkExpectation, NetworkIdentity } from "./network/expectation.ts";
export type { CheckedNetwork, NetworkGuard } from "./network/networkGuard.ts";
export type { AnswerOf, InputOf, ItemOf, ListId, OperationId } from "./operations/operation.ts";
export { type DatabaseFactory, indexedDbOutbox } from "./outbox/indexedDbOutbox.ts";
export { memoryOutbox, type Outbox, type OutboxEntry } from "./outbox/outbox.ts";
export { storageOutbox, type TextStorage } from "./outbox/storageOutbox.ts";
export type { OrderResult } from "./resources.ts";
export type { Session } from "./session/session.ts";
export type { FollowBookOptions, FollowedBook } from "./socket/followBook.ts";
export { type BookChange, LiveBook } from "./socket/liveBook.ts";
export type { ChannelName, Delta, DeltaOf, Snapshot, SnapshotOf, StreamKey } from "./socket/messages.ts";
export type { StreamMessageOf } from "./socket/messagesOf.ts";
export type { StreamListener, Subscription } from "./socket/streamClient.ts";
export { type RunStrategyOptions, runStrategy } from "./strategy/runStrategy.ts";
export type { StrategyRunner } from "./strategy/strategyRunner.ts";
export type { Outcome } from "./submission/outcome.ts";
export { type Attempt, type Decision, decide, type Step } from "./submission/retryMatrix.ts";
export type { Submission, WaitOptions } from "./submission/submission.ts";
export {
  PREFLIGHT_CHECKS,
  type PreflightCheck,
  type PreflightCode,
  type PreflightFailure,
} from "./transaction/preflightFailure.ts";
export type { Intention } from "./transaction/transactionRequest.ts";
export { type HttpOptions, http, webSocket } from "./transport/http.ts";
export { inProcess } from "./transport/inProcess.ts";
export type { Transport } from "./transport/transport.ts";
export { compareVersions, SDK_VERSION, SUPPORTED } from "./versions.ts";
