import { startLlmProvider } from '@svc/testkit/outside/llm-provider.ts';
import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const golden = '/svc/api/eval/golden';

scenario(
  ['RT-4.3-58', 'RT-4.3-59', 'RT-2-481'],
  'only an Admin can add, read, find, replace and delete golden examples',
  async ({ deliver }) => {
    const { svc, root, source, projectId, dataSourceId } = await deliver();
    await source.sql('create table invoices (id int primary key, paid boolean)');
    const example = {
      dataSourceId,
      question: 'How many invoices are open?',
      sql: 'select count(*) from invoices where not paid',
    };
    const made = await root.post(golden, { projectId, ...example });
    expect([made.status, made.body]).toMatchObject([
      201,
      { ...example, expected: 'Rows', isActive: true, isBroken: false },
    ]);
    const refused = await root.post(golden, {
      projectId,
      dataSourceId,
      question: 'Who paid?',
      sql: 'select payer from invoices',
    });
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid-golden-example']);
    const one = `${golden}/${made.body.id}`;
    const idsMatching = async (search: string) =>
      (await root.get(`${golden}?search=${search}`)).body.items.map(({ id }: { id: number }) => id);
    expect(await idsMatching('OPEN')).toEqual([made.body.id]);
    expect(await idsMatching('nothing')).toEqual([]);
    const later = { dataSourceId, question: 'How many invoices will be paid?', expected: 'NoAnswer' };
    expect((await root.put(one, later)).status).toBe(200);
    expect((await root.get(one)).body).toMatchObject({ ...later, sql: null });

    const others = ['Editor', 'Viewer', 'SecurityAdmin', 'UserAdmin', 'Auditor', 'DataSourceAdmin'] as const;
    for (const role of others) {
      const client = await signIn(svc, await addUser(svc, `a-${role.toLowerCase()}`, [role]));
      const answers = [
        await client.get(golden),
        await client.get(one),
        await client.post(golden, { projectId, ...example }),
        await client.put(one, later),
        await client.delete(one),
      ];
      expect([role, ...answers.map(({ status }) => status)]).toEqual([role, 403, 403, 403, 403, 403]);
    }
    expect((await root.delete(one)).status).toBe(204);
    expect((await root.get(one)).status).toBe(404);
  },
);

scenario(
  ['RT-4.3-482', 'RT-4.3-486'],
  'an Admin can re-check golden examples, which marks examples that the database no longer accepts',
  async ({ deliver }) => {
    const { svc, root, source, projectId, dataSourceId } = await deliver();
    await source.sql('create table invoices (id int primary key); create table parts (id int primary key)');
    const add = async (table: string): Promise<number> => {
      const question = `How many ${table} are there?`;
      const sql = `select count(*) from ${table}`;
      return (await root.post(golden, { projectId, dataSourceId, question, sql })).body.id;
    };
    const [invoices, parts] = [await add('invoices'), await add('parts')];
    await source.sql('alter table parts rename to spares');
    const editor = await signIn(svc, await addUser(svc, 'an-editor', ['Editor']));
    expect((await editor.post(`${golden}/recheck`, { projectId })).status).toBe(403);
    const broken = async () =>
      (await root.get(`${golden}?brokenOnly=true`)).body.items.map(({ id }: { id: number }) => id);
    expect(await broken()).toEqual([]);
    const rechecked = await root.post(`${golden}/recheck`, { projectId });
    expect([rechecked.status, rechecked.body]).toEqual([
      200,
      { checkedCount: 2, brokenCount: 1, uncheckedCount: 0, remainingCount: 0 },
    ]);
    expect(await broken()).toEqual([parts]);
    expect((await root.get(`${golden}/${parts}`)).body.brokenReason).toContain('parts');
    expect((await root.get(`${golden}/${invoices}`)).body).toMatchObject({ isBroken: false });
    await source.sql('alter table spares rename to parts');
    await root.post(`${golden}/recheck`, {});
    expect(await broken()).toEqual([]);
  },
);

