import type { RunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { yearly } from '@svc/testkit/runs/subscribe.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newYear, startWatchdogFixture, type WatchdogFixture } from './testing.ts';

let watched: WatchdogFixture;
let fixture: RunFixture;
beforeAll(async () => {
  watched = await startWatchdogFixture();
  fixture = watched.fixture;
});
afterAll(() => fixture.close());

const check = () => watched.check();
const sql = (statement: string, values?: unknown[]) => watched.sql(statement, values);

describe('evaluations of data contracts', () => {
  const path = '/svc/api/data-quality/contracts';
  /** Creates a contract due at New Year, and watched since `yearsAgo` years ago. */
  async function yearlyContract(yearsAgo: number): Promise<number> {
    await fixture.root.post(`/svc/api/data-sources/${fixture.sourceId}/refresh-metadata`);
    const { id } = await fixture.make(path, {
      projectId: fixture.projectId,
      dataSourceId: fixture.sourceId,
      schemaName: 'public',

      tableName: 'orders',
      name: 'Orders',
      rules: [{ name: 'Some', type: 'Volume', config: { minRows: 1 } }],
      cronExpression: yearly,
      timeZone: 'UTC',
    });
    await sql(`update svc.data_contracts set watch_due_at = ${newYear(yearsAgo)} where id = $1`, [id]);
    watched.notices.length = 0;
    return id;
  }
  /** Inserts an evaluation with its creation time, its delay and its duration in seconds. */
  const evaluated = (
    id: number,
    createdAt: string,
    lateSeconds: number,
    tookSeconds: number,
    trigger = 'Schedule',
  ) =>
    sql(
      `insert into svc.contract_evaluations (contract_id, trigger, status, created_time, started_at, finished_at)
       values ($1, $4, 'Passed', ${createdAt}, ${createdAt} + $2 * interval '1 second', ${createdAt} + ($2::int + $3::int) * interval '1 second')`,
      [id, lateSeconds, tookSeconds, trigger],
    );
  const lastMissed = async (id: number) => (await fixture.root.get(`${path}/${id}`)).body.lastMissed;

  test('that did not start are missed, and the responsible users of the contract are notified once', async () => {
    const id = await yearlyContract(3);
    await evaluated(id, newYear(3), 299, 5);
    await evaluated(id, newYear(2), 301, 5);
    await check();
    expect(await lastMissed(id)).toMatchObject({ missedCount: 3 });
    expect(watched.notices).toMatchObject([
      { kind: 'EvaluationMissed', subject: { kind: 'Contract', id }, facts: { missedCount: 3 } },
    ]);
    await sql(`update svc.data_contracts set watch_due_at = ${newYear(0)} where id = $1`, [id]);
    await check();
    expect(watched.notices).toHaveLength(1);
    await sql('update svc.missed_runs set last_due_at = now() where contract_id = $1', [id]);
    const { body } = await fixture.root.get('/svc/api/control-tower/health?kind=Contract');
    expect(body.items).toMatchObject([{ id, reasons: expect.arrayContaining(['RunsMissed']) }]);
  });

  test('a due time at which an evaluation was already running is not missed', async () => {
    const id = await yearlyContract(1);
    // A manual evaluation started an hour before New Year and was still running.
    await evaluated(id, `${newYear(1)} - interval '1 hour'`, 0, 3_700, 'Manual');
    await evaluated(id, newYear(0), 0, 5);
    await check();
    expect(await lastMissed(id)).toBeNull();
    expect(watched.notices).toEqual([]);
  });

  test('a disabled or archived contract misses no evaluation, nor does a contract before its schedule was set', async () => {
    const [disabled, archived, changed] = [
      await yearlyContract(3),
      await yearlyContract(3),
      await yearlyContract(3),
    ];
    await sql('update svc.data_contracts set is_enabled = false where id = $1', [disabled]);
    await sql('update svc.data_contracts set archived_at = now() where id = $1', [archived]);
    const { body } = await fixture.root.get(`${path}/${changed}`);
    const { projectId, dataSourceId, schemaName, tableName, name, rules } = body;
    const saved = { projectId, dataSourceId, schemaName, tableName, name, rules, timeZone: 'UTC' };
    await fixture.root.put(`${path}/${changed}`, { ...saved, cronExpression: '0 1 1 1 *' });
    await check();
    const missed = await sql('select from svc.missed_runs where contract_id = any($1)', [
      [disabled, archived, changed],
    ]);
    expect(missed).toEqual([]);
    expect(watched.notices).toEqual([]);
    // Saving an unchanged schedule retains the watched due time.
    await sql(`update svc.data_contracts set watch_due_at = ${newYear(2)} where id = $1`, [changed]);
    await fixture.root.put(`${path}/${changed}`, { ...saved, cronExpression: '0 1 1 1 *' });
    await check();
    expect(await lastMissed(changed)).toMatchObject({ missedCount: 3 });
  });

  test('a contract whose due time passed without an evaluation is shown as stalled even before the next check', async () => {
    const id = await yearlyContract(1);
    // Slots count from the creation of the contract.
    await sql(`update svc.data_contracts set created_time = now() - interval '2 years' where id = $1`, [id]);
    const health = async () =>
      (await fixture.root.get('/svc/api/control-tower/health?kind=Contract&pageSize=200')).body.items.find(
        (entry: { id: number }) => entry.id === id,
      )?.health;
    expect(await health()).toBe('Stalled');
    await evaluated(id, newYear(0), 0, 5);
    expect(await health()).not.toBe('Stalled');
  });
});
