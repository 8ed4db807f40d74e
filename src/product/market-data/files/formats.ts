/** Recognises files that are no text tables by their first bytes, with the way to convert each. */
import { DataError } from "../errors.ts";

interface Format {
  readonly name: string;
  readonly hint: string;
  isIn(head: Uint8Array, text: string): boolean;
}

const FETCH = "download the data itself (the raw file), not the page that shows it";

const magic =
  (...bytes: readonly number[]) =>
  (head: Uint8Array): boolean =>
    bytes.every((byte, at) => head[at] === byte);

const word =
  (text: string, at = 0) =>
  (head: Uint8Array): boolean =>
    magic(...Buffer.from(text))(head.subarray(at));

/** In the order in which they are tried: exact formats come before likely ones. */
const FORMATS: readonly Format[] = [
  { name: "a Parquet file in an archive", hint: "unpack it: Parquet is read as it is", isIn: word("PAR1") },
  { name: "packed with bzip2", hint: "unpack it: bunzip2 --keep FILE", isIn: word("BZh") },
  {
    name: "packed with xz",
    hint: "unpack it: xz --decompress --keep FILE",
    isIn: magic(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0),
  },
  { name: "a 7z archive", hint: "unpack it: 7z x FILE", isIn: magic(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c) },
  {
    name: "packed with zstd in another archive",
    hint: "unpack the outer one",
    isIn: magic(0x28, 0xb5, 0x2f, 0xfd),
  },
  { name: "packed with lz4 in another archive", hint: "unpack the outer one", isIn: magic(0x04, 0x22, 0x4d, 0x18) },
  {
    name: "packed with an lz4 of before 2013",
    hint: "unpack it: lz4 --decompress FILE",
    isIn: magic(0x02, 0x21, 0x4c, 0x18),
  },
  { name: "a RAR archive", hint: "unpack it: unrar x FILE", isIn: word("Rar!") },
  { name: "packed twice", hint: "unpack it once: gunzip FILE", isIn: magic(0x1f, 0x8b) },
  { name: "a zip archive in another archive", hint: "unpack the outer one", isIn: word("PK\u0003\u0004") },
  { name: "a tar archive", hint: "unpack it and give its files: tar --extract --file FILE", isIn: isTar },
  {
    name: "an Arrow or Feather file",
    hint: `write it as CSV, as with pandas.read_feather("FILE").to_csv("FILE.csv")`,
    isIn: word("ARROW1"),
  },
  {
    name: "an HDF5 file",
    hint: `write it as CSV, as with pandas.read_hdf("FILE").to_csv("FILE.csv")`,
    isIn: magic(0x89, 0x48, 0x44, 0x46),
  },
  {
    name: "a NumPy file",
    hint: `write it as CSV, as with numpy.savetxt("FILE.csv", numpy.load("FILE"), delimiter=",")`,
    isIn: magic(0x93, 0x4e, 0x55, 0x4d),
  },
  {
    name: "an SQLite database",
    hint: `write a table as CSV: sqlite3 -header -csv FILE "SELECT * FROM bars" > bars.csv`,
    isIn: word("SQLite format 3"),
  },
  { name: "an old Excel file", hint: "save the sheet as CSV (UTF-8)", isIn: magic(0xd0, 0xcf, 0x11, 0xe0) },
  { name: "a PDF document", hint: FETCH, isIn: word("%PDF") },
  {
    name: "a pointer of Git LFS, not the file itself",
    hint: "fetch the file: git lfs pull",
    isIn: word("version https://git-lfs"),
  },
  { name: "UTF-16 text", hint: "save it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE > FILE.csv", isIn: isUtf16 },
  {
    name: "a capture with text before the JSON of each line",
    hint: "cut the text in front: sed 's/^[^{[]*//' FILE > FILE.jsonl",
    isIn: (_, text) => /^[a-z]+:\/\/\S+ (->|<-|<->) \d+\.\d+(:|\n)/.test(text) && /: ?[[{]/.test(text),
  },
  {
    name: "a web page or XML",
    hint: FETCH,
    isIn: (_, text) => /^<(!doctype|html|head|body|\?xml|[A-Za-z]+[ >/])/i.test(text) && !/^<[A-Z]+>[,;\t]/i.test(text),
  },
];

/** True for the first bytes of JSON: an array or an object. */
export function isJson(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head.subarray(0, 4096)).trimStart();
  return /^\[\s*([[{\]"\d-]|$)/.test(text) || /^\{\s*("|\}|$)/.test(text);
}

/**
 * Refuses content that is no text table.
 *
 * @param head first bytes of the unpacked content
 * @throws {DataError} FORMAT_UNSUPPORTED, with what to do; DATA_EMPTY if there is no text
 */
export function refuseFormat(head: Uint8Array, file: string): void {
  const text = new TextDecoder().decode(head.subarray(0, 4096)).trimStart();
  if (head.length < 4096 && text === "") {
    throw new DataError("DATA_EMPTY", "the file is empty", { file, hint: "fetch the file again" });
  }
  for (const { name, hint, isIn } of FORMATS) {
    if (!isIn(head, text)) continue;
    throw new DataError("FORMAT_UNSUPPORTED", `the file is ${name}; only text of rows and columns can be read`, {
      file,
      hint,
    });
  }
  if (head.subarray(0, 4096).includes(0)) {
    throw new DataError("FORMAT_UNSUPPORTED", "the file is binary; only text of rows and columns can be read", {
      file,
      hint: "write it as CSV",
    });
  }
}

/** A tar header has its mark at byte 257, or, in the oldest form, a checksum in octal. */
function isTar(head: Uint8Array): boolean {
  if (word("ustar", 257)(head)) return true;
  if (head.length < 512 || head[0] === 0) return false;
  const stated = /^ *([0-7]+)[ \0]/.exec(Buffer.from(head.subarray(148, 156)).toString("latin1"))?.[1];
  let sum = 0;
  for (let at = 0; at < 512; at++) sum += at >= 148 && at < 156 ? 32 : head[at]!;
  return stated !== undefined && Number.parseInt(stated, 8) === sum;
}

/** A byte order mark, or every second byte of plain text is zero. */
function isUtf16(head: Uint8Array): boolean {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return true;
  const sample = head.subarray(0, 64);
  if (sample.length < 8) return false;
  const zeros = (parity: number): boolean => sample.every((byte, at) => (at % 2 === parity ? byte === 0 : byte !== 0));
  return zeros(0) || zeros(1);
}
