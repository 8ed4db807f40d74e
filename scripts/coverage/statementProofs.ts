/** Where each statement of the specification is proven: `[file, name of the test]`, or a scenario file. */
export type Proof = readonly [file: string, name: string] | string;

const inFile =
  (file: string) =>
  (name: string): Proof => [file, name];

const walk = inFile("test/server/specification.test.ts");
const endpoint = inFile("test/server/endpoints.test.ts");
const signing = inFile("test/client/api/wireSchemas.test.ts");
const venue = inFile("test/client/sdk/venue.test.ts");
const retry = inFile("test/client/sdk/retryMatrix.test.ts");
const check = inFile("test/client/sdk/preflight.test.ts");
const network = inFile("test/client/sdk/network.test.ts");
const outbox = inFile("test/client/sdk/outbox.test.ts");
const client = inFile("test/client/sdk/transports.test.ts");
const follow = inFile("test/client/sdk/streams.test.ts");
const submit = inFile("test/server/face/handlers/submission.test.ts");
const session = inFile("test/server/face/handlers/session.test.ts");
const faucet = inFile("test/server/face/handlers/faucet.test.ts");
const streams = inFile("test/server/face/socket/streams.test.ts");
const resumed = inFile("test/server/face/socket/resume.test.ts");
const restarted = inFile("test/server/face/socket/restart.test.ts");
const socket = inFile("test/server/face/socket/connection.test.ts");
const wire = inFile("test/server/face/http/webSocket.test.ts");
const dispatch = inFile("test/server/face/dispatch/dispatcher.test.ts");
const http = inFile("test/server/face/http/hygiene.test.ts");
const paging = inFile("test/server/paging.test.ts");
const server = inFile("test/server/server.test.ts");
const host = inFile("test/server/host/host.test.ts");
const crash = inFile("test/server/host/store/crash.test.ts");
const ended = inFile("test/server/devnet/faults/crashes.test.ts");
const typed = inFile("test/protocol/typedData.test.ts");
const codec = inFile("test/protocol/codec.test.ts");
const bundle = inFile("test/client/sdk/bundle.test.ts");
const contract = inFile("test/client/api/openapi.test.ts");
const scenario = (path: string): Proof => `scenarios/${path}.yaml`;

const digest = typed("has the digest that viem and the plain encoder compute");
const leaf = typed("every leaf of header and payload changes the digest");
const elsewhere = submit("a signature for another network, chain, genesis, version or lane is refused");

