import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { addStock, fillStock, stockRule, watchContract } from '@svc/testkit/runs/watched-contract.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const path = '/svc/api/data-quality/contracts';
const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
/** Quiet hours for the whole week. */
const always = {
  timeZone: 'Europe/Zagreb',
  windows: [
    { days, from: '00:00', to: '12:00' },
    { days, from: '12:00', to: '00:00' },
  ],
  criticalPasses: false,
};
let fixture: RunFixture;

beforeAll(async () => {
  fixture = await startRunFixture();
  await addStock(fixture);
});
afterAll(() => fixture.close());

const sql = (text: string, values: unknown[]) => fixture.svc.database.query(text, values);
/** Creates a contract that notifies OnChange, with a function that ends the quiet hours. */
async function watch(more: Readonly<Record<string, unknown>> = {}) {
  const watched = await watchContract(fixture, { alertMode: 'OnChange', ...more });
  return {
    ...watched,
    end: async (runId: number) => {
      await sql('update svc.runs set held_until = now() where id = $1', [runId]);
      await sql(
        'update svc_jobs.job set due_at = now() where id = (select job_id from svc.runs where id = $1)',
        [runId],
      );
      return fixture.endOf(runId);
    },
  };
}
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

describe('a contract with the alert mode OnChange', () => {
  test('notifies once when it fails and once when it passes again, and not in between', async () => {
    const watched = await watch();
    expect((await watched.read()).alertState).toBeNull();
    expect(await watched.tick(0)).toBe('Passed');
    expect(await watched.tick(2)).toBe('Failed');
    expect(await watched.tick(3)).toBe('Failed');
    expect((await watched.read()).alertState).toMatchObject({ state: 'Firing', toldAt: expect.any(String) });
    expect(await watched.tick(1)).toBe('Warned');
    expect(await watched.tick(0)).toBe('Passed');
    expect((await watched.read()).alertState).toMatchObject({ state: 'Ok', toldAt: null });
    expect(watched.bodies()).toMatchObject([
      { totalRecords: 1, alert: { state: 'Firing', since: expect.any(String) } },
      { totalRecords: 1, alert: { state: 'Ok', since: expect.any(String) } },
    ]);
    expect((await watched.runs()).map(({ status }) => status)).toEqual(['Sent', 'Sent']);
  });

  test('treats warnings as failures if it alerts on warnings', async () => {
    const watched = await watch({ alertsOnWarning: true });
    await watched.tick(1);
    await watched.tick(2);
    await watched.tick(0);
    expect(watched.bodies().map(({ alert }) => alert.state)).toEqual(['Firing', 'Ok']);
  });

  test('waits for the configured number of evaluations, and sends a reminder after the configured time', async () => {
    const watched = await watch({ alert: { pendingRuns: 2, recoverRuns: 2, remindMinutes: 15 } });
    await watched.tick(2);
    expect(watched.bodies()).toEqual([]);
    await watched.tick(2);
    await watched.tick(2);
    expect(watched.bodies()).toHaveLength(1);
    await sql(
      `update svc.alert_states set told_at = told_at - interval '15 minutes' where contract_id = $1`,
      [watched.id],
    );
    await watched.tick(2);
    await watched.tick(2);
    expect(watched.bodies()).toHaveLength(2);
    await watched.tick(0);
    expect((await watched.read()).alertState.state).toBe('Recovering');
    await watched.tick(0);
    expect(watched.bodies().map(({ alert }) => alert.state)).toEqual(['Firing', 'Firing', 'Ok']);
  });

  test('ignores an evaluation that ended with an error or was started manually', async () => {
    const watched = await watch();
    await watched.tick(2);
    await fixture.shop.query('alter table stock rename to elsewhere');
    expect(await watched.evaluate()).toBe('Error');
    await fixture.shop.query('alter table elsewhere rename to stock');
    await fillStock(fixture, 0);
    await fixture.root.post(`${path}/${watched.id}/evaluate`);
    await until('an evaluation by hand', async () => {
      const { body } = await fixture.root.get(`${path}/${watched.id}/evaluations?status=Passed`);
      return body.totalCount === 1 || undefined;
    });
    expect((await watched.read()).alertState.state).toBe('Firing');
    expect(watched.bodies()).toHaveLength(1);
  });

  test('does not report an alert that began and ended during a snooze, but reports the end of a reported alert', async () => {
    const watched = await watch();
    await watched.snooze(tomorrow());
    await watched.tick(2);
    await watched.tick(0);
    await watched.snooze(null);
    await watched.tick(0);
    expect(watched.bodies()).toEqual([]);
    await watched.tick(2);
    await watched.snooze(tomorrow());
    await watched.tick(0);
    expect(watched.bodies()).toHaveLength(1);
    await watched.snooze(null);
    await watched.tick(0);
    expect(watched.bodies().map(({ alert }) => alert.state)).toEqual(['Firing', 'Ok']);
  });

  test('an alert that could not be delivered counts as sent, and the next failure does not repeat it', async () => {
    const watched = await watch();
    fixture.sink.answers.set(watched.to, 500);
    await watched.tick(2);
    await watched.tick(2);
    expect((await watched.runs()).map(({ status }) => status)).toEqual(['Failed']);
  });

  test('new alert settings reset the alert state, and a new name does not', async () => {
    const watched = await watch();
    await watched.tick(2);
    await fixture.root.put(`${path}/${watched.id}`, { ...watched.body, name: 'Renamed' });
    await watched.tick(2);
    expect(watched.bodies()).toHaveLength(1);
    await fixture.root.put(`${path}/${watched.id}`, { ...watched.body, alert: { remindMinutes: 60 } });
    expect((await watched.read()).alertState).toBeNull();
    await watched.tick(2);
    expect(watched.bodies()).toHaveLength(2);
  });
});

