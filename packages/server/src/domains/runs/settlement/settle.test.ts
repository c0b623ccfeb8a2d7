import { type AlertRule, type QuietHours, type RowMemory, rowChanges, weekdays } from '@svc/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StoredAlert } from '../../alerts/index.ts';
import type { QueryResult, QueryTimeout } from '../execute-query.ts';
import type { RunToExecute } from '../store/load-run.ts';
import { settle } from './settle.ts';
import type { LockedState, RunState, Settlement } from './settlement.ts';

const now = new Date('2026-03-04T10:00:00Z');
const minutesFromNow = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 2 });
const count = fc.integer({ min: 0, max: 9 });

const alertRule: fc.Arbitrary<AlertRule> = fc.record({
  pendingRuns: fc.integer({ min: 1, max: 3 }),
  recoverRuns: fc.integer({ min: 1, max: 3 }),
  remindMinutes: orNull(fc.constantFrom(5, 60)),
  tellsRecovery: fc.boolean(),
});
const alert: fc.Arbitrary<StoredAlert> = fc.record({
  state: fc.constantFrom('Ok', 'Pending', 'Firing', 'Recovering'),
  streak: fc.integer({ min: 0, max: 3 }),
  since: fc.constant(minutesFromNow(-100)),
  toldState: fc.constantFrom('Ok', 'Firing'),
  toldAt: orNull(fc.constantFrom(minutesFromNow(-3), minutesFromNow(-90))),
  acknowledgedAt: orNull(fc.constant(minutesFromNow(-2))),
  movedBy: fc.constantFrom(null, 6, 7),
});
const rowMemory: fc.Arbitrary<RowMemory> = fc.record({
  keyColumns: fc.constant(['id']),
  watchedColumns: fc.constant(null),
  changes: fc.subarray([...rowChanges], { minLength: 1 }),
  delivery: fc.constantFrom('Digest', 'PerRow'),
  keepsKeys: fc.boolean(),
});
/** Quiet hours now, quiet hours at night, and quiet hours for the whole week. */
const quietHours: fc.Arbitrary<QuietHours> = fc.record({
  timeZone: fc.constant('UTC'),
  criticalPasses: fc.boolean(),
  windows: fc.constantFrom(
    [{ days: [...weekdays], from: '09:00', to: '18:00' }],
    [{ days: [...weekdays], from: '22:00', to: '06:00' }],
    [
      { days: [...weekdays], from: '00:00', to: '12:00' },
      { days: [...weekdays], from: '12:00', to: '00:00' },
    ],
  ),
});
const run: fc.Arbitrary<RunToExecute> = fc.record({
  id: fc.constant(7),
  dueAt: fc.constant(minutesFromNow(-1)),
  subscriptionId: fc.constant(3),
  queryId: fc.constant(4),
  queryName: fc.constant('Orders'),
  projectId: fc.constant(1),
  status: fc.constant('Created'),
  notificationTrigger: fc.constantFrom(
    'Always',
    'OnResultCountChange',
    'OnResultCountIncrease',
    'OnAnomaly',
    'OnRowChange',
    'WhileRows',
  ),
  minimumRowCount: orNull(fc.integer({ min: 1, max: 6 })),
  maxRows: orNull(fc.integer({ min: 1, max: 12 })),
  timeoutSeconds: orNull(fc.constant(5)),
  showQuery: fc.boolean(),
  storeResults: fc.boolean(),
  createTasks: fc.boolean(),
  attachmentFormat: orNull(fc.constant('Csv' as const)),
  parameters: fc.constant({}),
  anomaly: fc.constant(null),
  alert: orNull(alertRule),
  rowMemory: orNull(rowMemory),
  quietHours: orNull(quietHours),
  heldUntil: fc.constant(null),
  isArchived: fc.constant(false),
  hasHeld: fc.boolean(),
  timeZone: fc.constant('UTC'),
  messageSealed: fc.constant(null),
  hasOwnMessages: fc.constant(false),
  origin: fc.constantFrom('Schedule', 'Test'),
  isSnoozed: fc.boolean(),
});

