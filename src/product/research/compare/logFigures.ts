import { formatDecimal } from "../../../ground/math/decimal.ts";
import { AMOUNT_DECIMALS } from "../../../ground/math/fixed.ts";
import { ROLE } from "../../../protocol/words.ts";
import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { readMarginAccount } from "../../../venue/reads/figures.ts";
import { listMarginAccountsOf } from "../../../venue/reads/rows.ts";
import { BlockLogReader } from "../../../venue/simulation/log/readBlockLog.ts";
import { OutcomeRecorder } from "../../../venue/simulation/outcome/recordOutcome.ts";
import { countFigure, type RunFigures, usdFigure } from "./runFigures.ts";

/** Most points of a curve; above it, every second one goes. */
const POINTS_MOST = 2_000;

/**
 * Replays a log for its figures, and for the equity of all accounts that are no house and no backstop.
 *
 * @throws {LogError} of reading a log
 */
export function readLogFigures(name: string, path: string): RunFigures {
  const reader = new BlockLogReader(path);
  try {
    const state = createVenue(reader.genesis);
    const recorder = new OutcomeRecorder();
    recorder.onStart?.(state);
    const start = sumEquity(state);
    const curve = { timeMs: [state.timeMs], equity: [toUsd(start)] };
    let every = 1;
    for (const record of reader) {
      if (record.kind !== "block") continue;
      recorder.onBlock(state, record.block, applyBlock(state, record.block));
      if (record.block.height % every !== 0) continue;
      curve.timeMs.push(state.timeMs);
      curve.equity.push(toUsd(sumEquity(state)));
      if (curve.timeMs.length <= POINTS_MOST) continue;
      every *= 2;
      for (const column of [curve.timeMs, curve.equity]) {
        const kept = column.filter((_, at) => at % 2 === 0);
        column.splice(0, column.length, ...kept);
      }
    }
    const end = sumEquity(state);
    if (curve.timeMs.at(-1) !== state.timeMs) {
      curve.timeMs.push(state.timeMs);
      curve.equity.push(toUsd(end));
    }
    const { blocks, transactions, liquidations, fees, badDebt, fundingPaid, insurance } = recorder.result(state);
    return {
      name,
      figures: [
        usdFigure("Equity of all traders at the start", usd(start)),
        usdFigure("Equity of all traders at the end", usd(end)),
        usdFigure("Fees", usd(fees)),
        usdFigure("Funding paid", usd(fundingPaid)),
        countFigure("Liquidated accounts", liquidations.accounts),
        usdFigure("Insurance paid", usd(insurance.paid)),
        usdFigure("Bad debt", usd(badDebt)),
        countFigure("Applied transactions", transactions.applied),
        countFigure("Rejected transactions", transactions.rejected),
        countFigure("Blocks", blocks),
      ],
      curve,
    };
  } finally {
    reader.close();
  }
}

const usd = (amount: bigint) => formatDecimal(amount, AMOUNT_DECIMALS);
const toUsd = (amount: bigint) => Number(usd(amount));

/** Quote units. */
function sumEquity(state: State): bigint {
  const { accounts } = state;
  let sum = 0n;
  for (let at = 0; at < accounts.rows.high; at++) {
    const row = at as AccountRow;
    if (accounts.role[row] !== ROLE.normal) continue;
    for (const isolated of listMarginAccountsOf(state, row)) sum += readMarginAccount(state, row, isolated).equity;
  }
  return sum;
}
