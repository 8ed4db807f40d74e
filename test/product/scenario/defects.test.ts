import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder, projectRoot, runNode } from "../../helpers/project.ts";
import { HEAD } from "./helpers.ts";

const check = (folder: string) => runNode([join(projectRoot, "scripts/checkDefects.ts"), folder]);

// The head of a patch of a file that is there.
const PATCH = `--- a/src/venue/engine/steps/accrueFunding.ts
+++ b/src/venue/engine/steps/accrueFunding.ts
`;

test("a patch that no longer applies, and one that changes nothing, are reported", () => {
  const harmless = `--- a/bin/perplab.js
+++ b/bin/perplab.js
@@ -1,2 +1,3 @@
 #!/usr/bin/env node
+// planted
 "use strict";
`;
  const scenario = (patch: string) => `${HEAD}defect: ${patch}\nblocks:\n  - expect: { insurance: "0" }\n`;
  const folder = createFolder({
    "a.yaml": scenario("gone.patch"),
    "b.yaml": scenario("harmless.patch"),
    "gone.patch": `${PATCH}@@ -1,1 +1,1 @@\n-this line was never there\n+nor this one\n`,
    "harmless.patch": harmless,
  });
  const { status, stdout } = check(folder);
  expect(status).toBe(1);
  expect(stdout).toMatch(/DEFECT NOT FOUND: test \(.*a.yaml\): the patch does not apply/);
  expect(stdout).toMatch(/DEFECT NOT FOUND: test \(.*b.yaml\): it ends with 0/);
});
