/**
 * The Python client: its generated parts follow from the contract, style, types, tests against real devnets, and a wheel that
 * installs and imports alone. Works in `out/python`. Without Python 3.10 or newer, or without its packages, it prints the reason
 * and skips.
 *
 *     npm run check:python         PYTHON=python3.12 npm run check:python
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const project = join(root, "python");
const folder = join(root, "out/python");
const bin = join(folder, "venv/bin");

function run(command: string, args: readonly string[], cwd = project): boolean {
  console.log(`\n$ ${[command.split("/").at(-1), ...args].join(" ")}`);
  return spawnSync(command, args, { cwd, stdio: "inherit", env: { ...process.env, CI: "true" } }).status === 0;
}

function findPython(): string | undefined {
  const wanted = "import sys, venv; sys.exit(sys.version_info < (3, 10))";
  return [process.env["PYTHON"], "python3", "python"].find(
    (name) => name !== undefined && spawnSync(name, ["-c", wanted]).status === 0,
  );
}

function check(python: string): boolean {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (!run(python, ["-m", "venv", join(folder, "venv")])) return skip("a virtual environment cannot be made");
  const tools = ["-e", ".", "-r", "requirements-dev.txt"];
  if (!run(join(bin, "pip"), ["install", "--quiet", "--disable-pip-version-check", ...tools])) {
    return skip("its packages cannot be installed here");
  }
  const steps: readonly (readonly [string, ...string[]])[] = [
    ["python", "tools/generate.py", "--check"],
    ["ruff", "check", "."],
    ["ruff", "format", "--check", "."],
    ["mypy"],
    ["pytest", "-q", "-p", "no:cacheprovider"],
    ["python", "-m", "build", "--no-isolation", "--outdir", join(folder, "dist")],
  ];
  return steps.every(([name, ...args]) => run(join(bin, name), args)) && checkWheel(python);
}

/** The wheel installs where nothing else is, and knows its version. */
function checkWheel(python: string): boolean {
  const wheel = readdirSync(join(folder, "dist")).find((name) => name.endsWith(".whl"));
  const alone = join(folder, "alone");
  return (
    wheel !== undefined &&
    run(python, ["-m", "venv", alone]) &&
    run(join(alone, "bin/pip"), ["install", "--quiet", "--disable-pip-version-check", join(folder, "dist", wheel)]) &&
    run(join(alone, "bin/python"), ["-c", "import perplab; print(perplab.Client, perplab.__version__)"], folder)
  );
}

function skip(reason: string): boolean {
  console.log(`skipped: ${reason}`);
  return true;
}

const python = findPython();
if (python === undefined) skip("there is no Python 3.10 or newer");
else process.exitCode = check(python) ? 0 : 1;