export const PROOFS: Readonly<Record<string, readonly Proof[]>> = {
  "SVC-1": [venue("two clients trade, and each reads its outcome")],
  "SVC-2": [digest, faucet("a claim is a system transaction that mints what is asked for, marked as simulated")],
  "SVC-3": [leaf, elsewhere],
  "SVC-4": [
    endpoint("GET /status names the network, the signing domain and the head of the venue"),
    venue("two clients trade, and each reads its outcome"),
  ],
  "SVC-5": [walk("the surfaces carry their versions in their paths"), dispatch("there is nothing at %s")],
  "SVC-6": [wire("streams go over the wire")],
  "SVC-7": [faucet("the faucet documents what it gives, inside and outside the prefix")],
  "SVC-8": [faucet("a claim is a system transaction that mints what is asked for, marked as simulated")],
  "SVC-9": [scenario("positions/the-mark-moves-longs-and-shorts")],
  "SVC-10": [
    scenario("positions/the-mark-moves-longs-and-shorts"),
    scenario("positions/value-is-conserved-in-a-liquidation"),
  ],
  "SVC-11": [scenario("funding/longs-pay-shorts")],
  "SVC-12": [scenario("funding/longs-pay-shorts"), scenario("margin/isolated-fees-and-funding")],
  "SVC-13": [scenario("margin/tiers"), scenario("margin/entry-boundary")],
  "SVC-14": [scenario("liquidation/at-maintenance-margin-no-liquidation"), scenario("liquidation/through-the-book")],
  "SVC-15": [walk("unrealised PnL in answers is the mark's, whatever was traded last")],
  "SVC-16": [
    walk("unrealised PnL in answers is the mark's, whatever was traded last"),
    scenario("positions/unrealized-at-the-mark"),
  ],
  "SVC-17": [server("addresses are in the status, unless the network is closed")],
  "SVC-18": [client("no transport has a default address, and http alone has no stream")],
  "SVC-19": [venue("two clients trade, and each reads its outcome")],
  "SVC-20": [server("addresses are in the status, unless the network is closed")],

  "STX-1": [leaf, elsewhere],
  "STX-2": [leaf, scenario("transactions/versions")],
  "STX-3": [digest, typed("has the type text that the plain encoder writes")],
  "STX-4": [leaf],
  "STX-5": [leaf, submit("a signature that is not the signer's is UNAUTHORIZED, and the reason says how")],
  "STX-6": [leaf, venue("an agent acts within its grant until the grant is revoked")],
  "STX-7": [leaf, scenario("nonces/domains")],
  "STX-8": [leaf, scenario("validity/before-the-nonce")],
  "STX-9": [leaf],
  "STX-10": [leaf],
  "STX-11": [
    typed("a digest depends on chain id and genesis, and on no other transaction"),
    submit("whatever byte of a signature is changed, it is refused or the same transaction"),
  ],
  "STX-12": [
    endpoint("GET /transactions/{txId} has the signed fields, the block and the outcome"),
    endpoint("GET /transactions/{txId}/confirmation has the outcome of the committed transaction"),
  ],
  "STX-13": [
    codec("is refused when a field is missing, unknown or of another type, at its place"),
    scenario("transactions/versions"),
  ],
  "STX-14": [leaf, signing("is signed from the served type text alone as the venue hashes it")],

  "NCE-1": [scenario("nonces/a-replay-commits-once"), scenario("nonces/sequential")],
  "NCE-2": [scenario("nonces/domains"), scenario("nonces/lanes")],
  "NCE-3": [walk("the nonce is asked for by signer, subaccount and domain, and each of them is needed")],
  "NCE-4": [
    submit("another transaction with a pending nonce is a conflict that names the pending one"),
    venue("a transaction that waits can be replaced under its nonce"),
  ],

  "RES-1": [walk("status returns network, signing domain and versions")],
  "RES-2": [endpoint("GET /blocks/{height} is the summary of the block of that height")],
  "RES-3": [
    endpoint("GET /transactions/{txId} has the signed fields, the block and the outcome"),
    venue("a transaction that waits can be replaced under its nonce"),
  ],
  "RES-4": [endpoint("GET /transactions/{txId}/confirmation has the outcome of the committed transaction")],
  "RES-5": [endpoint("GET /transactions/{txId}/receipts has the one receipt of the transaction")],
  "RES-6": [endpoint("GET /transactions/{txId}/events has the events of that transaction alone, in their order")],
  "RES-7": [
    walk("GET /validators is the set of the one process that makes the blocks, and 404 where it is not exposed"),
  ],
  "RES-8": [
    endpoint("GET /markets/{market} is the definition of that market"),
    endpoint("GET /markets/{market}/prices has oracle, index, mark and last as the venue holds them"),
    endpoint("GET /markets/{market}/book is the resting orders of the market by price"),
    endpoint("GET /markets/{market}/trades has the market's trades, newest first"),
  ],
  "RES-9": [endpoint("GET /accounts/{address}/balances has the collateral of each subaccount")],
  "RES-10": [
    endpoint("GET /accounts/{address}/orders has the resting orders, by filter and page"),
    paging("pages hold what the list held at the height of the first, however many blocks come in between"),
  ],
  "RES-11": [endpoint("GET /accounts/{address}/positions has the open positions with size, entry and PnL at the mark")],
  "RES-12": [endpoint("GET /accounts/{address}/conditional-intents has the intents that may still act")],
  "RES-13": [endpoint("GET /accounts/{address}/risk has equity, margins and state of each subaccount")],
  "RES-14": [
    endpoint("GET /liquidations/{id} is the one that is asked for, as the list has it"),
    endpoint("GET /liquidations has the liquidations of the venue, newest first"),
    endpoint("GET /accounts/{address}/liquidations has the liquidations of that account"),
  ],
  "RES-15": [
    endpoint("GET /insurance-fund has balance, fees and unpaid debt of the venue"),
    endpoint("GET /insurance-fund/history has every change of the fund, newest first"),
  ],
  "RES-16": [
    endpoint("GET /authorizations/{authId} is the grant of that id, as the list has it"),
    venue("an agent acts within its grant until the grant is revoked"),
  ],
  "RES-17": [session("a wallet opens a session, reads its account with it, and ends it")],
  "RES-18": [
    scenario("positions/one-net-position"),
    endpoint("GET /accounts/{address}/positions has the open positions with size, entry and PnL at the mark"),
  ],
  "RES-19": [scenario("positions/an-increase-averages"), scenario("positions/through-zero")],
  "RES-20": [scenario("positions/reduce-releases-cost-pro-rata")],
  "RES-21": [walk("unrealised PnL in answers is the mark's, whatever was traded last")],
  "RES-22": [
    scenario("funding/longs-pay-shorts"),
    endpoint("GET /accounts/{address}/positions has the open positions with size, entry and PnL at the mark"),
  ],

  "SUB-1": [submit("a submission without a key is refused"), submit("the body %j")],
  "SUB-2": [submit("the answer names the transaction, its lane and where to look, and the transaction commits")],
  "SUB-3": [retry("a 202 is not sent again, however long it waits")],
  "SUB-4": [retry("while it is not known whether the venue has a transaction, no nonce of its lane is given out")],
  "SUB-5": [venue("two clients trade, and each reads its outcome")],
  "SUB-6": [retry("a committed business rejection is a final outcome and not sent again")],
  "SUB-7": [
    submit("a trading error is accepted: it is in the receipt"),
    venue("a trade that the venue's rules reject is an outcome with its numbers, and the lane continues"),
  ],

  "POS-1": [scenario("positions/reduce-releases-cost-pro-rata")],
  "POS-2": [scenario("positions/last-lot-releases-all")],
  "POS-3": [scenario("positions/through-zero"), scenario("orders/reduce-only-never-flips")],
  "POS-4": [scenario("liquidation/at-maintenance-margin-no-liquidation")],

  "END-1": [http("a GET with a body is refused, and its body is not taken for a request")],
  "END-2": [contract("the document in the repository is the present contract")],
  "END-3": [endpoint("GET /status names the network, the signing domain and the head of the venue")],
  "END-4": [endpoint("GET /blocks/{height} is the summary of the block of that height")],
  "END-5": [
    endpoint("GET /transactions/{txId} has the signed fields, the block and the outcome"),
    venue("a transaction that waits can be replaced under its nonce"),
  ],
  "END-6": [endpoint("GET /transactions/{txId}/confirmation has the outcome of the committed transaction")],
  "END-7": [endpoint("GET /transactions/{txId}/receipts has the one receipt of the transaction")],
  "END-8": [endpoint("GET /transactions/{txId}/events has the events of that transaction alone, in their order")],
  "END-9": [
    walk("GET /validators is the set of the one process that makes the blocks, and 404 where it is not exposed"),
  ],
  "END-10": [submit("the answer names the transaction, its lane and where to look, and the transaction commits")],
  "END-11": [endpoint("GET /markets lists every market with its rules")],
  "END-12": [endpoint("GET /markets/{market} is the definition of that market")],
  "END-13": [endpoint("GET /markets/{market}/prices has oracle, index, mark and last as the venue holds them")],
  "END-14": [endpoint("GET /markets/{market}/book is the resting orders of the market by price")],
  "END-15": [endpoint("GET /markets/{market}/trades has the market's trades, newest first")],
  "END-16": [check("the market exists and takes orders")],
  "END-17": [endpoint("GET /accounts/{address}/balances has the collateral of each subaccount")],
  "END-18": [endpoint("GET /accounts/{address}/orders has the resting orders, by filter and page")],
  "END-19": [endpoint("GET /accounts/{address}/positions has the open positions with size, entry and PnL at the mark")],
  "END-20": [endpoint("GET /accounts/{address}/nonce is the next nonce of the lane that is asked for")],
  "END-21": [endpoint("GET /accounts/{address}/conditional-intents has the intents that may still act")],
  "END-22": [endpoint("GET /accounts/{address}/risk has equity, margins and state of each subaccount")],
  "END-23": [endpoint("GET /accounts/{address}/liquidations has the liquidations of that account")],
  "END-24": [walk("the nonce is asked for by signer, subaccount and domain, and each of them is needed")],
  "END-25": [walk("the nonce is asked for by signer, subaccount and domain, and each of them is needed")],
  "END-26": [walk("the nonce is asked for by signer, subaccount and domain, and each of them is needed")],
  "END-27": [endpoint("GET /liquidations has the liquidations of the venue, newest first")],
  "END-28": [endpoint("GET /liquidations/{id} is the one that is asked for, as the list has it")],
  "END-29": [endpoint("GET /insurance-fund has balance, fees and unpaid debt of the venue")],
  "END-30": [endpoint("GET /insurance-fund/history has every change of the fund, newest first")],
  "END-31": [endpoint("GET /authorizations lists the grants, of all and of one owner, agent or status")],
  "END-32": [endpoint("GET /authorizations/{authId} is the grant of that id, as the list has it")],
  "END-33": [session("a wallet opens a session, reads its account with it, and ends it")],
  "END-34": [session("a wallet opens a session, reads its account with it, and ends it")],
  "END-35": [session("a wallet opens a session, reads its account with it, and ends it")],
  "END-36": [walk("the surfaces carry their versions in their paths"), dispatch("there is nothing at %s")],

  "PUT-1": [
    submit("a submission without a key is refused"),
    submit("the key %j is refused"),
    submit("the key %s is taken"),
  ],
  "PUT-2": [dispatch("a body of type %s")],
  "PUT-3": [submit("whatever byte of a signature is changed, it is refused or the same transaction"), leaf],
  "PUT-4": [submit("the answer names the transaction, its lane and where to look, and the transaction commits")],
  "PUT-5": [submit("the body %j"), submit("the decimal %j")],
  "PUT-6": [
    submit("a key names one transaction; another under it is a conflict that names the first"),
    submit("another transaction with a pending nonce is a conflict that names the pending one"),
  ],
  "PUT-7": [submit("every refusal of a host has its answer"), elsewhere],
  "PUT-8": [submit("a signer has an allowance, which no other client can use up")],
  "PUT-9": [submit("about to end, it answers that the transaction was not accepted")],
  "PUT-10": [retry("while it is not known whether the venue has a transaction, no nonce of its lane is given out")],
  "PUT-11": [
    retry("after %s the same bytes are sent at once"),
    submit("a repetition gets the same answer to the byte, says so, and commits nothing again"),
  ],
  "PUT-12": [retry("one submission under %s commits once, with one body and one key")],
  "PUT-13": [outbox("keeps what was put until it is removed, in order, over a restart")],
  "PUT-14": [submit("the answer names the transaction, its lane and where to look, and the transaction commits")],

  "FCT-1": [
    faucet("the faucet documents what it gives, inside and outside the prefix"),
    faucet("a claim is a system transaction that mints what is asked for, marked as simulated"),
  ],

  "WSS-1": [wire("streams go over the wire")],
  "WSS-2": [
    socket("channels of accounts need a session of the address where the network says so, and end with it"),
    follow("of an account comes after the session is proved"),
  ],
  "WSS-3": [socket("channels of accounts need a session of the address where the network says so, and end with it")],
  "WSS-4": [streams("numbers messages by height, each naming the one before it")],
  "WSS-5": [streams("numbers messages by height, each naming the one before it")],
  "WSS-6": [
    streams("a gap shows: a message that is left out makes the next one's prevSeq greater than what is held"),
    follow("a book with faults at random is the venue's after the next heartbeat"),
  ],
  "WSS-7": [
    streams("a resume brings the missed messages and no others, also from a server that has just started"),
    resumed("a book without followers in between is resumed by the running service"),
    restarted("a stream is resumed from a venue that was stopped and started again"),
    follow("on a silent connection resumes over a new one, after its last message"),
  ],
  "WSS-8": [
    resumed("where older blocks are pruned, what was before the service began cannot be resumed"),
    follow("that cannot be resumed restarts with a snapshot, and its listener is called"),
  ],
  "WSS-9": [streams("sends what its schemas say, on every channel")],

  "ATH-1": [digest],
  "ATH-2": [check("network: the header names the venue's network and versions that it takes")],
  "ATH-3": [check("is the account that is going to sign"), check("is the owner, or names a grant")],
  "ATH-4": [check("the payload to sign equals the requested one")],
  "ATH-5": [check("was obtained for this %s")],
  "ATH-6": [check("at height 10, until %i: %j")],
  "ATH-7": [check("every order of a list is checked, and reported by its place")],
  "ATH-8": [venue("two clients trade, and each reads its outcome")],
  "ATH-9": [venue("an agent acts within its grant until the grant is revoked"), scenario("agents/scopes")],
  "ATH-10": [
    check("as an agent has an active grant of this owner that covers the action"),
    scenario("agents/trades-under-a-grant"),
  ],
  "ATH-11": [
    endpoint("GET /authorizations lists the grants, of all and of one owner, agent or status"),
    scenario("agents/revocation-holds-at-once"),
  ],
  "ATH-12": [scenario("agents/owner-only"), session("a session signs nothing: its token is no signature and no key")],
  "ATH-13": [session("the challenge names the venue as it is reached, whatever the request says")],
  "ATH-14": [session("every attempt that fails is answered alike")],
  "ATH-15": [session("a wallet opens a session, reads its account with it, and ends it")],
  "ATH-16": [submit("a signature that is not the signer's is UNAUTHORIZED, and the reason says how")],
  "ATH-17": [session("a wallet opens a session, reads its account with it, and ends it")],
  "ATH-18": [socket("channels of accounts need a session of the address where the network says so, and end with it")],

  "EVN-1": [
    endpoint("GET /transactions/{txId}/events has the events of that transaction alone, in their order"),
    endpoint("GET /transactions/{txId}/receipts has the one receipt of the transaction"),
  ],
  "EVN-2": [streams("sends what its schemas say, on every channel")],
  "EVN-3": [streams("numbers messages by height, each naming the one before it")],
  "EVN-4": [
    streams("a gap shows: a message that is left out makes the next one's prevSeq greater than what is held"),
    follow("a book with faults at random is the venue's after the next heartbeat"),
  ],

  "ERR-1": [submit("the body %j"), dispatch("the body %s")],
  "ERR-2": [dispatch("%s of a query"), submit("the decimal %j")],
  "ERR-3": [submit("a signature that is not the signer's is UNAUTHORIZED, and the reason says how")],
  "ERR-4": [session("a wallet opens a session, reads its account with it, and ends it")],
  "ERR-5": [dispatch("there is nothing at %s")],
  "ERR-6": [dispatch("requests are counted by weight, cached or not, and refused with the time to wait")],
  "ERR-7": [submit("a key names one transaction; another under it is a conflict that names the first")],
  "ERR-8": [paging("becomes invalid when the chain was replaced, the filter differs, or its height was pruned")],
  "ERR-9": [submit("about to end, it answers that the transaction was not accepted")],
  "ERR-10": [dispatch("an error reveals nothing of what failed inside, but its record does")],
  "ERR-11": [retry("after %s the same bytes are sent at once")],
  "ERR-12": [retry("a 202 is not sent again, however long it waits")],
  "ERR-13": [retry("%s stops at once, and the nonce is free again")],
  "ERR-14": [retry("%s stops at once, and the nonce is free again")],
  "ERR-15": [retry("a 429 or a 503 is obeyed: no attempt before the time that it names")],
  "ERR-16": [
    retry("a 429 or a 503 is obeyed: no attempt before the time that it names"),
    retry("after %s the transaction is looked for by its id before it is sent again"),
  ],
  "ERR-17": [retry("a committed business rejection is a final outcome and not sent again")],
  "ERR-18": [
    retry("a committed business rejection is a final outcome and not sent again"),
    scenario("nonces/a-rejection-consumes"),
  ],
  "ERR-19": [retry("while it is not known whether the venue has a transaction, no nonce of its lane is given out")],
  "ERR-20": [socket("a client that sends only faulty messages is closed")],
  "ERR-21": [socket("channels of accounts need a session of the address where the network says so, and end with it")],
  "ERR-22": [socket("more messages than allowed are refused with the time to wait, then the connection")],
  "ERR-23": [socket("%s is refused, and the connection stays")],
  "ERR-24": [
    streams("a message that is too old cannot be resumed from"),
    streams("a resume of another epoch, of a future height, or at a block that the chain lacks is of another chain"),
    follow("that cannot be resumed restarts with a snapshot, and its listener is called"),
  ],

  "LMT-1": [submit("the key %j is refused"), submit("the key %s is taken")],
  "LMT-2": [
    submit("a used nonce is rejected for good, and the key keeps the answer"),
    crash("a crash at any point loses nothing that was acknowledged and commits nothing twice"),
    ended("a submission commits once although the venue ends or stops by $kind $point in the middle of it"),
  ],
  "LMT-3": [dispatch("requests are counted by weight, cached or not, and refused with the time to wait")],
  "LMT-4": [paging("becomes invalid when the chain was replaced, the filter differs, or its height was pruned")],
  "LMT-5": [check("at height 10, until %i: %j"), host("it expires, and a waiting client is informed")],

  "VER-1": [walk("the surfaces carry their versions in their paths")],
  "VER-2": [scenario("transactions/versions"), leaf],
  "VER-3": [contract("the document in the repository is the present contract")],
  "VER-4": [walk("status returns network, signing domain and versions")],
  "VER-5": [
    network("a venue of another %s version is refused"),
    network("a venue of another %s than the client is meant for is refused"),
  ],
  "VER-6": [
    bundle("the client bundles for browsers: no module of Node, no server code, no native binding"),
    digest,
    signing("is signed from the served type text alone as the venue hashes it"),
    "python/tests/test_client.py",
    "python/tests/test_faults.py",
    "python/tests/test_vectors.py",
  ],
};
