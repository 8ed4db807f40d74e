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
];
