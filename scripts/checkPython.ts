/**
 * The Python package: its generated parts follow from the contract, style, types, tests against real devnets and
 * backtests, an archive of its sources, and a wheel. Then `pip install ./python` in a clean environment of every
 * supported Python that is found, on the path or with pyenv; the oldest runs some of the tests, too. Works in
 * `out/python`. What is missing is printed, and skipped.
 *
 *     npm run check:python         PYTHON=python3.12 npm run check:python
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const project = join(root, "python");
const folder = join(root, "out/python");
const bin = join(folder, "venv/bin");
const env = { ...process.env, CI: "true" };

/** Supported versions, the oldest first. */
const VERSIONS = ["3.10", "3.11", "3.12", "3.13"];
/** Tests that the oldest runs as well: signatures byte by byte, and strategies in both languages. */
const OLDEST_TESTS = ["tests/test_vectors.py", "tests/test_backtests.py"];
const PIP = ["install", "--quiet", "--disable-pip-version-check"];

function run(command: string, args: readonly string[], cwd = project): boolean {
  console.log(`\n$ ${[command.split("/").at(-1), ...args].join(" ")}`);
  return spawnSync(command, args, { cwd, stdio: "inherit", env }).status === 0;
}

function findPython(): string | undefined {
  const wanted = "import sys, venv; sys.exit(sys.version_info < (3, 10))";
  return [process.env["PYTHON"], "python3", "python"].find(
    (name) => name !== undefined && spawnSync(name, ["-c", wanted]).status === 0,
  );
}

/** A Python of a version: on the path, or the latest that pyenv has. */
function findVersion(version: string): string | undefined {
  const listed = spawnSync("pyenv", ["versions", "--bare"], { encoding: "utf8" }).stdout ?? "";
  const installed = listed.split("\n").filter((line) => line.trim().startsWith(`${version}.`));
  const prefix =
    installed.length === 0 ? "" : spawnSync("pyenv", ["prefix", installed.at(-1)!.trim()], { encoding: "utf8" }).stdout;
  const wanted = `import sys, venv; sys.exit("%d.%d" % sys.version_info[:2] != "${version}")`;
  return [`python${version}`, ...(prefix ? [join(prefix.trim(), "bin/python")] : []), "python3"].find(
    (name) => spawnSync(name, ["-c", wanted]).status === 0,
  );
}

function check(python: string): boolean {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (!run(python, ["-m", "venv", join(folder, "venv")])) return skip("a virtual environment cannot be made");
  if (!run(join(bin, "pip"), [...PIP, "-e", ".", "-r", "requirements-dev.txt"])) {
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
  const built = readdirSync(join(folder, "dist"));
  const wheel = built.find((name) => name.endsWith(".whl"));
  const alone = join(folder, "alone");
  return (
    wheel !== undefined &&
    built.some((name) => name.endsWith(".tar.gz")) &&
    run(python, ["-m", "venv", alone]) &&
    run(join(alone, "bin/pip"), [...PIP, join(folder, "dist", wheel)]) &&
    run(join(alone, "bin/python"), ["-c", "import perplab; print(perplab.Client, perplab.__version__)"], folder)
  );
}

/**
 * `pip install ./python` in a clean environment of each version, side by side; prints the output of each at its end.
 */
async function checkVersions(): Promise<boolean> {
  const found = VERSIONS.map((version) => ({ version, python: findVersion(version) }));
  const held = await Promise.all(
    found.map(({ version, python }, place) =>
      python === undefined
        ? skip(`there is no Python ${version} on the path or in pyenv`)
        : checkVersion(version, python, place === 0),
    ),
  );
  return held.every((one) => one);
}

async function checkVersion(version: string, python: string, isOldest: boolean): Promise<boolean> {
  const place = join(folder, version);
  const own = join(place, "bin/python");
  const words: readonly (readonly string[])[] = [
    [python, "-m", "venv", place],
    [
      own,
      "-m",
      "pip",
      ...PIP,
      "./python",
      ...(isOldest ? ["-c", "python/requirements-dev.txt", "pytest", "pytest-asyncio"] : []),
    ],
    [own, "-c", "import perplab; print(perplab.backtest, perplab.Client, perplab.__version__)"],
    ...(isOldest
      ? [
          [
            own,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-c",
            "python/pyproject.toml",
            "--rootdir",
            "python",
            ...OLDEST_TESTS.map((file) => `python/${file}`),
          ],
        ]
      : []),
  ];
  let printed = "";
  for (const [command = "", ...args] of words) {
    const { status, output } = await call(command, args);
    printed += output;
    if (status === 0) continue;
    console.log(`\nPython ${version} failed:\n${printed}`);
    return false;
  }
  console.log(`\nPython ${version}: ${printed.trim().split("\n").join("\n  ")}`);
  return true;
}

function call(command: string, args: readonly string[]): Promise<{ status: number | null; output: string }> {
  return new Promise((end) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (output += text.toString()));
    child.on("error", (error) => end({ status: 1, output: `${output}${error.message}\n` }));
    child.on("close", (status) => end({ status, output }));
  });
}

function skip(reason: string): boolean {
  console.log(`skipped: ${reason}`);
  return true;
}

const python = findPython();
if (python === undefined) skip("there is no Python 3.10 or newer");
else process.exitCode = check(python) && (await checkVersions()) ? 0 : 1;
