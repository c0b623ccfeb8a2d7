import { addKey, addUser, signIn } from '@svc/testkit/people/people.ts';
import { addProject, restrict } from '@svc/testkit/people/projects.ts';
import { addRecipient, addSubscription, runNow } from '@svc/testkit/runs/subscribe.ts';
import { sinkAnswerText } from '@svc/testkit/runs/webhook-sink.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';
import { sendOnce } from '../support/send-once.ts';

const history = '/svc/api/notifications';

scenario(
  ['DL-3.1-02', 'DL-3.1-03', 'DL-5.4-16', 'DL-5.4-17', 'DL-5.4-18'],
  'every recipient is tried; one failure makes the run Failed, and its reason contains no text of the destination',
  async ({ deliver }) => {
    const fixture = await deliver();
    const query = await fixture.addQuery('select 1 as one');
    const ids: number[] = [];
    for (const path of ['/fails', '/cut', '/works'])
      ids.push(
        await addRecipient(fixture.root, {
          notificationType: 'Webhook',
          destination: fixture.sink.url + path,
        }),
      );
    fixture.sink.answers.set('/fails', 500).set('/cut', 'cut');
    const run = await runNow(
      fixture.root,
      await addSubscription(fixture.root, { queryId: query, recipientIds: ids }),
    );
    expect(run.status).toBe('Failed');
    expect(fixture.sink.received.map(({ path }) => path).sort()).toEqual(['/cut', '/fails', '/works']);
    expect(run.comment).toContain(String(ids[0]));
    expect(run.comment).toContain(String(ids[1]));
    expect(run.deliveries.map(({ recipientId, state }) => [recipientId, state]).sort()).toEqual(
      [
        [ids[0], 'Failed'],
        [ids[1], 'Failed'],
        [ids[2], 'Sent'],
      ].sort(),
    );
    const shown =
      (await fixture.root.get(`${history}/${run.id}`)).text + (await fixture.root.get(history)).text;
    expect(shown).not.toContain(sinkAnswerText);
    expect(shown).not.toContain(fixture.sink.url);
    for (const [id, detail] of [
      [ids[0], /"reason":"Http5xx","httpStatus":500/],
      [ids[1], /"reason":"Connection(Failed|Lost)"/],
    ] as const) {
      const logged = fixture.svc.log.filter((entry) => JSON.stringify(entry).includes(`"recipientId":${id}`));
      expect(JSON.stringify(logged)).toMatch(detail);
    }
  },
);

