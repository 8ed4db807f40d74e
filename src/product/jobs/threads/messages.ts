/** Reply of a thread: it has loaded its modules and begins, or the request is done, or it failed. */
export type Reply<Result> =
  | { readonly kind: "begun" }
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "failed"; readonly failure: ThreadFailure };

/** An error as it crosses threads: its class is lost, its fields are not. */
export interface ThreadFailure {
  readonly code: string | undefined;
  readonly message: string;
  readonly place: string | undefined;
  readonly hint: string | undefined;
  readonly exitCode: unknown;
  readonly stack: string | undefined;
}

/** Any thrown value, ready to cross threads. */
export function flattenError(error: unknown): ThreadFailure {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const own = error as Readonly<Record<string, unknown>>;
  const textOf = (name: string) => (typeof own[name] === "string" ? own[name] : undefined);
  const place = [textOf("place") ?? textOf("file"), own["line"], own["column"]].filter((part) => part !== undefined);
  return {
    code: textOf("code"),
    message,
    place: place.length === 0 ? undefined : place.join(":"),
    hint: textOf("hint"),
    exitCode: own["exitCode"],
    stack,
  };
}

/** Gives an error that was made again the stack and the exit code that it had in its thread. */
export function restoreError(error: Error, { exitCode, stack }: ThreadFailure): Error {
  if (stack !== undefined) error.stack = stack;
  return exitCode === undefined ? error : Object.assign(error, { exitCode });
}
