/**
 * Three ways to recover a public key from an ECDSA signature over secp256k1, fastest first. They agree on every input
 * (tested against each other); only their speed differs.
 */
import { createRequire } from "node:module";
import type { RecoveryId } from "@bitauth/libauth";
import { secp256k1 } from "@noble/curves/secp256k1.js";

export const BACKENDS = ["native", "wasm", "js"] as const;
export type BackendName = (typeof BACKENDS)[number];

export interface RecoveryBackend {
  readonly name: BackendName;
  /**
   * The public key that made a signature.
   *
   * @param digest    32 bytes
   * @param signature 64 bytes, r and s, each from 1 to n - 1
   * @param recovery  parity of the y coordinate of the point with x coordinate r
   * @returns         65 bytes: 4, x, y; or undefined if no key makes this signature
   */
  recover(digest: Uint8Array, signature: Uint8Array, recovery: 0 | 1): Uint8Array | undefined;
}

/** A backend that does not load on this machine. */
export class BackendMissingError extends Error {
  override readonly name = "BackendMissingError";
  readonly code = "BACKEND_MISSING";
  readonly backend: BackendName;

  constructor(backend: BackendName, cause: unknown) {
    super(
      `recovery backend "${backend}" does not load here; use one of ${BACKENDS.join(", ")} or leave the choice open`,
      {
        cause,
      },
    );
    this.backend = backend;
  }
}

/** Loader of each backend. */
export type Loaders = Readonly<Record<BackendName, () => RecoveryBackend | Promise<RecoveryBackend>>>;

const LOADERS: Loaders = { native: loadNative, wasm: loadWasm, js: () => jsBackend };

/**
 * Loads a recovery backend.
 *
 * @param choice  one backend, or `auto` for the first of native, WebAssembly and JavaScript that loads
 * @param loaders other loaders, for tests
 * @throws {BackendMissingError} if the chosen one, or with `auto` every one, does not load
 */
export async function loadBackend(
  choice: BackendName | "auto" = "auto",
  loaders: Loaders = LOADERS,
): Promise<RecoveryBackend> {
  const names = choice === "auto" ? BACKENDS : [choice];
  let cause: unknown;
  for (const name of names) {
    try {
      if (!Object.hasOwn(loaders, name)) throw new Error(`no backend has the name ${JSON.stringify(name)}`);
      return await loaders[name]();
    } catch (error) {
      cause = error;
    }
  }
  throw new BackendMissingError(names.at(-1)!, cause);
}

/**
 * A backend without loading: the native one, or else JavaScript. For callers that cannot wait for WebAssembly.
 */
export function backendAtHand(): RecoveryBackend {
  try {
    return loadNative();
  } catch {
    return jsBackend;
  }
}

/** The used part of the native binding. */
interface NativeBinding {
  ecdsaRecover(
    signature: Uint8Array,
    recovery: number,
    digest: Uint8Array,
    compressed: boolean,
    output: Uint8Array,
  ): Uint8Array;
}

function loadNative(): RecoveryBackend {
  // Its main entry silently falls back to a slow JavaScript version; only the binding throws if it is missing.
  const binding = createRequire(import.meta.url)("secp256k1/bindings.js") as NativeBinding;
  return {
    name: "native",
    recover(digest, signature, recovery) {
      try {
        return binding.ecdsaRecover(signature, recovery, digest, false, new Uint8Array(65));
      } catch {
        return undefined;
      }
    },
  };
}

async function loadWasm(): Promise<RecoveryBackend> {
  // Imported on demand: it takes a fifth of a second and loads much that is not needed.
  const { instantiateSecp256k1 } = await import("@bitauth/libauth");
  const library = await instantiateSecp256k1();
  return {
    name: "wasm",
    recover(digest, signature, recovery) {
      const key = library.recoverPublicKeyUncompressed(signature, recovery as RecoveryId, digest);
      return typeof key === "string" ? undefined : key;
    },
  };
}

const jsBackend: RecoveryBackend = {
  name: "js",
  recover(digest, signature, recovery) {
    try {
      return secp256k1.Signature.fromBytes(signature, "compact")
        .addRecoveryBit(recovery)
        .recoverPublicKey(digest)
        .toBytes(false);
    } catch {
      return undefined;
    }
  },
};
