import { expect, test } from "vitest";
import { CaseRunner } from "../../../../src/proof/fuzz/case/caseRunner.ts";
import { createCase } from "../../../../src/proof/fuzz/case/fuzzCase.ts";
import { block, writeGene } from "../../../../src/proof/fuzz/draw/gene.ts";
import { AGENT_BELOW } from "../../../../src/proof/fuzz/genes/sign.ts";
import { runCase } from "../../../../src/proof/fuzz/run/runCase.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";

/** Details of faulty headers, each fault several times. */
const DETAILS = Array.from({ length: 100 }, (_, step) => 37 * step).filter((detail) => detail % 24 >= 4);

// Goal: a system transaction that the right key signs for another account is drawn, and venue and model reject it.
test("an authority's key for another account is drawn, and rejected by venue and model", () => {
  const genes = [
    writeGene("grantAuthorization"),
    block(),
    ...DETAILS.map((detail) => writeGene("fundInsurance", { header: AGENT_BELOW, detail })),
    ...DETAILS.map((detail) => writeGene("noop", { actor: 1, header: AGENT_BELOW, detail })),
    block(),
  ];
  const given = createCase([], genes.flat());
  const runner = new CaseRunner(given);
  const codes = new Set<string>();
  for (let next = runner.next(); next !== undefined; next = runner.next()) {
    const { receipts } = applyBlock(runner.state, next);
    next.transactions.forEach(({ action, header: { account, signer } }, index) => {
      if (account.address !== signer) codes.add(`${action} ${receipts.code(index)}`);
    });
  }
  expect(codes).toContain("fundInsurance NOT_AUTHORITY");
  expect(codes).toContain("noop AUTHORIZATION_MISSING");
  expect(codes).toContain("noop AUTHORIZATION_FOREIGN");
  expect(runCase(given, { oracles: { model: true } }).violation).toBeUndefined();
});
