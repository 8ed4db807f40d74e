#!/usr/bin/env node
"use strict";

// ECMAScript 5: any Node can read this file, so that an old one answers with one clear line instead of a syntax error.
// It starts the command line if this Node is new enough, hands over to the clone's own Node if there is one, and gives
// up otherwise.

var fs = require("fs");
var path = require("path");

var root = path.join(__dirname, "..");
/** Time to close a venue after the first process is gone, ms. */
var GRACE_MS = 15000;

/** Node 22.18 and 23.6 are the first to run TypeScript sources as they are. */
function isSupported(version) {
  var parts = version.split(".");
  var major = Number(parts[0]);
  var minor = Number(parts[1]);
  return major >= 24 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18);
}

/** The runtime that `npm ci` put into the clone, or null. */
function findOwnNode() {
  var folder = path.join(root, "node_modules", "node", "bin");
  var names = ["node", "node.exe"];
  for (var i = 0; i < names.length; i++) {
    var candidate = path.join(folder, names[i]);
    if (fs.existsSync(candidate)) return candidate;
  }
  return null;
}

/** Commands whose main thread runs a strategy: on a terminal they get a process of their own, which Ctrl-C can end. */
function runsStrategy(command) {
  return ["backtest", "bundle", "rerun"].indexOf(command) >= 0;
}

function handOver(node) {
  var isWindows = process.platform === "win32";
  var env = {};
  for (var key in process.env) env[key] = process.env[key];
  env.PERPLAB_HANDED_OVER = "1";
  var child = require("child_process").spawn(node, [__filename].concat(process.argv.slice(2)), {
    // The channel tells the child when this process is gone, also if it was killed and could forward no signal.
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: env,
    // In a group of its own, so that a signal of the terminal reaches it once: from here. Windows has no such groups.
    detached: !isWindows
  });
  // The child decides what a signal means, and this process ends as it does. A strategy that loops for ever hears no
  // signal: a second one ends the child.
  var signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  var asked = 0;
  signals.forEach(function (signal) {
    process.on(signal, function () {
      asked++;
      if (!isWindows || signal === "SIGTERM") child.kill(signal);
      if (asked === 1) setTimeout(remind, 2000).unref();
      else setTimeout(end, 500).unref();
    });
  });
  function end() {
    child.kill("SIGKILL");
  }
  function remind() {
    process.stderr.write("perplab: still at work; Ctrl-C once more ends it\n");
  }
  if (!isWindows) {
    process.on("SIGTSTP", function () {
      child.kill("SIGSTOP");
      process.kill(process.pid, "SIGSTOP");
    });
    process.on("SIGCONT", function () {
      child.kill("SIGCONT");
    });
  }
  child.on("error", function (error) {
    giveUp("its own Node could not be started (" + error.message + ")");
  });
  child.on("exit", function (code, signal) {
    if (signal === null) process.exit(code);
    signals.forEach(function (name) {
      process.removeAllListeners(name);
    });
    process.kill(process.pid, signal);
  });
}

/** Ends this process when the one that handed over to it is gone: as by SIGTERM, or by force if that ends nothing. */
function endWithParent() {
  if (!process.channel) return;
  process.on("disconnect", function () {
    process.kill(process.pid, "SIGTERM");
    setTimeout(function () {
      process.kill(process.pid, "SIGKILL");
    }, GRACE_MS).unref();
  });
  // The listener must not keep a process that is done.
  process.channel.unref();
}

function giveUp(also) {
  var advice = fs.existsSync(path.join(root, "src"))
    ? "run `npm ci` here, which brings a newer one along"
    : "install a newer one from https://nodejs.org";
  process.stderr.write(
    "perplab needs Node 22.18 or newer, and this is " +
      process.version +
      (also ? "; " + also : "") +
      ": " +
      advice +
      ".\n"
  );
  process.exit(2);
}

var isHandedOver = process.env.PERPLAB_HANDED_OVER === "1";
if (isSupported(process.versions.node)) {
  if (!isHandedOver && process.stdin.isTTY && runsStrategy(process.argv[2])) handOver(process.execPath);
  else {
    if (isHandedOver) endWithParent();
    require("./load.js");
  }
} else {
  var own = isHandedOver ? null : findOwnNode();
  if (own === null) giveUp("");
  else handOver(own);
}
