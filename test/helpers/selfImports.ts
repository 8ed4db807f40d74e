// Preloaded (`node --import`) where a test runs code that imports `perplab/…` as a user would.
import { registerSelfImports } from "../../src/cli/selfImports.ts";

registerSelfImports();
