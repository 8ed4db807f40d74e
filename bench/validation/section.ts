/** A section of docs/validation.md. */
export interface Section {
  /** Place in the page, and what the table at its top calls it. */
  readonly title: string;
  /** The result in a few words, for the table at the top. */
  readonly result: string;
  /** Markdown under the title. */
  readonly text: string;
}
