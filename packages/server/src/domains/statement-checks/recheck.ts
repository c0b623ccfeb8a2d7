export type CheckCall = { readonly signal: AbortSignal; readonly callerId: string };

type Check = {
  readonly verdict: 'Passed' | 'Failed' | 'Unchecked';
  /** Reason of a refusal, in the engine's words if the engine refused; otherwise empty. */
  readonly message: string;
};

/** Checks a statement on a source without running it. `Unchecked`: the source was unavailable. */
export type CheckStatement = (dataSourceId: number, sql: string, call: CheckCall) => Promise<Check>;

const passed: Check = { verdict: 'Passed', message: '' };
const unasked: Check = { verdict: 'Unchecked', message: '' };

/** Checks statements in order and returns the first outcome that is not `Passed`. */
async function checkStatements(
  check: CheckStatement,
  dataSourceId: number,
  statements: readonly string[],
  call: CheckCall,
): Promise<Check> {
  for (const sql of statements) {
    const outcome = await check(dataSourceId, sql, call);
    if (outcome.verdict !== 'Passed') return outcome;
  }
  return passed;
}

/** Time limit in milliseconds. A user waits for the response. */
const budgetMs = 30_000;

/** Counts of a recheck. */
type Recheck = {
  readonly checkedCount: number;
  readonly brokenCount: number;
  /** Number of records whose source was unavailable. */
  readonly uncheckedCount: number;
  /** Number of records that the time limit excluded. */
  readonly remainingCount: number;
};

type Look = {
  readonly check: CheckStatement;
  readonly now: () => Date;
  readonly call: CheckCall;
};

/**
 * Checks the statements of records in their sources, one record after the other, until the time limit.
 *
 * @param statementsOf  Checked in order up to the first refusal.
 * @param mark  Stores the reason of a refusal; null: no refusal.
 */
export async function recheckStatements<T extends { readonly dataSourceId: number }>(
  due: readonly T[],
  statementsOf: (record: T) => readonly string[],
  mark: (record: T, checkedAt: Date, brokenReason: string | null) => Promise<void>,
  { check, now, call }: Look,
): Promise<Recheck> {
  const endsAt = now().getTime() + budgetMs;
  const counts = { checkedCount: 0, brokenCount: 0, uncheckedCount: 0 };
  // An unavailable source would delay each of its records by its time limit.
  const away = new Set<number>();
  let done = 0;
  for (const record of due) {
    if (now().getTime() >= endsAt || call.signal.aborted) break;
    done += 1;
    const outcome = away.has(record.dataSourceId)
      ? unasked
      : await checkStatements(check, record.dataSourceId, statementsOf(record), call);
    if (outcome.verdict === 'Unchecked') {
      away.add(record.dataSourceId);
      counts.uncheckedCount += 1;
      continue;
    }
    await mark(record, now(), outcome.verdict === 'Failed' ? outcome.message : null);
    counts.checkedCount += 1;
    if (outcome.verdict === 'Failed') counts.brokenCount += 1;
  }
  return { ...counts, remainingCount: due.length - done };
}
