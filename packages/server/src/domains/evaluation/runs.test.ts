import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type EvaluationFixture,
  goldenPath,
  runsPath,
  startEvaluationFixture,
  writes,
} from './testing/evaluation-fixture.ts';

let fixture: EvaluationFixture;
beforeAll(async () => {
  fixture = await startEvaluationFixture();
});
afterAll(async () => fixture?.close());

describe('an evaluation', () => {
  test('is cancelled once, and a second cancellation gets 409', async () => {
    await fixture.provider.script(writes('select pg_sleep(30)'));
    const { body } = await fixture.root.post(runsPath, { projectId: fixture.projectId });
    expect((await fixture.root.post(`${runsPath}/${body.id}/cancel`, undefined)).status).toBe(204);
    const again = await fixture.root.post(`${runsPath}/${body.id}/cancel`, undefined);
    expect([again.status, again.body.code]).toEqual([409, 'eval-run-ended']);
    expect((await fixture.root.get(`${runsPath}/${body.id}`)).body.state).toBe('Cancelled');
  });

  test('of an archived project is hidden from reads and lists, but can still be cancelled', async () => {
    const { root, projectId, svc } = fixture;
    const setArchived = (isArchived: boolean) =>
      svc.database.query('update svc.projects set archived_at = case when $2 then now() end where id = $1', [
        projectId,
        isArchived,
      ]);
    await fixture.provider.script(writes('select pg_sleep(25)'));
    const { body } = await root.post(runsPath, { projectId });
    // An evaluation that starts after the archival has no examples and ends.
    await until('the statement of the first question', async () => {
      const { rowCount } = await fixture.shop.query(
        `select from pg_stat_activity where state = 'active' and query like $1 and datname = current_database()`,
        ['%pg_sleep(25)%'],
      );
      return rowCount === 1 || undefined;
    });
    await setArchived(true);
    try {
      expect((await root.get(`${runsPath}/${body.id}`)).status).toBe(404);
      const cancelled = await root.post(`${runsPath}/${body.id}/cancel`, undefined);
      expect(cancelled.status, cancelled.text).toBe(204);
      const again = await root.post(`${runsPath}/${body.id}/cancel`, undefined);
      expect([again.status, again.body.code]).toEqual([409, 'eval-run-ended']);
      const listed = (await root.get(`${runsPath}?pageSize=200`)).body.items as { id: number }[];
      expect(listed.map(({ id }) => id)).not.toContain(body.id);
    } finally {
      await setArchived(false);
    }
    expect((await root.get(`${runsPath}/${body.id}`)).body.state).toBe('Cancelled');
    expect((await root.post(`${runsPath}/2000000000/cancel`, undefined)).status).toBe(404);
  });

  test('of all projects shows no question of an archived project, neither as a result nor in a comparison', async () => {
    const { root, projectId, sourceId, svc } = fixture;
    const other = (await fixture.make('/svc/api/projects', { name: 'Archived later' })).id;
    const link = await root.post(`/svc/api/projects/${other}/data-sources`, { dataSourceId: sourceId });
    expect(link.status, link.text).toBe(201);
    const question = 'How many orders does the other project have?';
    const made = await root.post(goldenPath, {
      projectId: other,
      dataSourceId: sourceId,
      question,
      sql: 'select count(*) from orders',
    });
    expect(made.status, made.text).toBe(201);
    const [example] = (await root.get(`${goldenPath}?projectId=${projectId}`)).body.items;
    const goldenIds = [made.body.id, example.id];
    const insert = async (passed: boolean): Promise<number> => {
      const { rows } = await svc.database.query(
        `with run as (insert into svc.eval_runs (golden_ids, repeats, state, finished_at)
            values ($1, 1, 'Completed', now()) returning id)
          insert into svc.eval_results (run_id, golden_id, repeat_no, question, expected, verdict, repairs, input_tokens,
            output_tokens, duration_ms)
          select run.id, g.id, 1, g.question, g.expected, $2, 0, 0, 0, 0 from run, svc.golden_examples g
          where g.id = any($1) returning run_id as "runId"`,
        [goldenIds, passed ? 'Passed' : 'WrongRows'],
      );
      return rows[0].runId;
    };
    const [first, second] = [await insert(true), await insert(false)];
    const read = async () => ({
      results: (await root.get(`${runsPath}/${first}/results?sort=question`)).body,
      compared: (await root.get(`${runsPath}/${first}/compare?with=${second}`)).body,
    });
    const before = await read();
    expect(before.results.totalCount).toBe(2);
    expect(before.compared.improved).toEqual(expect.arrayContaining(goldenIds));
    expect((await root.delete(`/svc/api/projects/${other}`)).status).toBe(204);
    const after = await read();
    expect(after.results).toMatchObject({ totalCount: 1, items: [{ goldenExampleId: example.id }] });
    expect(after.compared).toMatchObject({ improved: [example.id], sameCount: 0, onlyHereCount: 0 });
  });

  test('fails if the provider refuses every question for the same reason', async () => {
    const { root } = fixture;
    const connect = (model: string) =>
      root.put('/svc/api/admin-settings', {
        llmConnection: { provider: 'OpenAiCompatible', endpoint: `${fixture.provider.origin}/v1`, model },
      });
    expect((await connect('status-401')).status).toBe(200);
    const { run } = await fixture.evaluate([]);
    await connect('script');
    expect(run).toMatchObject({ state: 'Failed', doneCount: 0, accuracy: null });
    expect(run.failure).toBe('The provider of the language model refused the key.');
  });

  test('is refused with 400 without golden examples', async () => {
    const refused = await fixture.root.post(runsPath, { goldenIds: [999_999] });
    expect([refused.status, refused.body.code]).toEqual([400, 'no-golden-examples']);
  });
});
