/** Makes one job. Its result is a function of the part and of perplab's code: no clock, chance, file or environment. */
export type JobMaker = (part: unknown) => string | Promise<string>;

/** A kind of job. */
export interface JobKind {
  /** Reads the shared text of a batch. A thread keeps the maker for the next jobs of the same batch. */
  open(shared: string): JobMaker | Promise<JobMaker>;
}

/** Loads each kind by its name. A kind is loaded by the first thread that needs it. */
export type JobKinds = Readonly<Record<string, () => Promise<JobKind>>>;

/** Makes jobs of any kind, one after the other. Keeps the maker of the last batch. */
export class JobBench {
  readonly #kinds: JobKinds;
  #open: { readonly kind: string; readonly shared: string; readonly maker: JobMaker } | undefined;

  constructor(kinds: JobKinds) {
    this.#kinds = kinds;
  }

  async make(kind: string, shared: string, part: unknown): Promise<string> {
    if (this.#open?.kind !== kind || this.#open.shared !== shared) {
      const load = Object.hasOwn(this.#kinds, kind) ? this.#kinds[kind] : undefined;
      if (load === undefined) throw new RangeError(`there is no kind of job ${JSON.stringify(kind)}`);
      this.#open = { kind, shared, maker: await (await load()).open(shared) };
    }
    return this.#open.maker(part);
  }
}