scenario(
  ['RT-4.3-963'],
  'a schema change marks golden examples as broken, and its reversal marks them as valid, without a re-check request',
  async ({ deliver }) => {
    const { root, svc, source, projectId, dataSourceId } = await deliver();
    const refresh = async () => {
      // The service allows one forced refresh in 30 s.
      await svc.database.query('update svc.data_sources set metadata_refresh_asked_at = null');
      expect((await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`, {})).status).toBe(
        200,
      );
    };
    await source.sql('create table invoices (id int); create table parts (id int)');
    await refresh();
    const add = async (table: string): Promise<number> => {
      const sql = `select count(*) from ${table}`;
      const body = { projectId, dataSourceId, question: `How many ${table}?`, sql };
      const made = await root.post(golden, body);
      expect(made.status, made.text).toBe(201);
      return made.body.id;
    };
    const [invoices, parts] = [await add('invoices'), await add('parts')];
    const reasonOf = async (id: number): Promise<string | null> =>
      (await root.get(`${golden}/${id}`)).body.brokenReason;
    await source.sql('alter table parts rename to spares');
    await refresh();
    expect(await until('a broken example', async () => (await reasonOf(parts)) ?? undefined)).toContain(
      'parts',
    );
    expect(await reasonOf(invoices)).toBe(null);
    await source.sql('alter table spares rename to parts');
    await refresh();
    await until('a sound example', async () => (await reasonOf(parts)) === null || undefined);
  },
);

const written = (sql: string | null) => ({
  kind: sql === null ? 'CannotAnswer' : 'Sql',
  sql,
  assumptions: [],
  question: null,
  options: [],
  missing: null,
});

scenario(
  ['RT-4.3-480', 'RT-4.3-481', 'RT-4.3-483', 'RT-4.3-484', 'RT-4.3-485', 'RT-4.3-487', 'RT-2-482'],
  'only an Admin can read feedback on answers, create examples from it, and evaluate them',
  async ({ deliver, onEnd }) => {
    const provider = await startLlmProvider();
    onEnd(provider.close);
    const { svc, root, source, projectId, dataSourceId } = await deliver({
      'Svc:LLM:TrustedHosts': ['127.0.0.1'],
      'Svc:LLM:Provider': 'OpenAiCompatible',
      'Svc:LLM:Endpoint': `${provider.origin}/v1`,
      'Svc:LLM:Model': 'script',
    });
    await source.sql('create table parts (id int primary key); insert into parts values (1), (2)');
    await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`, {});
    const ended = (path: string) =>
      until('an end', async () => {
        const { body } = await root.get(path);
        return body.finishedAt === null ? undefined : body;
      });
    const asking = await root.post('/svc/api/ask/conversations', { projectId });
    for (const [question, sql] of [
      ['How many parts?', 'select count(*) from parts'],
      ['Which part is first?', 'select min(id) from parts'],
    ] as const) {
      await provider.script(written(sql));
      const place = `/svc/api/ask/conversations/${asking.body.id}/questions`;
      const { id } = (await root.post(place, { question })).body;
      await ended(`/svc/api/ask/answers/${id}`);
      await root.post(`/svc/api/ask/answers/${id}/feedback`, { verdict: 'Right', comment: question });
    }
    const feedback = await root.get(`/svc/api/eval/feedback?projectId=${projectId}`);
    expect(feedback.body.items.map(({ comment }: { comment: string }) => comment).sort()).toEqual([
      'How many parts?',
      'Which part is first?',
    ]);
    const candidates = await root.get(`/svc/api/eval/candidates?projectId=${projectId}`);
    const [one, other] = candidates.body.items as { id: number; question: string; sql: string }[];
    expect([candidates.body.totalCount, one?.sql]).toEqual([2, expect.stringContaining('from parts')]);
    const act = (id: number | undefined, what: string) => `/svc/api/eval/candidates/${id}/${what}`;
    expect((await root.post(act(one?.id, 'promote'), {})).status).toBe(201);
    expect((await root.post(act(other?.id, 'dismiss'), undefined)).status).toBe(204);
    expect((await root.get(golden)).body.items).toMatchObject([{ question: one?.question }]);

    const runs = '/svc/api/eval/runs';
    await provider.script(written(one?.sql ?? null));
    const right = await root.post(runs, { projectId });
    expect(await ended(`${runs}/${right.body.id}`)).toMatchObject({ state: 'Completed', accuracy: 1 });
    await provider.script(written(null));
    const mute = await root.post(runs, { projectId });
    expect(await ended(`${runs}/${mute.body.id}`)).toMatchObject({ state: 'Completed', accuracy: 0 });
    const results = await root.get(`${runs}/${mute.body.id}/results`);
    expect(results.body.items).toMatchObject([{ verdict: 'Abstained', question: one?.question }]);
    expect(
      (await root.get(`${runs}/${right.body.id}/compare?with=${mute.body.id}`)).body.improved,
    ).toHaveLength(1);

    const admin = await signIn(svc, await addUser(svc, 'e-admin', ['Admin']));
    for (const path of ['/svc/api/eval/feedback', '/svc/api/eval/candidates', runs])
      expect([path, (await admin.get(path)).status]).toEqual([path, 200]);
    const others = [
      'Editor',
      'Viewer',
      'SecurityAdmin',
      'Auditor',
      'DataSourceAdmin',
      'UserAdmin',
      'Approver',
      'MigrationOperator',
    ] as const;
    for (const role of others) {
      const client = await signIn(svc, await addUser(svc, `e-${role.toLowerCase()}`, [role]));
      const answers = [
        await client.get('/svc/api/eval/feedback'),
        await client.get('/svc/api/eval/candidates'),
        await client.post(act(one?.id, 'promote'), {}),
        await client.post(act(other?.id, 'dismiss'), undefined),
        await client.get(runs),
        await client.post(runs, { projectId }),
        await client.get(`${runs}/${right.body.id}`),
        await client.get(`${runs}/${right.body.id}/results`),
        await client.get(`${runs}/${right.body.id}/compare?with=${mute.body.id}`),
        await client.post(`${runs}/${right.body.id}/cancel`, undefined),
      ];
      expect([role, ...answers.map(({ status }) => status)]).toEqual([role, ...Array(10).fill(403)]);
    }
  },
);

scenario(
  ['RT-4.3-844', 'RT-4.3-845', 'RT-4.3-846'],
  'an Admin schedules evaluations of a project, which notify once of an accuracy below the target',
  async ({ deliver, onEnd }) => {
    const provider = await startLlmProvider();
    onEnd(provider.close);
    const { svc, root, source, projectId, dataSourceId } = await deliver({
      'Svc:LLM:TrustedHosts': ['127.0.0.1'],
      'Svc:LLM:Provider': 'OpenAiCompatible',
      'Svc:LLM:Endpoint': `${provider.origin}/v1`,
      'Svc:LLM:Model': 'script',
    });
    await source.sql('create table parts (id int primary key); insert into parts values (1), (2)');
    await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`, {});
    const sql = 'select count(*) from parts';
    await root.post(golden, { projectId, dataSourceId, question: 'How many parts?', sql });
    const schedule = '/svc/api/eval/schedule';
    const wanted = { projectId, cronExpression: '0 4 * * *', timeZone: 'UTC', minAccuracy: 0.9 };
    const saved = await root.put(schedule, wanted);
    expect([saved.status, saved.body]).toMatchObject([
      200,
      { minAccuracy: 0.9, isBelow: false, schedule: { cronExpression: '0 4 * * *' } },
    ]);
    const runs = async () => (await root.get(`/svc/api/eval/runs?projectId=${projectId}`)).body;
    const due = async (answer: string) => {
      const before: number | undefined = (await runs()).items[0]?.id;
      await provider.script(written(answer));
      await svc.sql(
        `update svc_jobs.schedule set next_due_at = date_trunc('milliseconds', now()) where key = $1`,
        [`evaluation:${projectId}`],
      );
      await until('an evaluation', async () => {
        const [last] = (await runs()).items;
        return last !== undefined && last.id !== before && last.finishedAt !== null ? true : undefined;
      });
    };
    const noticeKinds = async () =>
      (await root.get('/svc/api/notices')).body.items.map(({ kind }: { kind: string }) => kind);
    await due('select 0');
    await due('select 0');
    expect(await noticeKinds()).toEqual(['AccuracyDropped']);
    await due(sql);
    await due(sql);
    expect(await noticeKinds()).toEqual(['AccuracyRecovered', 'AccuracyDropped']);

    for (const role of ['Editor', 'SecurityAdmin', 'Auditor'] as const) {
      const client = await signIn(svc, await addUser(svc, `s-${role.toLowerCase()}`, [role]));
      const answers = [
        await client.get(schedule),
        await client.put(schedule, wanted),
        await client.delete(`${schedule}?projectId=${projectId}`),
      ];
      expect([role, ...answers.map(({ status }) => status)]).toEqual([role, 403, 403, 403]);
    }
    expect((await root.delete(`${schedule}?projectId=${projectId}`)).status).toBe(204);
    expect((await root.get(schedule)).body.items).toEqual([]);
  },
);

scenario(
  ['RT-4.3-1479'],
  'an evaluation of all projects omits the questions of a project after its archival',
  async ({ deliver, onEnd }) => {
    const provider = await startLlmProvider();
    onEnd(provider.close);
    const { root, source, projectId, dataSourceId } = await deliver({
      'Svc:LLM:TrustedHosts': ['127.0.0.1'],
      'Svc:LLM:Provider': 'OpenAiCompatible',
      'Svc:LLM:Endpoint': `${provider.origin}/v1`,
      'Svc:LLM:Model': 'script',
      'Svc:LLM:CallsPerMinute': 6_000,
    });
    await source.sql('create table parts (id int primary key)');
    await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`);
    const { id: archived } = (await root.post('/svc/api/projects', { name: 'Archived later' })).body;
    expect((await root.post(`/svc/api/projects/${archived}/data-sources`, { dataSourceId })).status).toBe(
      201,
    );
    for (const [of, question] of [
      [projectId, 'How many parts?'],
      [archived, 'How many secret parts?'],
    ] as const) {
      const example = { projectId: of, dataSourceId, question, expected: 'NoAnswer' };
      expect((await root.post(golden, example)).status).toBe(201);
    }
    const none = {
      kind: 'CannotAnswer',
      sql: null,
      assumptions: [],
      question: null,
      options: [],
      missing: 'No.',
    };
    await provider.script(none, none);
    const path = `/svc/api/eval/runs/${(await root.post('/svc/api/eval/runs', {})).body.id}`;
    await until('the end of the evaluation', async () =>
      (await root.get(path)).body.state === 'Completed' ? true : undefined,
    );
    const questions = async () =>
      (await root.get(`${path}/results?sort=question`)).body.items.map(
        ({ question }: { question: string }) => question,
      );
    expect(await questions()).toEqual(['How many parts?', 'How many secret parts?']);
    expect((await root.delete(`/svc/api/projects/${archived}`)).status).toBe(204);
    expect(await questions()).toEqual(['How many parts?']);
  },
);
