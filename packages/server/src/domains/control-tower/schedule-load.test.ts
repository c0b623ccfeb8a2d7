import { expect, test } from 'vitest';
import { type ScheduleGroup, scheduleLoadOf } from './schedule-load.ts';

const now = new Date('2026-03-10T08:30:00Z');
const turn = async () => undefined;

const group = (cronExpression: string, names: readonly string[], dataSourceId = 1): ScheduleGroup => ({
  cronExpression,
  timeZone: 'UTC',
  dataSourceId,
  dataSourceName: `Source ${dataSourceId}`,
  subjects: names.map((name, at) => ({ kind: 'Subscription', id: dataSourceId * 100 + at, name })),
});
const counted = (...groups: readonly ScheduleGroup[]) =>
  groups.map(({ cronExpression, timeZone, subjects }) => ({
    cronExpression,
    timeZone,
    subjectCount: subjects.length,
  }));

test('each coming hour is counted, beginning with the rest of the present hour', async () => {
  const groups = [group('15,45 * * * *', ['a']), group('0 9 * * *', ['b', 'c'], 2)];
  const { hours, from, to, isCut } = await scheduleLoadOf({ groups, counts: counted(...groups) }, now, turn);
  expect([from, to, isCut]).toEqual(['2026-03-10T08:30:00.000Z', '2026-03-11T07:59:59.999Z', false]);
  expect(hours).toHaveLength(24);
  expect(hours.slice(0, 3).map(({ runs, clashes }) => [runs, clashes])).toEqual([
    [1, 0],
    [4, 1],
    [2, 0],
  ]);
});

test('runs that are due at the same time at one data source clash, regardless of their schedules, with the largest clash first', async () => {
  const groups = [
    group('0 9 * * *', ['b', 'a']),
    group('0 9,12 * * *', ['c']),
    group('0 9 * * *', ['elsewhere'], 2),
    group('0 12 * * *', ['d']),
  ];
  const counts = [
    { cronExpression: '0 9 * * *', timeZone: 'UTC', subjectCount: 3 },
    { cronExpression: '0 9,12 * * *', timeZone: 'UTC', subjectCount: 1 },
    { cronExpression: '0 12 * * *', timeZone: 'UTC', subjectCount: 1 },
  ];
  const { clashes } = await scheduleLoadOf({ groups, counts }, now, turn);
  expect(
    clashes.map(({ at, runs, subjects, dataSourceId }) => [
      at,
      dataSourceId,
      runs,
      subjects.map(({ name }) => name).join(''),
    ]),
  ).toEqual([
    ['2026-03-10T09:00:00.000Z', 1, 3, 'abc'],
    ['2026-03-10T12:00:00.000Z', 1, 2, 'cd'],
  ]);
});

test('a schedule in another time zone is due at its local time, and an invalid expression counts nothing', async () => {
  const groups = [{ ...group('0 9 * * *', ['a']), timeZone: 'Europe/Zagreb' }, group('no cron', ['b'])];
  const { hours } = await scheduleLoadOf(
    { groups, counts: counted(...groups) },
    new Date('2026-03-10T07:30:00Z'),
    turn,
  );
  expect(hours.flatMap(({ from, runs }) => (runs > 0 ? [[from, runs]] : []))).toEqual([
    ['2026-03-10T08:00:00.000Z', 1],
  ]);
});

test('due times above the limit are cut, and the result states that', async () => {
  const counts = Array.from({ length: 40 }, (_, minute) => ({
    cronExpression: '* * * * *',
    timeZone: minute % 2 ? 'UTC' : 'Etc/UTC',
    subjectCount: 1,
  }));
  let turns = 0;
  const load = await scheduleLoadOf({ groups: [], counts }, now, async () => {
    turns += 1;
  });
  expect(load.isCut).toBe(true);
  expect(load.hours.reduce((sum, { runs }) => sum + runs, 0)).toBe(20_000);
  // Other work was not blocked.
  expect(turns).toBeGreaterThan(20_000 / 250);
});
