import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { addKey, addUser, signIn } from '@svc/testkit/people/people.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const queries = '/svc/api/queries';
type Listed = { items: { id: number; name: string }[] };

scenario(
  ['RT-4.3-24', 'RT-4.3-27', 'RT-2-09'],
  'a SecurityAdmin publishes a query, an MCP client calls its pinned version, and the query is unpublished',
  async ({ deliver }) => {
    const { svc, root, projectId, addQuery } = await deliver();
    const id = await addQuery("select 'first' as said", 'What is said');
    const tool = `${queries}/${id}/mcp-tool`;
    const editor = await signIn(svc, await addUser(svc, 'tool-editor', ['Editor']));
    const security = await signIn(svc, await addUser(svc, 'tool-security', ['SecurityAdmin']));
    const publication = { isEnabled: true, name: 'what_is_said' };
    expect((await editor.put(tool, publication)).status).toBe(403);
    expect((await editor.get(tool)).body).toMatchObject({ isEnabled: false });
    expect((await security.put(tool, publication)).body).toMatchObject({
      toolName: 'q_what_is_said',
      versionNumber: 1,
      isNewest: true,
    });

    const { text } = await addKey(editor, { scopes: ['Execute'], projects: [projectId] });
    const client = new Client({ name: 'scenario', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    const requestInit = { headers: { authorization: `Bearer ${text}` } };
    const endpoint = new URL(`${svc.origin}/svc/mcp`);
    await client.connect(new StreamableHTTPClientTransport(endpoint, { requestInit }));
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    expect(await names()).toContain('q_what_is_said');
    const others = [editor, svc.client(requestInit.headers.authorization)];
    for (const role of ['Viewer', 'UserAdmin', 'Auditor', 'Approver', 'DataSourceAdmin'] as const)
      others.push(await signIn(svc, await addUser(svc, `tool-${role.toLowerCase()}`, [role])));
    for (const other of others)
      for (const change of [{ isEnabled: false }, { ...publication, name: 'something_else' }])
        expect((await other.put(tool, change)).status).toBe(403);
    expect(await names()).toContain('q_what_is_said');

    const stored = (await editor.get(`${queries}/${id}`)).read<{ name: string; steps: object[] }>();
    const steps = stored.steps.map((step) => ({
      dataSourceId: (step as { dataSourceId: number }).dataSourceId,
      sql: "select 'second' as said",
    }));
    expect((await editor.put(`${queries}/${id}`, { name: stored.name, steps })).status).toBe(200);
    const said = await client.callTool({ name: 'q_what_is_said', arguments: {} });
    expect(said.structuredContent).toMatchObject({ versionNumber: 1, rows: [['first']] });

    expect((await root.put(tool, { isEnabled: false })).status).toBe(200);
    expect(await names()).not.toContain('q_what_is_said');
    await client.close();
  },
);

scenario(
  ['RT-4.3-420', 'RT-4.3-421', 'RT-4.3-422', 'RT-4.3-423', 'RT-4.3-424', 'RT-2-421'],
  'a query can be created, listed, read in detail, updated, locked and unlocked',
  async ({ deliver }) => {
    const { root, projectId, dataSourceId } = await deliver();
    const steps = [{ dataSourceId, sql: 'select 1 as n' }];
    const made = await root.post(queries, { projectId, name: 'One', steps });
    expect(made.status, made.text).toBe(201);
    const { id } = made.read<{ id: number }>();
    const { items } = (await root.get(`${queries}?projectId=${projectId}`)).read<Listed>();
    expect(items.map((item) => [item.id, item.name])).toEqual([[id, 'One']]);
    const query = `${queries}/${id}`;
    expect((await root.get(query)).body).toMatchObject({ name: 'One', steps: [{ sql: 'select 1 as n' }] });
    const changed = { name: 'Two', steps: [{ dataSourceId, sql: 'select 2 as n' }] };
    expect((await root.put(query, changed)).body).toMatchObject({ name: 'Two', versionNumber: 2 });
    expect((await root.get(query)).body).toMatchObject({ name: 'Two', steps: [{ sql: 'select 2 as n' }] });
    for (const isLocked of [true, false]) {
      expect((await root.post(`${query}/lock`, { isLocked })).body).toMatchObject({ isLocked });
      expect((await root.get(query)).body).toMatchObject({ isLocked });
    }
  },
);

scenario(
  ['RT-4.3-425', 'RT-4.3-426'],
  'a query can be previewed as a whole or as a single step',
  async ({ deliver }) => {
    const { root, projectId, dataSourceId } = await deliver();
    const steps = [1, 2].map((n) => ({ dataSourceId, sql: `select ${n} as n` }));
    const finalQuery = 'select a.n + b.n as sum from step1 a, step2 b';
    const { id } = (await root.post(queries, { projectId, name: 'Sum', steps, finalQuery })).body;
    expect((await root.post(`${queries}/${id}/preview`, {})).body).toMatchObject({ rows: [[3]] });
    expect((await root.post(`${queries}/${id}/steps/2/preview`, {})).body).toMatchObject({ rows: [[2]] });
  },
);

scenario(
  ['RT-4.3-1071'],
  'an address remains masked regardless of the column names that FROM assigns',
  async ({ deliver }) => {
    const { root, source, projectId, dataSourceId } = await deliver();
    await source.sql('create table people (id int, name text, address text)');
    await source.sql("insert into people values (1, 'Ann', '1 Main Street')");
    const preview = async (sql: string, finalQuery?: string) => {
      const steps = [{ name: 'one', dataSourceId, sql }];
      const { body } = await root.post(`${queries}/preview`, { projectId, steps, finalQuery });
      return body.rows ?? body;
    };
    for (const from of [
      'people t (id, name, v)',
      'people as t (id, name, v)',
      'people, lateral (values (address)) t (v)',
      'people, unnest(array[address]) t (v)',
      'people, lateral (select address) t (v)',
      "(select value as v from people, json_each_text(to_json(people)) where key = 'address') t",
    ])
      for (const shown of ['t.v', 'upper(t.v)'])
        expect([from, await preview(`select ${shown} as told from ${from}`)]).toEqual([
          from,
          [[expect.stringMatching(/^1\*\*\*[tT]$/)]],
        ]);
    const joined = [
      "select columns('addr.*') as told from one",
      'select address as a, a as told from one',
      'select t.v from one t (id, name, v)',
      'select value from (unpivot (select address from one) on columns(*) into name key value value)',
    ];
    for (const final of joined)
      expect([final, (await preview('select * from people', final))[0].at(-1)]).toEqual([final, '1***t']);
    expect(await preview('select t.v from people t (id, v, address)')).toEqual([['Ann']]);
  },
);

scenario(
  ['RT-4.3-1096', 'RT-4.3-1097'],
  'counts over personal columns are not masked, also with a star, and a masked column names its source',
  async ({ deliver }) => {
    const { root, source, projectId, dataSourceId } = await deliver();
    await source.sql('create table people (id int, boss_id int, address text)');
    await source.sql("insert into people values (1, 7, '1 Main Street'), (2, 7, '2 Main Street')");
    await source.sql('create view homes as select id, address as place from people');
    const columnsOf = async (sql: string) => {
      const { body } = await root.post(`${queries}/preview`, { projectId, steps: [{ dataSourceId, sql }] });
      return body.columns;
    };
    const counted =
      'with m as (select boss_id, count(address) n, sum(id) total from people group by 1) select * from m';
    const clear = { isMasked: false, maskedReason: null };
    expect(await columnsOf(counted)).toMatchObject([clear, clear, clear]);
    expect(await columnsOf('select id, upper(place) as x from homes')).toMatchObject([
      clear,
      { isMasked: true, maskedReason: expect.stringContaining('Values of people.address flow into') },
    ]);
  },
);

scenario(
  ['RT-4.3-1480'],
  'an address in JSON is masked in columns of JSON and of text, and the other members keep their digits',
  async ({ deliver }) => {
    const { root, source, projectId, dataSourceId } = await deliver();
    const document = (address: string) =>
      `{"id": 12345678901234567890, "price": 1.10, "address": "${address}", "address": null}`;
    await source.sql('create table events (id int, data json, note text)');
    await source.sql(
      `insert into events values (1, '${document('1 Main Street')}', '${document('1 Main Street')}')`,
    );
    const rowsOf = async (sql: string, finalQuery?: string) => {
      const steps = [{ name: 'one', dataSourceId, sql }];
      return (await root.post(`${queries}/preview`, { projectId, steps, finalQuery })).body.rows;
    };
    const masked = document('1***t');
    expect(await rowsOf('select data, note from events')).toEqual([[masked, masked]]);
    expect(await rowsOf('select * from events', 'select note as n from one')).toEqual([[masked]]);
  },
);
