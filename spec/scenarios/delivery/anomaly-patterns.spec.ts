import { runNow } from '@svc/testkit/runs/subscribe.ts';
import { expect } from 'vitest';
import { addPastRuns, watchTable, wave } from '../support/past-runs.ts';
import { scenario } from '../support/scenario.ts';

const subscriptions = '/svc/api/subscriptions';
const dayMs = 86_400_000;
/** Returns yesterday, today and tomorrow in UTC, for a scenario that may run over midnight. */
const datesAround = (): string[] =>
  [-1, 0, 1].map((day) => new Date(Date.now() + day * dayMs).toISOString().slice(0, 10));

scenario(
  ['DL-3.1-920'],
  'anomaly detection compares a count with counts of the same weekday',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { id, fill } = await watchTable(fixture, { anomaly: {} });
    // The oldest count is 28 days old, so every seventh count has the weekday of today.
    const noise = wave(200, 28);
    await addPastRuns(
      fixture,
      id,
      noise.map((count, index) => (index % 7 === 0 ? 40 + (count % 5) : count)),
    );
    const newest = async () =>
      (await fixture.root.get(`${subscriptions}/${id}/anomaly-chart?days=2`)).body.points.at(-1);
    await fill(41);
    await runNow(fixture.root, id);
    expect(await newest()).toMatchObject({ resultCount: 41, severity: null });
    await fill(200);
    await runNow(fixture.root, id);
    expect(await newest()).toMatchObject({
      severity: expect.any(String),
      explanation: expect.stringMatching(/^200 rows; \d+ to \d+ were expected, from 4 [A-Z][a-z]+days\.$/),
    });
  },
);

scenario(['DL-3.1-921'], 'anomaly detection learns a lasting level that was flagged', async ({ deliver }) => {
  const fixture = await deliver();
  const { id, fill } = await watchTable(fixture, { anomaly: {} });
  await addPastRuns(fixture, id, [...wave(25, 30), ...wave(300, 6)]);
  await fixture.svc.sql(
    `update svc.runs set anomaly_direction = 'Up', anomaly_severity = 'High', anomaly_explanation = 'more',
       expected_lower = 10, expected_upper = 50 where subscription_id = $1 and result_count > 100`,
    [id],
  );
  await fill(300);
  await runNow(fixture.root, id);
  const { points } = (await fixture.root.get(`${subscriptions}/${id}/anomaly-chart?days=2`)).body;
  expect(points.at(-1)).toMatchObject({ resultCount: 300, severity: null });
});

scenario(
  ['DL-3.1-922', 'DL-3.1-923'],
  'holidays of a country and individual dates are stored, shown and excluded from anomaly detection',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root } = fixture;
    const { id, fill } = await watchTable(fixture, { anomaly: {} });
    await addPastRuns(fixture, id, wave(200, 28));
    const watch = (anomaly: Readonly<Record<string, unknown>>) =>
      root.patch(`${subscriptions}/${id}`, { anomaly });
    const newest = async () =>
      (await root.get(`${subscriptions}/${id}/anomaly-chart?days=2`)).body.points.at(-1);

    const country = await watch({ holidayCountry: 'HR', holidayDates: ['2026-12-24'] });
    expect(country.status).toBe(200);
    expect(country.body.anomaly).toMatchObject({ holidayCountry: 'HR', holidayDates: ['2026-12-24'] });
    // Without a country, the history contains one holiday on any date of the test, which is too few to learn from.
    expect((await watch({ holidayDates: datesAround() })).status).toBe(200);
    await fill(3);
    await runNow(root, id);
    expect(await newest()).toMatchObject({ resultCount: 3, explanation: null, severity: null });

    expect((await watch({})).body.anomaly).toMatchObject({ holidayCountry: null, holidayDates: [] });
    await runNow(root, id);
    expect(await newest()).toMatchObject({ resultCount: 3, severity: 'Critical' });

    const refused = [
      { holidayCountry: 'XX' },
      { holidayCountry: 'hr' },
      { holidayDates: ['2026-02-30'] },
      { holidayDates: ['24.12.2026'] },
      { holidayDates: ['2026-12-24', '2026-12-24'] },
    ];
    for (const anomaly of refused) expect([anomaly, (await watch(anomaly)).status]).toEqual([anomaly, 400]);
  },
);

scenario(
  ['DL-3.1-924'],
  'anomaly detection learns a weekday from eight weeks of runs every ten minutes',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { id, fill } = await watchTable(fixture, { anomaly: { lookbackDays: 56 } });
    // About 7,900 runs: 300 rows on the weekday of today, 40 rows on all other days.
    await fixture.svc.sql(
      `insert into svc.runs (subscription_id, query_id, project_id, origin, due_at, status, finished_at, data_source_ids,
         result_count)
       select s.id, s.query_id, q.project_id, 'Schedule', at, 'Sent', now(), '{}',
         case when extract(dow from at at time zone 'UTC') = extract(dow from now() at time zone 'UTC')
           then 300 else 40 end
       from svc.subscriptions s join svc.queries q on q.id = s.query_id,
         generate_series(date_trunc('milliseconds', now()) - interval '8000 minutes' * 10,
           date_trunc('milliseconds', now()) - interval '24 hours', interval '10 minutes') as at
       where s.id = $1`,
      [id],
    );
    await fill(300);
    await runNow(fixture.root, id);
    const { points } = (await fixture.root.get(`${subscriptions}/${id}/anomaly-chart?days=1`)).body;
    expect(points.at(-1)).toMatchObject({ resultCount: 300, severity: null });
    expect(points.at(-1).lower).toBeGreaterThan(40);

    // The newest 2,700 runs have 40 rows; most runs of the lookback have 300 rows.
    await fixture.svc.sql(
      `update svc.runs set result_count = case when due_at < now() - interval '20 days' then 300 else 40 end
        where subscription_id = $1 and origin = 'Schedule'`,
      [id],
    );
    const anomaly = { method: 'Percentage', percent: 50, lookbackDays: 56 };
    expect((await fixture.root.patch(`${subscriptions}/${id}`, { anomaly })).status).toBe(200);
    await runNow(fixture.root, id);
    const chart = (await fixture.root.get(`${subscriptions}/${id}/anomaly-chart?days=1`)).body;
    expect(chart.points.at(-1)).toMatchObject({ resultCount: 300, severity: null, lower: 150, upper: 450 });
  },
);
