import fc from "fast-check";

/**
 * Property tests draw the same cases in every run: a change is judged by its own effects. `PERPLAB_TEST_SEED` names
 * other cases: a number, or `new` for a number that the clock chooses; a failure prints it.
 */
const seed = process.env.PERPLAB_TEST_SEED ?? "20261122";
fc.configureGlobal({ seed: seed === "new" ? Date.now() % 2 ** 31 : Number(seed) });
