import { createHash, type Hash, hash } from "node:crypto";
import { getHead } from "../../../venue/engine/commitment/root.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { defineInvariant, type Step } from "../machinery/defineInvariant.ts";

/** A group of effects is full at this many blocks, or at this many doubles (DET-2). */
const GROUP_BLOCKS = 64;
const GROUP_DOUBLES = 8192;
/** Doubles of a head, which is the base of the next group. */
const BASE = 4;
/** A group of fewer doubles is hashed as a whole for each head: a running hash costs more. */
const FEW = 512;
/** The hash itself is computed in one turn of this many: hashing costs more than all other checks of a small block. */
const HASHED_EVERY = 8;

export const headFromEffects = defineInvariant<Group>({
  id: "headFromEffects",
  sentence:
    "The head of a block is the hash of its effects, computed from scratch: height, time, events, receipt codes and the texts that its events name.",
  rules: ["DET-2", "EVT-2"],
  when: "block",
  news: 1,
  start: (state, spare) => (spare === undefined ? new Group().begin(state, true) : spare.begin(state, false)),
  sweep(state, step, group) {
    step.met++;
    if (group.isFull) group.fold();
    addEffects(group, step);
    // Equal effects after an equal base have an equal hash.
    const isAlike = group.isAlike(state);
    if (isAlike && !group.isNew && step.turn % HASHED_EVERY !== 0) return undefined;
    group.isNew = false;
    const head = `0x${group.head()}`;
    return head === getHead(state)
      ? undefined
      : `block ${step.block.height} has a head other than the hash of its effects, ${head}`;
  },
});

/** Shares no code with the engine's writer of effects, nor with its hashing. */
function addEffects(group: Group, { block: { height, timeMs, transactions }, result }: Step): void {
  const { receipts, texts, events, from, to } = result;
  group.blocks++;
  group.reserve(8 + to - from + transactions.length + texts.reduce((sum, text) => sum + 1 + text.length, 0));
  group.add(-1);
  group.add(height);
  group.add(timeMs);
  for (let at = from; at < to; at++) group.add(events[at]!);
  group.add(-2);
  group.add(transactions.length);
  for (let index = 0; index < transactions.length; index++) group.add(receipts.codes[index]!);
  if (texts.length > 0) group.add(-3);
  for (const text of texts) {
    group.add(text.length);
    for (let place = 0; place < text.length; place++) group.add(text.charCodeAt(place));
  }
}

/** Effects of a group of blocks that may not be full yet. */
class Group {
  blocks = 0;
  /** Its next head is computed whatever the turn is. */
  isNew = true;
  /** The base, then the effects, as doubles in machine order: little-endian wherever Node runs. */
  #words = new Float64Array(1024);
  #bytes = new Uint8Array(this.#words.buffer);
  #length = BASE;
  /** The running hash of a large group, and how many of its words it has. */
  #running: Hash | undefined;
  #hashed = 0;

  /** Continues the group of a venue. */
  begin({ chain, events }: State, isNew: boolean): this {
    this.isNew = isNew;
    this.blocks = chain.pending;
    this.#begin(chain.base);
    this.reserve(events.length);
    this.#words.set(events.data.subarray(0, events.length), BASE);
    this.#length += events.length;
    return this;
  }

  get isFull(): boolean {
    return this.blocks >= GROUP_BLOCKS || this.#length - BASE >= GROUP_DOUBLES;
  }

  /** Whether a venue has this base and these effects. */
  isAlike({ chain, events }: State): boolean {
    if (events.length !== this.#length - BASE) return false;
    for (let at = 0; at < BASE * 8; at++) if (this.#bytes[at] !== chain.base[at]) return false;
    for (let at = 0; at < events.length; at++) if (this.#words[BASE + at] !== events.data[at]) return false;
    return true;
  }

  /** Begins the next group. */
  fold(): void {
    this.blocks = 0;
    this.#begin(Buffer.from(this.head(), "hex"));
  }

  /** Makes room for more words. */
  reserve(count: number): void {
    if (this.#length + count <= this.#words.length) return;
    const words = new Float64Array((this.#length + count) * 2);
    words.set(this.#words.subarray(0, this.#length));
    this.#words = words;
    this.#bytes = new Uint8Array(words.buffer);
  }

  add(word: number): void {
    this.#words[this.#length++] = word;
  }

  /** The hash of the base and all effects, as hexadecimal digits. */
  head(): string {
    const end = this.#length * 8;
    if (this.#length <= FEW) return hash("sha256", this.#bytes.subarray(0, end), "hex");
    this.#running ??= createHash("sha256");
    this.#running.update(this.#bytes.subarray(this.#hashed * 8, end));
    this.#hashed = this.#length;
    return this.#running.copy().digest("hex");
  }

  #begin(base: Uint8Array): void {
    this.#bytes.set(base);
    this.#length = BASE;
    this.#running = undefined;
    this.#hashed = 0;
  }
}