scenario(
  ['DL-5.4-19', 'DL-5.4-20'],
  'a failed delivery is not retried, even after its recipient is fixed; Test now and the next run create new deliveries',
  async ({ deliver }) => {
    const fixture = await deliver({ 'Svc:Subscriptions:MinimumIntervalSeconds': 1 });
    const { root, sink, svc } = fixture;
    const queryId = await fixture.addQuery('select 1 as one');
    const at = (path: string) => sink.received.filter((request) => request.path === path).length;
    /** Returns unfinished and future work, which would include a pending retry. */
    const ahead = () =>
      svc.sql(
        `select name, state::text from svc_jobs.job where queue = 'deliveries' and state not in ('Completed', 'Failed', 'Cancelled')
         union all select 'delivery', state from svc.deliveries where state not in ('Sent', 'Failed')`,
      );
    for (const answer of [503, 429, 500, 404, 'cut'] as const) {
      const path = `/broken-${answer}`;
      sink.answers.set(path, answer);
      const destination = sink.url + path;
      const recipientId = await addRecipient(root, { notificationType: 'Webhook', destination });
      const subscription = await addSubscription(root, { queryId, recipientIds: [recipientId] });
      const failed = await runNow(root, subscription);
      await expect.poll(ahead).toEqual([]);
      expect([answer, failed.status, at(path)]).toEqual([answer, 'Failed', 1]);
      const mended = `/mended-${answer}`;
      const recipient = { notificationType: 'Webhook', name: path, destination: sink.url + mended };
      expect((await root.put(`/svc/api/recipients/${recipientId}`, recipient)).status).toBe(200);
      expect([answer, await ahead(), at(mended)]).toEqual([answer, [], 0]);
      expect((await runNow(root, subscription)).status).toBe('Sent');
      expect([at(path), at(mended)]).toEqual([1, 1]);
      const { body } = await root.get(`${history}/${failed.id}`);
      expect(body).toMatchObject({ status: 'Failed', deliveries: [{ state: 'Failed', attempt: 1 }] });
    }
    // Scheduled runs after a failed run: each run sends one request.
    sink.answers.set('/next', 503);
    sink.onReceived = ({ path }) => void (path === '/next' && at(path) > 1 && sink.answers.delete(path));
    const destination = `${sink.url}/next`;
    const recipientId = await addRecipient(root, { notificationType: 'Webhook', destination });
    const cronExpression = '* * * * * *';
    const due = await addSubscription(root, { queryId, recipientIds: [recipientId], cronExpression });
    await expect.poll(() => at('/next'), { timeout: 30_000 }).toBeGreaterThan(2);
    expect((await root.delete(`/svc/api/subscriptions/${due}`)).status).toBe(204);
    const ends = async (): Promise<string[]> =>
      (await root.get(`${history}?subscriptionId=${due}&pageSize=200`)).body.items
        .map(({ status }: { status: string }) => status)
        .toReversed();
    await expect.poll(ends).not.toContain('Created');
    await expect.poll(ahead).toEqual([]);
    const [first, ...others] = await ends();
    expect([first, new Set(others)]).toEqual(['Failed', new Set(['Sent'])]);
    expect(at('/next')).toBe(1 + others.length);
  },
);

scenario(
  ['DL-3.1-01', 'DL-5.2-03'],
  'a run ends as Sent, Silenced, NoResults, BelowThreshold, Timeout or Failed',
  async ({ deliver }) => {
    const fixture = await deliver({ 'Svc:Query:MaxExecutionRows': 100 });
    const one = await fixture.addQuery('select 1 as one');
    const statusOf = async (query: number, subscription: Record<string, unknown> = {}) =>
      (await sendOnce(fixture, query, subscription)).run.status;
    expect(await statusOf(one)).toBe('Sent');
    expect(await statusOf(await fixture.addQuery('select 1 as one where false'))).toBe('NoResults');
    expect(await statusOf(one, { minimumRowCount: 2 })).toBe('BelowThreshold');
    expect(await statusOf(await fixture.addQuery('select pg_sleep(20)'), { timeoutSeconds: 1 })).toBe(
      'Timeout',
    );
    expect(await statusOf(await fixture.addQuery('select * from generate_series(1, 101)'))).toBe('Failed');
    expect(await statusOf(await fixture.addQuery('select * from nowhere'))).toBe('Failed');
    const changing = await sendOnce(fixture, one, { notificationTrigger: 'OnResultCountChange' });
    expect(changing.run.status).toBe('Sent');
    expect((await runNow(fixture.root, changing.subscriptionId)).status).toBe('Silenced');
    expect(changing.requests()).toHaveLength(1);
    // Two further statuses exist: `Created` for an unfinished run, and `Skipped` for recipients without approval.
    const document = (await fixture.root.get('/openapi/v1.json')).read<{ paths: Record<string, object> }>();
    const statuses = [
      'BelowThreshold',
      'Created',
      'Failed',
      'NoResults',
      'Sent',
      'Silenced',
      'Skipped',
      'Timeout',
    ];
    const filter = JSON.stringify(document.paths['/svc/api/notifications']);
    const enums = [...filter.matchAll(/"enum":(\[[^\]]*"BelowThreshold"[^\]]*\])/g)].map(([, list = '']) =>
      (JSON.parse(list) as string[]).toSorted(),
    );
    expect(enums.length).toBeGreaterThan(0);
    for (const list of enums) expect(list).toEqual(statuses);
  },
);

