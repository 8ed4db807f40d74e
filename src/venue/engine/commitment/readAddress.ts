import type { ByteReader } from "../../../ground/collections/byteReader.ts";
import { type AddressWords, hashAddress } from "../../../protocol/accountKey.ts";

/** Reads the five words of an address. */
export function readAddress(input: ByteReader): AddressWords {
  const [w0, w1, w2, w3, w4] = [input.u32() | 0, input.u32() | 0, input.u32() | 0, input.u32() | 0, input.u32() | 0];
  return { w0, w1, w2, w3, w4, hash: hashAddress(w0, w1, w2, w3, w4) };
}
