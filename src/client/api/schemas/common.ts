import { type Static, type TSchema, Type } from "typebox";

/**
 * Building blocks of the resources. On the wire (NUM-5) money, prices, sizes and rates are canonical decimal strings.
 * Ids and nonces are decimal strings; heights, places and milliseconds are integers; addresses and hashes are
 * lower-case hexadecimal. An absent value is `null`, never a missing member.
 */

const DECIMAL = "^-?(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?$";

const decimal = (description: string) => Type.String({ pattern: DECIMAL, description, examples: ["0.25"] });

/** Collateral, value, margin or PnL, in USD with up to 6 decimals. */
export const amount = (description: string) => decimal(`${description} USD.`);
/** A price in USD per unit of base, up to 8 decimals. */
export const price = (description: string) => decimal(`${description} USD per unit of base.`);
/** A size in units of base, up to 8 decimals. */
export const size = (description: string) => decimal(`${description} Units of base.`);
/** A ratio: "0.0005" is five hundredths of a percent. */
export const rate = (description: string) => decimal(`${description} A ratio.`);

/** Id of an order or intent, or a nonce. */
export const id = (description: string) => Type.String({ pattern: "^(0|[1-9][0-9]{0,15})$", description });
export const height = (description: string) => Type.Integer({ minimum: 0, description });
/** Block time, or another time of the chain: milliseconds since 1970. */
export const timeMs = (description: string) =>
  Type.Integer({ minimum: 0, description: `${description} Milliseconds.` });
export const count = (description: string) => Type.Integer({ minimum: 0, description });
export const flag = (description: string) => Type.Boolean({ description });
export const text = (description: string) => Type.String({ description });
export const address = (description: string) => Type.String({ pattern: "^0x[0-9a-f]{40}$", description });
export const hash = (description: string) => Type.String({ pattern: "^0x[0-9a-f]{64}$", description });
export const subaccount = (description = "Number of the subaccount.") =>
  Type.Integer({ minimum: 0, maximum: 0xffff_ffff, description });
/** One of some words; the list may grow within a version of the API. */
export const word = <const Words extends readonly string[]>(words: Words, description: string) =>
  Type.Unsafe<Words[number]>(Type.Enum([...words], { description }));
export const nullable = <S extends TSchema>(schema: S, description?: string) =>
  Type.Union([schema, Type.Null()], {
    description: description ?? (schema as { readonly description?: string }).description ?? "",
  });

/** The one height to which everything in an answer belongs. */
export const AsOf = Type.Object(
  {
    height: height("Height of the venue at which this was read; everything in the answer belongs to it."),
    timeMs: timeMs("Time of that block."),
    hash: hash("Head of the effects chain after that block (DET-2)."),
  },
  { $id: "AsOf", description: "The one height to which everything in the answer belongs." },
);
export type AsOf = Static<typeof AsOf>;

export const Page = Type.Object(
  {
    next: nullable(text("Cursor of the next page; null on the last one.")),
    hasMore: flag("Whether there is a next page."),
    limit: count("Most items of a page, as asked for."),
  },
  { $id: "Page", description: "Position in a list. The height of the first page decides which items the list holds." },
);
export type Page = Static<typeof Page>;

/** One resource, with the height at which it was read. */
export const single = <S extends TSchema>(data: S) => Type.Object({ data, asOf: AsOf });
/** A whole list in one answer. */
export const listed = <S extends TSchema>(item: S) => Type.Object({ data: Type.Array(item), asOf: AsOf });
/** A list in pages. */
export const paged = <S extends TSchema>(item: S) => Type.Object({ data: Type.Array(item), page: Page, asOf: AsOf });

/** Most items of a page. */
export const PAGE_MOST = 500;
export const PAGE_DEFAULT = 50;

/** Query members of every list in pages. */
export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: PAGE_MOST,
      default: PAGE_DEFAULT,
      description: `Most items of the page, 1 to ${PAGE_MOST}.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      description: "`page.next` of the page before, with the same other members.",
    }),
  ),
};

/** Requests may write an address in one case, or in both with the checksum of EIP-55; answers use lower case. */
export const addressParam = (description: string) => Type.String({ pattern: "^0x[0-9a-fA-F]{40}$", description });
export const hashParam = (description: string) => Type.String({ pattern: "^0x[0-9a-f]{64}$", description });
export const marketParam = Type.String({
  pattern: "^[\\x21-\\x7e]{1,64}$",
  description: "Name of the market, as in `/markets`.",
});
export const subaccountQuery = Type.Optional(subaccount("Only this subaccount; all of them by default."));
