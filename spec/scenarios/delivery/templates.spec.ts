import { addRecipient, runNow } from '@svc/testkit/runs/subscribe.ts';
import { expect } from 'vitest';
import { addPastRuns, watchTable, wave } from '../support/past-runs.ts';
import { scenario } from '../support/scenario.ts';
import { jsonOf, sendOnce } from '../support/send-once.ts';

scenario(
  ['DL-2.4-01', 'DL-2.4-04', 'DL-2.4-05', 'DL-2.4-06', 'DL-2.4-08'],
  'a template replaces the body, and its placeholders ignore case',
  async ({ deliver }) => {
    const fixture = await deliver({ 'Svc:BaseUrl': 'https://svc.example.org/svc' });
    const query = await fixture.addQuery('select 1 as one', 'Templated');
    const names = [
      'Timestamp',
      'Source',
      'SubscriptionName',
      'SubscriptionId',
      'DataSourceName',
      'SqlQuery',
      'TotalRecords',
      'ExecutionTimeMs',
      'PreviousResultCount',
      'TimedOut',
      'Records',
      'NotificationUrl',
      'Anomaly.IsAnomaly',
      'Anomaly.Severity',
      'Anomaly.Explanation',
    ]; // prettier-ignore
    const bodyTemplate = names.map((name) => `${name}=[{{${name}}}]`).join('\n');
    const { received, run, subscriptionId } = await sendOnce(
      fixture,
      query,
      { showQuery: true },
      { bodyTemplate },
    );
    const values = Object.fromEntries(
      (received[0]?.text ?? '')
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 2, -1)]),
    );
    expect(values).toMatchObject({
      Source: 'Svc',
      SubscriptionName: 'Templated',
      SubscriptionId: String(subscriptionId),
      DataSourceName: fixture.sourceName,
      SqlQuery: expect.stringContaining('select 1 as one'),
      TotalRecords: '1',
      PreviousResultCount: '',
      TimedOut: 'false',
      Records: '[{"one":1}]',
      NotificationUrl: `https://svc.example.org/svc/notifications/${run.id}`,
      'Anomaly.IsAnomaly': '',
      'Anomaly.Severity': '',
      'Anomaly.Explanation': '',
    });
    expect(values['Timestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
    const anyCase = await sendOnce(
      fixture,
      query,
      {},
      { bodyTemplate: '{{source}} {{TOTALRECORDS}} {{ SubscriptionName }}' },
    );
    expect(anyCase.received[0]?.text).toMatch(/^Svc 1 /);

    const counts = wave(25);
    const watched = await watchTable(fixture, { anomaly: {} });
    const placeholders = ['ExecutionTimeMs', 'PreviousResultCount', ...names.slice(-3)];
    const odd = await addRecipient(fixture.root, {
      notificationType: 'Webhook',
      destination: `${fixture.sink.url}/odd`,
      bodyTemplate: placeholders.map((name) => `{{${name}}}`).join('|'),
    });
    await fixture.root.post(`/svc/api/subscriptions/${watched.id}/recipients`, { recipientIds: [odd] });
    await addPastRuns(fixture, watched.id, counts);
    await watched.fill(300);
    await runNow(fixture.root, watched.id);
    const text = fixture.sink.received.find(({ path }) => path === '/odd')?.text;
    expect(text?.split('|')).toEqual([
      expect.stringMatching(/^\d+\.\d\d$/),
      String(counts.at(-1)),
      'true',
      'Critical',
      expect.stringMatching(/^300 rows; \d+ to \d+ were expected, from 20 runs\.$/),
    ]);
  },
);

scenario(
  ['DL-2.4-10'],
  'a missing value of a run is empty text in a template, also in the indented form',
  async ({ deliver }) => {
    const fixture = await deliver();
    const missing = ['SqlQuery', 'PreviousResultCount', 'NotificationUrl'];
    const anomaly = ['Anomaly.IsAnomaly', 'Anomaly.Severity', 'Anomaly.Explanation'];
    const template = (names: readonly string[]) =>
      names.flatMap((name) => [`${name}=[{{${name}}}]`, `pretty=[{{${name}_Pretty}}]`]).join('\n');
    const empty = (names: readonly string[]) =>
      names.flatMap((name) => [`${name}=[]`, 'pretty=[]']).join('\n');
    const first = await sendOnce(
      fixture,
      await fixture.addQuery('select 1 as one'),
      { showQuery: false },
      { bodyTemplate: template([...missing, ...anomaly]) },
    );
    expect(first.received[0]?.text).toBe(empty([...missing, ...anomaly]));
    // A run that timed out has no row count.
    const timedOut = await sendOnce(
      fixture,
      await fixture.addQuery('select pg_sleep(20)'),
      { timeoutSeconds: 1 },
      { bodyTemplate: template(['TotalRecords']) },
    );
    expect([timedOut.run.status, timedOut.received[0]?.text]).toEqual(['Timeout', empty(['TotalRecords'])]);
  },
);

scenario(
  ['DL-2.4-07', 'DL-2.4-09'],
  'the suffix _Pretty produces indented JSON, and decimals have two places',
  async ({ deliver }) => {
    const fixture = await deliver();
    const query = await fixture.addQuery('select 1 as one');
    const bodyTemplate = '{{ExecutionTimeMs}}|{{Records_Pretty}}';
    const { received } = await sendOnce(fixture, query, {}, { bodyTemplate });
    const [time, records] = (received[0]?.text ?? '').split('|');
    expect(time).toMatch(/^\d+\.\d\d$/);
    expect(records).toContain('\n');
    expect(JSON.parse(records ?? '')).toEqual([{ one: 1 }]);
  },
);

scenario(
  ['DL-2.4-11'],
  'a template inserts text without escaping it, and its author writes the quotes',
  async ({ deliver }) => {
    const fixture = await deliver();
    const query = await fixture.addQuery('select 1 as one', 'With "quotes" and \\');
    const { received } = await sendOnce(fixture, query, {}, { bodyTemplate: '<{{SubscriptionName}}>' });
    expect(received[0]?.text).toBe('<With "quotes" and \\>');
  },
);

scenario(['DL-2.4-12'], 'an unknown placeholder remains as UNKNOWN inside braces', async ({ deliver }) => {
  const fixture = await deliver();
  const query = await fixture.addQuery('select 1 as one');
  const { received } = await sendOnce(fixture, query, {}, { bodyTemplate: 'a {{Nonsense}} b' });
  expect(received[0]?.text).toMatch(/^a \{+UNKNOWN:Nonsense\}+ b$/);
});

scenario(['DL-2.4-03'], 'a template of a chat channel is used if it produces JSON', async ({ deliver }) => {
  const fixture = await deliver();
  const query = await fixture.addQuery('select 1 as one');
  for (const notificationType of ['ChatBlocks', 'ChatCards'] as const) {
    const { received } = await sendOnce(
      fixture,
      query,
      {},
      { notificationType, bodyTemplate: '{"text": "{{TotalRecords}} rows"}' },
    );
    expect(jsonOf(received[0])).toEqual({ text: '1 rows' });
  }
});
