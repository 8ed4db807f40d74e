/** Longest wait of a test for something that takes milliseconds: beyond, it hangs. */
const HANG_MS = 60_000;

/**
 * A value that has to come. Without it, the test fails with a sentence and not only after the limit of all tests.
 *
 * @param what what is awaited, as the subject of a sentence
 */
export async function within<Value>(what: string, value: Promise<Value>, ms = HANG_MS): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not end within ${ms / 1_000} s`)), ms);
  });
  try {
    return await Promise.race([value, late]);
  } finally {
    clearTimeout(timer);
  }
}