describe('quiet hours of a contract', () => {
  test('delay a failure until they end, and a newer failure replaces it', async () => {
    const watched = await watch({ alertMode: 'EveryFailure', quietHours: always });
    await watched.tick(2);
    await watched.tick(3);
    expect(watched.bodies()).toEqual([]);
    const [first, second] = await watched.runs();
    expect(first).toMatchObject({ status: 'Silenced', reason: 'Superseded' });
    await watched.tick(0);
    expect(await watched.end(second?.id ?? 0)).toMatchObject({ status: 'Sent' });
    expect(watched.bodies()).toMatchObject([{ records: [{ rule: 'In stock', failing: 3 }] }]);
  });

  test('suppress an alert that began and ended meanwhile, and send an alert that is still open once', async () => {
    const watched = await watch({ quietHours: always });
    await watched.tick(2);
    await watched.tick(0);
    expect((await watched.runs()).map(({ reason }) => reason)).toEqual(['Superseded']);
    await watched.tick(2);
    await watched.tick(2);
    const last = (await watched.runs()).at(-1);
    expect((await watched.read()).alertState).toMatchObject({ state: 'Firing', toldAt: null });
    expect(await watched.end(last?.id ?? 0)).toMatchObject({ status: 'Sent' });
    expect(watched.bodies()).toHaveLength(1);
    expect((await watched.read()).alertState.toldAt).not.toBeNull();
  });

  test('let an alert for a failed Critical rule pass if configured, and for no other rule', async () => {
    const passes = { ...always, criticalPasses: true };
    const critical = await watch({ quietHours: passes });
    await critical.tick(2);
    expect(critical.bodies()).toHaveLength(1);
    const high = await watch({
      quietHours: passes,
      rules: [{ ...stockRule, severity: 'High' }],
      failScore: 95,
      warnScore: 95,
    });
    expect(await high.tick(2)).toBe('Failed');
    expect(high.bodies()).toEqual([]);
  });

  test('suppress a delayed alert if the contract was archived or snoozed meanwhile', async () => {
    const [archived, snoozed] = [await watch({ quietHours: always }), await watch({ quietHours: always })];
    for (const watched of [archived, snoozed]) await watched.tick(2);
    await fixture.root.delete(`${path}/${archived.id}`);
    await snoozed.snooze(tomorrow());
    for (const [watched, reason] of [
      [archived, 'Superseded'],
      [snoozed, 'Snoozed'],
    ] as const) {
      const [run] = await watched.runs();
      await watched.end(run?.id ?? 0);
      expect(await watched.runs()).toMatchObject([{ status: 'Silenced', reason }]);
      expect(watched.bodies()).toEqual([]);
    }
  });

  test('are refused with 400 if they are invalid, and so is an alert with another alert mode', async () => {
    const watched = await watch();
    const put = async (more: object) => {
      const { status, body } = await fixture.root.put(`${path}/${watched.id}`, { ...watched.body, ...more });
      return [status, body.code, body.errors?.[0]?.path];
    };
    const window = { days, from: '08:00', to: '08:00' };
    expect(await put({ quietHours: { ...always, windows: [window] } })).toEqual([
      400,
      'invalid-quiet-hours',
      '/quietHours/windows/0/to',
    ]);
    expect(await put({ quietHours: { ...always, timeZone: 'Mars/Olympus' } })).toEqual([
      400,
      'invalid-quiet-hours',
      '/quietHours/timeZone',
    ]);
    expect(await put({ alertMode: 'EveryFailure', alert: {} })).toEqual([
      400,
      'alert-without-trigger',
      '/alert',
    ]);
  });
});
