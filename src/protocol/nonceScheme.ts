/** Most nonces of a window. */
export const NONCE_WINDOW_MOST = 1024;

/**
 * How far a lane's nonces may be apart, from the scheme's text (NON-2): N for `window:N`, 0 for `sequential`.
 *
 * @returns undefined for any other text
 */
export function readNonceScheme(text: string): number | undefined {
  if (text === "sequential") return 0;
  const window = /^window:([1-9][0-9]{0,3})$/.exec(text);
  const size = Number(window?.[1]);
  return size <= NONCE_WINDOW_MOST ? size : undefined;
}
