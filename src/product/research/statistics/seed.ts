import { createHash } from "node:crypto";
import { Random } from "../../../ground/math/random.ts";

/** A generator from a seed of any text. Different purposes of one seed draw independently of each other. */
export function seedRandom(seed: string, purpose: string): Random {
  const digest = createHash("sha256").update(`${purpose}\n${seed}`, "utf8").digest();
  return new Random([0, 4, 8, 12].map((place) => digest.readInt32LE(place)));
}
