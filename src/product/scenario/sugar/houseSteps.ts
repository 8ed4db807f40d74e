import { formatHex } from "../../../protocol/codecHex.ts";
import { HOUSE_STEP, HOUSE_STEP_WIDTH } from "../../../protocol/houseSteps.ts";
import { SIDES } from "../../../protocol/words.ts";

/**
 * Steps of a `houseFlow` as words, in ticks and lots: `quote buy 178 @ 848856, rest buy 41 @ 848850, clear sell,
 * print sell 5 @ 848856, last 848857, level buy 40 @ 848855, ahead buy 3 @ 848855` (ACC-1).
 */
const STEP =
  /^(?:(quote|rest|print|level|ahead) (buy|sell) ([0-9]{1,16}) @ ([0-9]{1,16})|clear (buy|sell)|last ([0-9]{1,16}))$/;
const SEPARATOR = ", ";
/** A step that uses no price has one all the same (ACC-1). */
const NO_PRICE = 1;

export function isHouseSteps(text: string): boolean {
  return text !== "" && text.split(SEPARATOR).every((step) => STEP.test(step));
}

/** The packed steps of a text that `isHouseSteps` accepts, as 0x and hex digits. */
export function parseHouseSteps(text: string): string {
  const steps = text.split(SEPARATOR).flatMap((step) => {
    const [, word, side, size, price, cleared, last] = STEP.exec(step)!;
    if (last !== undefined) return [HOUSE_STEP.last, Number(last), 0, 0];
    if (cleared !== undefined) return [HOUSE_STEP.clear, NO_PRICE, 0, SIDES.indexOf(cleared as "buy")];
    return [HOUSE_STEP[word as "quote"], Number(price), Number(size), SIDES.indexOf(side as "buy")];
  });
  const bytes = new DataView(new ArrayBuffer(steps.length * 8));
  for (const [at, value] of steps.entries()) bytes.setFloat64(at * 8, value, true);
  return formatHex(new Uint8Array(bytes.buffer));
}

/** Packed steps as words; undefined where words would not give the same bytes. */
export function formatHouseSteps(bytes: Uint8Array): string | undefined {
  if (bytes.length % (8 * HOUSE_STEP_WIDTH) !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const words: string[] = [];
  for (let at = 0; at < bytes.length; at += 8 * HOUSE_STEP_WIDTH) {
    const [kind, price, size, side] = [0, 8, 16, 24].map((offset) => view.getFloat64(at + offset, true)) as [
      number,
      number,
      number,
      number,
    ];
    const word = Object.entries(HOUSE_STEP).find(([, code]) => code === kind)?.[0];
    if (word === "clear") words.push(`clear ${SIDES[side]}`);
    else if (word === "last") words.push(`last ${price}`);
    else words.push(`${word} ${SIDES[side]} ${size} @ ${price}`);
  }
  const text = words.join(SEPARATOR);
  return isHouseSteps(text) && parseHouseSteps(text) === formatHex(bytes) ? text : undefined;
}
