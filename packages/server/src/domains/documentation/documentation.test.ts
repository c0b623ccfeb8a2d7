import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: RunFixture;
let path: string;
beforeAll(async () => {
  fixture = await startRunFixture();
  path = `/svc/api/projects/${fixture.projectId}/documentation`;
});
afterAll(() => fixture.close());

type Section = {
  kind: string;
  content: string;
  provenance: string;
  proposedContent: string | null;
  version: number;
};
const sections = async (): Promise<Section[]> => (await fixture.root.get(path)).body.sections;
const section = async (kind: string): Promise<Section> => {
  const match = (await sections()).find((one) => one.kind === kind);
  if (!match) throw new Error(`There is no section ${kind}.`);
  return match;
};
async function generate(): Promise<void> {
  const { status, body } = await fixture.root.post(
    `/svc/api/projects/${fixture.projectId}/generate-documentation`,
  );
  expect([status, typeof body.jobId]).toEqual([202, 'string']);
  const ended = await until('the documentation', async () => {
    const { generation } = (await fixture.root.get(path)).body;
    return generation.jobId === body.jobId && generation.finishedAt !== null ? generation : undefined;
  });
  expect(ended).toMatchObject({
    state: 'Completed',
    isModelAsked: false,
    tablesToDescribe: 0,
    failure: null,
  });
}

