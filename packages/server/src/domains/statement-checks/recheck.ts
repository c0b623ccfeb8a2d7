export type CheckCall = { readonly signal: AbortSignal; readonly callerId: string };

type Check = {
  readonly verdict: 'Passed' | 'Failed' | 'Unchecked';
  /** What refused, in the engine's words where it did; empty where nothing did. */
  readonly message: string;
};

/** What the gates say about a statement on a source, which is not run; Unchecked when the source could not be asked. */
export type CheckStatement = (dataSourceId: number, sql: string, call: CheckCall) => Promise<Check>;

const passed: Check = { verdict: 'Passed', message: '' };
const unasked: Check = { verdict: 'Unchecked', message: '' };

/** What the gates say about the first of some statements that does not pass. */
async function checkStatements(
  check: CheckStatement,
  dataSourceId: number,
  statements: readonly string[],
  call: CheckCall,
): Promise<Check> {
  for (const sql of statements) {
    const said = await check(dataSourceId, sql, call);
    if (said.verdict !== 'Passed') return said;
  }
  return passed;
}

/** Somebody waits for the answer. */
const budgetMs = 30_000;

/** What came of looking again. */
type Recheck = {
  readonly checkedCount: number;
  readonly brokenCount: number;
  /** Their source could not be asked. */
  readonly uncheckedCount: number;
  /** The time did not suffice for them. */
  readonly remainingCount: number;
};

type Look = {
  readonly check: CheckStatement;
  readonly now: () => Date;
  readonly call: CheckCall;
};

/**
 * Asks the sources about records that hold statements, one after the other, until the time is over.
 *
 * @param statementsOf  Asked in their order up to the first that is refused.
 * @param mark  Told what was refused; null: nothing was.
 */
export async function recheckStatements<T extends { readonly dataSourceId: number }>(
  due: readonly T[],
  statementsOf: (record: T) => readonly string[],
  mark: (record: T, checkedAt: Date, brokenReason: string | null) => Promise<void>,
  { check, now, call }: Look,
): Promise<Recheck> {
  const endsAt = now().getTime() + budgetMs;
  const counts = { checkedCount: 0, brokenCount: 0, uncheckedCount: 0 };
  // A source that is away would hold up each of its records by its time limit.
  const away = new Set<number>();
  let done = 0;
  for (const record of due) {
    if (now().getTime() >= endsAt || call.signal.aborted) break;
    done += 1;
    const said = away.has(record.dataSourceId)
      ? unasked
      : await checkStatements(check, record.dataSourceId, statementsOf(record), call);
    if (said.verdict === 'Unchecked') {
      away.add(record.dataSourceId);
      counts.uncheckedCount += 1;
      continue;
    }
    await mark(record, now(), said.verdict === 'Failed' ? said.message : null);
    counts.checkedCount += 1;
    if (said.verdict === 'Failed') counts.brokenCount += 1;
  }
  return { ...counts, remainingCount: due.length - done };
}