const timeout: QueryTimeout = { kind: 'TimedOut', seconds: 5 };
const rows = fc.array(fc.tuple(count, fc.constantFrom(...rowChanges)), { maxLength: 25 });
const routed: fc.Arbitrary<QueryResult['routed']> = fc.record({
  unroutedCount: count,
  results: fc.subarray([0, 1, 2]).chain((places) =>
    fc.tuple(
      ...places.map((place) =>
        fc.record({
          place: fc.constant(place),
          recipientId: fc.constant(place + 10),
          rowCount: fc.integer({ min: 1, max: 9 }),
          rows,
          changes: fc.constant({ New: 1 }),
          attachment: fc.constant(undefined),
        }),
      ),
    ),
  ),
});

/** Returns results that a run can have: only a run with row memory compares rows. */
const resultOf = ({ rowMemory: rule }: RunToExecute): fc.Arbitrary<QueryResult | QueryTimeout> => {
  const memory = fc.record({
    stage: fc.constant(async () => undefined),
    changes: fc.record({
      isBaseline: fc.boolean(),
      rowCount: count,
      newCount: count,
      changedCount: count,
      vanishedCount: count,
      reportedCount: count,
      duplicateKeyCount: count,
      reportedKinds: fc.constant(rule?.changes ?? []),
    }),
  });
  const completed: fc.Arbitrary<QueryResult> = fc.record({
    kind: fc.constant('Completed'),
    collected: rows.map((some) => ({
      columns: ['id', 'change'],
      kinds: ['exactNumber', 'plain'] as const,
      rows: some,
      rowCount: some.length,
    })),
    attachment: fc.constant(undefined),
    resultCount: count,
    executionTimeMs: fc.constant(3),
    timings: fc.constant({ askedAt: now.toISOString(), maskingMs: null, statements: [] }),
    memory: rule === null ? fc.constant(null) : memory,
    routed: orNull(routed),
    fileNos: fc.subarray([0, 1, 21, 22, 43]),
  });
  return fc.oneof({ arbitrary: completed, weight: 6 }, { arbitrary: fc.constant(timeout), weight: 1 });
};

const state: fc.Arbitrary<RunState & LockedState> = fc.record({
  plan: fc.constant({ dataSourceNames: ['shop'], queryText: 'select 1' }),
  previousResultCount: orNull(count),
  assessment: orNull(
    fc.record({
      lower: fc.constant(1),
      upper: fc.constant(5),
      flagged: fc.constantFrom(null, 'Up', 'Down'),
      severity: fc.constantFrom('High', 'Critical'),
      explanation: fc.constant('unusual'),
    }),
  ),
  isAfterTimeout: fc.boolean(),
  now: fc.constant(now),
  notificationUrl: fc.constantFrom(undefined, 'https://svc.example/notifications/7'),
  alert,
  heldRuns: fc.constantFrom([], [{ id: 1, dueAt: minutesFromNow(-60) }]),
});

type Settled = {
  readonly run: RunToExecute;
  readonly result: QueryResult | QueryTimeout;
  readonly state: RunState & LockedState;
  readonly settlement: Settlement;
};
const settled: fc.Arbitrary<Settled> = run.chain((each) =>
  fc.record({ result: resultOf(each), state }).map((input) => ({
    ...input,
    run: each,
    settlement: settle(each, input.result, input.state),
  })),
);

/** Checks a guarantee for random settlements that meet a condition. */
const always = (condition: (of: Settled) => boolean, guarantee: (of: Settled) => void) =>
  fc.assert(
    fc.property(settled.filter(condition), (of) => void guarantee(of)),
    { numRuns: 1_000 },
  );
