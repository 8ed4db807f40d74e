import { createHash } from "node:crypto";
import { createAsyncApi } from "../../../client/api/asyncapi.ts";
import { createDevnetOpenApi, createOpenApi } from "../../../client/api/openapi.ts";
import { renderReference } from "./reference.ts";

/** The served contract, written once when it is first requested. */
export class Contract {
  #text: string | undefined;
  #hash: string | undefined;
  #streams: string | undefined;
  #page: string | undefined;
  #control: string | undefined;

  /** The OpenAPI document. */
  get text(): string {
    this.#text ??= `${JSON.stringify(createOpenApi(), null, 2)}\n`;
    return this.#text;
  }

  /** SHA-256 of the document, hexadecimal. */
  get hash(): string {
    this.#hash ??= createHash("sha256").update(this.text).digest("hex");
    return this.#hash;
  }

  /** The AsyncAPI document of the streams. */
  get streams(): string {
    this.#streams ??= `${JSON.stringify(createAsyncApi(), null, 2)}\n`;
    return this.#streams;
  }

  /** The OpenAPI document of control. */
  get control(): string {
    this.#control ??= `${JSON.stringify(createDevnetOpenApi(), null, 2)}\n`;
    return this.#control;
  }

  /** The document as a page. */
  get page(): string {
    this.#page ??= renderReference(createOpenApi());
    return this.#page;
  }
}

/** The contract of this version of the package; it depends on nothing else. */
export const contract: Contract = new Contract();