scenario(
  ['DL-2.5-01', 'DL-2.5-02', 'RT-4.3-37', 'DL-4-06'],
  'the history shows a run with its recipients, counts and times, and with its rows if they are stored',
  async ({ deliver }) => {
    const fixture = await deliver();
    const query = await fixture.addQuery('select 7 as seven', 'Stored');
    const kept = await sendOnce(fixture, query, { storeResults: true });
    const not = await sendOnce(fixture, query, { storeResults: false });
    const page = (await fixture.root.get(history)).read<{
      items: object[];
      totalCount: number;
      pageCount: number;
    }>();
    expect(page).toMatchObject({ totalCount: 2, pageCount: 1 });
    expect(page.items[0]).toMatchObject({ id: not.run.id });
    expect(page.items[1]).toMatchObject({
      id: kept.run.id,
      queryName: 'Stored',
      subscriptionId: kept.subscriptionId,
      status: 'Sent',
      resultCount: 1,
      executionTimeMs: expect.any(Number),
      createdTime: expect.any(String),
      sentAt: expect.any(String),
      recipientNames: [expect.any(String)],
    });
    expect(kept.run.deliveries[0]).toMatchObject({
      notificationType: 'Webhook',
      recipientId: kept.recipientId,
    });
    expect(kept.run.results).toMatchObject({ columns: ['seven'], rows: [[7]] });
    expect(not.run.results).toBeNull();
  },
);

scenario(
  ['DL-5.7-01', 'DL-5.7-02', 'DL-5.7-03', 'DL-5.7-04', 'DL-5.7-05', 'DL-5.7-06', 'DL-5.7-07', 'RT-4.3-38'],
  'a run is visible to readers of a project that contains all of its data sources, and to Admins',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { run } = await sendOnce(fixture, await fixture.addQuery('select 1 as one'));
    const outsider = await signIn(fixture.svc, await addUser(fixture.svc, 'outsider', ['Editor']));
    const member = await signIn(fixture.svc, await addUser(fixture.svc, 'member', ['Viewer']));
    await fixture.root.post(`/svc/api/projects/${fixture.projectId}/members`, {
      userName: 'member',
      role: 'Viewer',
    });
    const own = await addProject(outsider, 'Elsewhere');
    const program = async (projects: number[]) =>
      fixture.svc.client(`Bearer ${(await addKey(fixture.root, { scopes: ['Read'], projects })).text}`);
    await fixture.root.post(`/svc/api/projects/${fixture.projectId}/members`, {
      userName: 'root',
      role: 'Viewer',
    });
    const inside = await program([fixture.projectId]);
    const outside = await program([own]);
    const sees = async (client: typeof outsider) => {
      const list = (await client.get(history)).read<{ items: { id: number }[]; totalCount: number }>();
      const detail = (await client.get(`${history}/${run.id}`)).status;
      expect([list.items.length, list.totalCount]).toEqual(detail === 200 ? [1, 1] : [0, 0]);
      return detail;
    };
    expect(await sees(outsider)).toBe(200);
    await restrict(fixture.root, fixture.projectId);
    expect(await sees(fixture.root)).toBe(200);
    expect(await sees(member)).toBe(200);
    expect(await sees(outsider)).toBe(404);
    expect(await sees(inside)).toBe(200);
    expect(await sees(outside)).toBe(404);
    const nowhere = await program([fixture.projectId]);
    await fixture.svc.sql(
      `update svc.api_keys set allowed_project_ids = '{}' where id = (select max(id) from svc.api_keys)`,
    );
    expect(await sees(nowhere)).toBe(404);
    expect((await fixture.svc.client().get(history)).status).toBe(401);
    await fixture.svc.sql('update svc.runs set data_source_ids = null where id = $1', [run.id]);
    // The list counts by values that were stored at the end of the run.
    for (const counts of ['run_counts_open', 'run_totals', 'run_days'])
      await fixture.svc.sql(`update svc.${counts} set data_source_ids = null`);
    expect(await sees(inside)).toBe(404);
    expect(await sees(fixture.root)).toBe(200);
  },
);