const isManual = (of: Settled) => of.run.origin === 'Test';
const isSilent = (of: Settled) => of.run.origin === 'Schedule' && of.run.isSnoozed;
const isTimeout = (of: Settled) => of.result.kind === 'TimedOut';
const messageNosOf = ({ next, ownMessages }: Settlement) => {
  if (next.kind === 'End') return [];
  return ownMessages !== null && ownMessages.length > 0 ? ownMessages.map(({ no }) => no) : [0];
};

describe('the settlement of a run', () => {
  test('never changes stored rows or held runs after a manual run with row memory, except for a baseline', () => {
    always(
      (of) => isManual(of) && of.run.rowMemory !== null,
      ({ result, settlement }) => {
        const isBaseline = result.kind === 'Completed' && result.memory?.changes.isBaseline === true;
        expect(settlement.stagedMemory !== null).toBe(isBaseline);
        expect(settlement.supersededRuns).toEqual([]);
      },
    );
  });

  test('stages the rows of every scheduled run that compared rows', () => {
    always(
      (of) => !isManual(of) && !isTimeout(of) && of.run.rowMemory !== null,
      ({ settlement }) => expect(settlement.stagedMemory).not.toBeNull(),
    );
  });

  test('ends a snoozed scheduled run without a message', () => {
    always(isSilent, ({ settlement }) => expect(settlement.next.kind).toBe('End'));
  });

  test('delays a message only for a scheduled run during quiet hours, until a later time', () => {
    always(
      ({ settlement }) => settlement.next.kind === 'Hold',
      (of) => {
        expect(isManual(of)).toBe(false);
        expect(of.run.quietHours).not.toBeNull();
        const { next } = of.settlement;
        expect(next.kind === 'Hold' && next.until.getTime()).toBeGreaterThan(now.getTime());
      },
    );
  });

  test('sends the message of a critical anomaly during quiet hours if they permit it', () => {
    always(
      ({ run: { quietHours: quiet }, state: { assessment } }) =>
        quiet?.criticalPasses === true && assessment?.severity === 'Critical' && assessment.flagged !== null,
      ({ settlement }) => expect(settlement.next.kind).not.toBe('Hold'),
    );
  });

  test('ends a run only with a status that needs no delivery, and stores no message with it', () => {
    always(
      ({ settlement }) => settlement.next.kind === 'End',
      ({ settlement: { next, outcome, ownMessages } }) => {
        const statuses = ['NoResults', 'BelowThreshold', 'Silenced', 'Timeout'];
        expect(statuses).toContain(next.kind === 'End' && next.status);
        expect(outcome.alertNews).toBeNull();
        expect(ownMessages ?? []).toEqual([]);
      },
    );
  });

  test('retains the file of each message that is sent or delayed, and deletes all other files', () => {
    always(
      (of) => !isTimeout(of),
      ({ result, settlement }) => {
        const fileNos = result.kind === 'Completed' ? result.fileNos : [];
        const unsent = settlement.unsentFiles === 'All' ? fileNos : settlement.unsentFiles;
        const messageNos = messageNosOf(settlement);
        expect(unsent).toEqual(fileNos.filter((no) => !messageNos.includes(no)));
      },
    );
  });

  test('numbers the messages of a run uniquely', () => {
    always(
      () => true,
      ({ settlement }) => {
        const nos = messageNosOf(settlement);
        expect(new Set(nos).size).toBe(nos.length);
      },
    );
  });

  test('does not change the alert or the stored rows after a timeout, and notifies once', () => {
    always(isTimeout, (of) => {
      const { settlement } = of;
      expect(settlement.alert).toBeNull();
      expect(settlement.stagedMemory).toBeNull();
      expect(settlement.next.kind === 'End').toBe(of.state.isAfterTimeout || isSilent(of));
    });
  });

  test('is the same when a resumed run is settled again with the alert that it stored', () => {
    always(
      () => true,
      ({ run: each, result, state: before, settlement }) => {
        const { alert: stored } = settlement;
        const again = settle(each, result, { ...before, alert: stored ?? before.alert });
        expect(again).toEqual(settlement);
      },
    );
  });
});