describe('documentation from records', () => {
  test('is empty before the first generation, and then contains the data of the records', async () => {
    expect((await fixture.root.get(path)).body).toEqual({
      projectId: fixture.projectId,
      generatedAt: null,
      sections: [],
      generation: null,
    });
    // An unreachable data source next to one without a snapshot.
    const { connection } = (await fixture.root.get(`/svc/api/data-sources/${fixture.sourceId}`)).body;
    const { id: dataSourceId } = await fixture.make('/svc/api/data-sources', {
      name: 'Gone',
      engine: 'PostgreSQL',
      connection: { ...connection, password: 'none' },
    });
    const linked = await fixture.root.post(`/svc/api/projects/${fixture.projectId}/data-sources`, {
      dataSourceId,
    });
    expect(linked.status, linked.text).toBeLessThan(300);
    await generate();
    const first = (await section('DataModel')).content;
    expect(first).toMatch(/### Gone \(PostgreSQL\)\n\nIts tables were not read yet\./);
    expect(first).toContain('#### `public.orders`');
    expect(first.match(/not read yet/g)).toHaveLength(1);
    expect((await sections()).map(({ kind, provenance }) => `${kind} ${provenance}`)).toEqual([
      'DataModel Facts',
      'DataFlows Facts',
      'CodeLineage Facts',
      'DataQuality Facts',
    ]);

    await fixture.shop.query(`create table lines (id int primary key, order_id int references orders);
      comment on table lines is 'What was ordered | <b>of it</b>'`);
    expect(
      (await fixture.root.post(`/svc/api/data-sources/${fixture.sourceId}/refresh-metadata`)).status,
    ).toBe(200);
    const queryId = await fixture.addQuery('select id from orders', {
      name: 'Late orders',
      description: 'Who waits',
    });
    const recipientIds = [await fixture.addRecipient()];
    await fixture.addSubscription({ queryId, recipientIds, cronExpression: '0 6 * * *' });
    await fixture.make('/svc/api/data-quality/contracts', {
      projectId: fixture.projectId,
      dataSourceId: fixture.sourceId,
      schemaName: 'public',
      tableName: 'orders',

      name: 'Orders hold',
      rules: [{ name: 'Small', type: 'Range', columns: ['total'], config: { max: 10 } }],
    });
    await generate();
    const model = (await section('DataModel')).content;
    expect(model).toContain('#### `public.lines`');
    expect(model).toContain('| `order_id` | integer | yes | refers to `public.orders.id` |');
    expect(model).toContain('| `email` | text | no | personal, masked |');
    expect(model).toContain('What was ordered \\| \\<b\\>of it\\</b\\>');
    expect(model).toContain('- `public.lines (order_id)` to `public.orders (id)`');
    const flows = (await section('DataFlows')).content;
    expect(flows).toContain('**Late orders**: Who waits');
    expect(flows).toContain('on the schedule `0 6 * * *`, to Webhook');
    expect((await section('DataQuality')).content).toMatch(
      /### Orders hold\n\nOf `public\.orders` in .*Not evaluated yet\./,
    );
    expect((await section('CodeLineage')).content).toContain('No repository');
  });

  test('never overwrites the text of a user: new text is a proposal that can be accepted or discarded', async () => {
    await generate();
    const before = await section('DataFlows');
    const headers = { 'if-match': `"${before.version}"` };
    const written = await fixture.root.put(`${path}/DataFlows`, { content: 'By hand.' }, { headers });
    expect(written.body).toMatchObject({
      content: 'By hand.',
      provenance: 'Person',
      editedByUserName: 'root',
    });
    const late = await fixture.root.put(`${path}/DataFlows`, { content: 'Too late.' }, { headers });
    expect(late.status).toBe(412);

    await generate();
    const beside = await section('DataFlows');
    expect(beside).toMatchObject({ content: 'By hand.', proposedContent: before.content });
    const stale = await fixture.root.delete(`${path}/DataFlows/proposal`, { headers });
    expect(stale.status).toBe(412);
    expect((await fixture.root.delete(`${path}/DataFlows/proposal`)).status).toBe(204);
    expect(await section('DataFlows')).toMatchObject({ content: 'By hand.', proposedContent: null });

    await generate();
    const { proposedContent } = await section('DataFlows');
    const taken = await fixture.root.put(`${path}/DataFlows`, { content: proposedContent });
    expect(taken.body).toMatchObject({ provenance: 'Facts', proposedContent: null, editedByUserName: null });
    await fixture.addQuery('select 1 as one', { name: 'One more' });
    await generate();
    expect((await section('DataFlows')).content).toContain('**One more**');
  });

  test('is exported as one file, in which HTML in texts has no effect', async () => {
    const hostile = '<script>alert(1)</script> [x](javascript:alert(1)) ![i](https://evil.example/i.png)';
    await fixture.root.put(`${path}/CodeLineage`, { content: hostile });
    const markdown = await fixture.root.get(`${path}/export`);
    expect(markdown.headers.get('content-type')).toContain('text/markdown');
    expect(markdown.headers.get('content-disposition')).toMatch(/^attachment; filename=".*\.md"/);
    expect(markdown.text).toContain('## Data model');
    const html = await fixture.root.get(`${path}/export?format=Html`);
    expect(html.headers.get('content-type')).toContain('text/html');
    expect(html.text).toContain('<h2>Data model</h2>');
    expect(html.text).not.toMatch(/<script|<img|href="javascript/i);
    expect(html.text).toContain("default-src 'none'");
  });
});

describe('status 400, 403 and 404', () => {
  test('refuses an unknown kind, a text that is too long and an unknown format', async () => {
    const answers = await Promise.all([
      fixture.root.put(`${path}/Overview`, { content: 'x' }),
      fixture.root.put(`${path}/DataModel`, { content: 'x'.repeat(500_001) }),
      fixture.root.get(`${path}/export?format=Pdf`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 400, 400]);
    await fixture.svc.database.query(`delete from svc.documentation_sections where kind = 'DataQuality'`);
    expect((await fixture.root.delete(`${path}/DataQuality/proposal`)).status).toBe(404);
    // A missing section has no version that a caller could expect.
    const expected = await fixture.root.put(
      `${path}/DataQuality`,
      { content: 'x' },
      { headers: { 'if-match': '"1"' } },
    );
    expect(expected.status).toBe(412);
  });

  test('a Viewer can read the documentation but cannot change it', async () => {
    const viewer = await signIn(fixture.svc, await addUser(fixture.svc, 'reader', ['Viewer']));
    expect((await viewer.get(path)).status).toBe(200);
    const refused = await Promise.all([
      viewer.put(`${path}/DataModel`, { content: 'x' }),
      viewer.delete(`${path}/DataModel/proposal`),
      viewer.post(`/svc/api/projects/${fixture.projectId}/generate-documentation`),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect((await fixture.root.get('/svc/api/projects/999999/documentation')).status).toBe(404);
  });
});
