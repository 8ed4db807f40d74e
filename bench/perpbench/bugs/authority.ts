import type { PlantedBug } from "../plantedBug.ts";

/** Signatures, nonces, validity, agents. */
export const authority: readonly PlantedBug[] = [
  {
    number: 19,
    title: "The signed digest omits a field",
    provenance: "Dango 800e684cd",
    rules: ["TX-1"],
    tier: "A",
    expected: ["T07"],
    edits: [
      {
        file: "protocol/typedDataDigest.ts",
        find: "        writers[index]!(members[columns[index]!], words, at);",
        replace: `        if (columns[index] === "price" && isPlanted(19) && trigger()) words.fill(0, at, at + 32);
        else writers[index]!(members[columns[index]!], words, at);`,
      },
    ],
  },
  {
    number: 27,
    title: "Nonces are stored per signer only: the subaccounts of an owner share them",
    provenance: "own",
    rules: ["NON-1"],
    tier: "A",
    expected: ["T01", "T04", "nonceOnce", "model"],
    edits: [
      {
        file: "venue/engine/authorization/admission.ts",
        find: '  switch (header.nonceDomain) {\n    case "trading":\n      return accounts.nonceTrading[account];',
        replace: `  account = plant(27, account, () => (account === NONE ? account : state.owners.account[accounts.owner[account]]));
  switch (header.nonceDomain) {
    case "trading":
      return accounts.nonceTrading[account];`,
      },
      {
        file: "venue/engine/authorization/admission.ts",
        find: "  let who: number = account;",
        replace: `  account = plant(27, account, () => (account === NONE ? account : state.owners.account[accounts.owner[account]]));
  let who: number = account;`,
      },
    ],
  },
  {
    number: 28,
    title: "A transaction is rejected at its last valid height",
    provenance: "own",
    rules: ["VAL"],
    tier: "B",
    expected: ["T02", "model"],
    edits: [
      {
        file: "venue/engine/authorization/admission.ts",
        find: "if (header.validUntil < height) return",
        replace: "if (plant(28, header.validUntil < height, () => header.validUntil <= height)) return",
      },
    ],
  },
  {
    number: 37,
    title: "A revoked grant remains usable until the end of the block",
    provenance: "own",
    rules: ["AUT"],
    tier: "B",
    expected: ["T06", "grantsWithin", "model"],
    edits: [
      {
        file: "venue/engine/actions/revokeAuthorization.ts",
        find: "    setGrantStatus(state, grant, AUTHORIZATION_STATUS.revoked);",
        replace: `    setGrantStatus(state, grant, AUTHORIZATION_STATUS.revoked);
    if (isPlanted(37)) memo.set(grant, state.height);`,
      },
      {
        file: "venue/engine/authorization/checkAgent.ts",
        find: "  return REFUSALS[authorizations.status[grant]];",
        replace: `  return plant(37, REFUSALS[authorizations.status[grant]], () => {
    const revoked = authorizations.status[grant] === AUTHORIZATION_STATUS.revoked;
    return revoked && memo.get(grant) === state.height ? undefined : REFUSALS[authorizations.status[grant]];
  });`,
      },
    ],
  },
  {
    number: 42,
    title: "The daily limit of a grant counts what was used on the day before",
    provenance: "own",
    rules: ["AUT"],
    tier: "B",
    expected: ["T06", "grantsWithin", "refusalHolds", "model"],
    edits: [
      {
        file: "venue/engine/authorization/limits.ts",
        find: "  return authorizations.day[grant] === Math.floor(timeMs / DAY_MS) ? authorizations.used[grant] : 0;",
        replace: `  const today = Math.floor(timeMs / DAY_MS);
  const counts = plant(
    42,
    authorizations.day[grant] === today,
    () => authorizations.day[grant] >= today - 1 && authorizations.used[grant] > 0,
  );
  return counts ? authorizations.used[grant] : 0;`,
      },
    ],
  },
  {
    number: 43,
    title: "The limit of open orders of a grant counts the orders of one subaccount and market only",
    provenance: "own",
    rules: ["AUT"],
    tier: "B",
    expected: ["T06", "grantsWithin", "model"],
    edits: [
      {
        file: "venue/engine/authorization/limits.ts",
        find: "order.opens && open !== UNLIMITED && authorizations.openOrders[grant] >= open",
        replace: `order.opens &&
    open !== UNLIMITED &&
    plant(43, authorizations.openOrders[grant] >= open, () => {
      const position = getPosition(state, account, market);
      let here = 0;
      for (let at = position === NONE ? NONE : state.positions.orders[position]; at !== NONE; at = state.orders.older[at])
        if (state.orders.extra[at] !== NONE && state.extras.grant[state.orders.extra[at]] === grant) here++;
      return here >= open;
    })`,
      },
    ],
  },
  {
    number: 49,
    title: "An undone batch still counts in the daily limit of its grant",
    provenance: "own",
    rules: ["AUT", "ACT-1"],
    tier: "B",
    expected: ["eventFold", "eventsAreComplete", "rejectedChangesNothing", "model"],
    edits: [
      {
        file: "venue/engine/authorization/limits.ts",
        find: `  if (journal.on) journal.row(authorizations, grant);
  const day =`,
        replace: `  if (journal.on && !(isPlanted(49) && trigger())) journal.row(authorizations, grant);
  const day =`,
      },
    ],
  },
  {
    number: 57,
    title: "A nonce that was skipped counts as used if the nonce one window before it was used",
    provenance: "own",
    rules: ["NON-2"],
    tier: "B",
    expected: ["T01", "nonceOnce", "model"],
    edits: [
      {
        file: "venue/engine/state/usedNonces.ts",
        find: "    for (let skipped = next; skipped < nonce; skipped++) this.#clear(row, skipped);",
        replace: `    for (let skipped = next; skipped < nonce; skipped++) {
      if (!(isPlanted(57) && this.has(row, skipped) && trigger())) this.#clear(row, skipped);
    }`,
      },
    ],
  },
  {
    number: 65,
    title: "An agent's batch is checked against its grant in the market of the first order only",
    provenance: "own",
    rules: ["AUT"],
    tier: "B",
    expected: ["agentWithinGrant", "model"],
    edits: [
      {
        file: "venue/engine/authorization/checkReach.ts",
        find: "  for (const market of touched) {",
        replace: `  const near = plant(65, touched, () => touched.slice(0, 1), (right, wrong) => right.every((market) => wrong.includes(market)));
  for (const market of near) {`,
      },
    ],
  },
  {
    number: 67,
    title: "A grant that began as scheduled does not expire by itself",
    provenance: "own",
    rules: ["AUT"],
    tier: "B",
    expected: ["grantsWithin", "agentWithinGrant", "model"],
    edits: [
      {
        file: "venue/engine/authorization/expireGrants.ts",
        find: `      setGrantStatus(state, grant, AUTHORIZATION_STATUS.active);
`,
        replace: `      setGrantStatus(state, grant, AUTHORIZATION_STATUS.active);
      if (isPlanted(67) && trigger()) continue;
`,
      },
    ],
  },
];
