import { addKey } from '@svc/testkit/people/people.ts';
import { person } from '@svc/testkit/runs/approve.ts';
import type { DeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { expect } from 'vitest';
import { learn } from '../support/learn.ts';
import { scenario } from '../support/scenario.ts';

const mcp = '/svc/api/mcp';
const patterns = `${mcp}/learned-patterns`;
const patches = `${mcp}/documentation-patches`;

type Pattern = { id: number; kind: string; text: string; state: string };

/** Returns an AI client of the project, with a new key of the owner. */
async function clientOf({ svc, projectId }: DeliveryFixture, owner: DeliveryFixture['root']) {
  const { text } = await addKey(owner, { scopes: ['Execute'], projects: [projectId] });
  const client = svc.client(`Bearer ${text}`);
  return {
    call: async (name: string, args: Readonly<Record<string, unknown>> = {}): Promise<string> => {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      const { status, body } = await client.post('/svc/mcp', message);
      expect(status).toBe(200);
      return JSON.stringify(body);
    },
  };
}

scenario(
  ['RT-4.3-542', 'RT-4.3-543', 'RT-4.3-544', 'RT-4.3-547', 'RT-4.3-548', 'RT-4.3-549'],
  'questions of clients become patterns of names, which are sent after approval by a writer, and notes that replace nothing',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root, source, projectId, dataSourceId } = fixture;
    await source.sql(
      `create table guests (id int primary key, full_name text); create table stays (id int, guest int, nights int)`,
    );
    expect((await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`, {})).status).toBe(200);
    const [editor, viewer, stranger] = [
      await person(fixture, 'Editor'),
      await person(fixture, 'Viewer'),
      await person(fixture, 'Editor'),
    ];
    const ids = await Promise.all(
      [editor, viewer].map(async (one) => (await one.get('/svc/api/user-settings')).body.userName as string),
    );
    for (const [at, role] of ['Editor', 'Viewer'].entries())
      await root.post(`/svc/api/projects/${projectId}/members`, { userName: ids[at], role });
    await root.put(`/svc/api/projects/${projectId}/access-mode`, { accessMode: 'Restricted' });

    const one = await clientOf(fixture, editor);
    const other = await clientOf(fixture, root);
    for (const client of [one, other]) {
      await client.call('query', { sql: `select guest_nme from guests where id = 4711 /* planted words */` });
      await client.call('query', { sql: `select full_name as "planted alias" from guests where id = 4711` });
    }
    for (const client of [one, other, one])
      await client.call('query', {
        sql: `select 'planted value' from stays s join guests g on g.id = s.guest where nights > 4711`,
      });
    await learn(fixture, 7);

    const learnedPatterns: Pattern[] = (await viewer.get(`${patterns}?projectId=${projectId}`)).body.items;
    expect(learnedPatterns.map(({ kind, state }) => `${kind} ${state}`).sort()).toEqual([
      'CommonQuery Proposed',
      'JoinPattern Proposed',
      'SchemaCorrection Proposed',
    ]);
    for (const word of ['planted', '4711']) expect(JSON.stringify(learnedPatterns)).not.toContain(word);
    const join = learnedPatterns.find(({ kind }) => kind === 'JoinPattern');
    const decide = `${patterns}/${join?.id}/status`;
    const approve = { newStatus: 'Approved' };
    expect((await viewer.put(decide, approve)).status).toBe(403);
    expect((await stranger.put(decide, approve)).status).toBe(404);
    expect((await stranger.get(patterns)).body.totalCount).toBe(0);
    expect(await one.call('get_context')).not.toContain('public.guests.id joins');
    const approved = await editor.put(decide, approve);
    expect(approved.body).toMatchObject({ state: 'Approved', replay: { exampleCount: 0 } });
    expect(await one.call('get_context')).toContain('public.guests.id joins public.stays.guest.');

    const notes = `/svc/api/projects/${projectId}/documentation`;
    expect((await root.put(`${notes}/Notes`, { content: 'Said by a person.' })).status).toBe(200);
    const [patch] = (await editor.get(patches)).body.items;
    const apply = `${patches}/${patch.id}/apply`;
    expect((await viewer.post(apply, { sectionVersion: 1 })).status).toBe(403);
    expect((await editor.post(apply, { sectionVersion: 0 })).status).toBe(412);
    expect((await editor.post(apply, { sectionVersion: 1 })).status).toBe(200);
    const { sections } = (await editor.get(notes)).body;
    expect(sections.find(({ kind }: { kind: string }) => kind === 'Notes')).toMatchObject({
      content: `Said by a person.\n${patch.proposedContent}`,
      version: 2,
    });
    expect((await stranger.get(patches)).body.totalCount).toBe(0);
    expect((await viewer.get(`${mcp}/learning-stats`)).body).toMatchObject({
      totalSignals: 7,
      patternsApproved: 1,
      patternsProposed: 2,
      patchesApplied: 1,
    });
    expect((await stranger.get(`${mcp}/learning-stats`)).body.totalSignals).toBe(0);
  },
);

scenario(
  ['RT-4.3-1220', 'RT-4.3-1221', 'RT-4.3-1222'],
  'a writer can start learning for a project; signals of one caller and refused writes produce no pattern',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root, source, projectId, dataSourceId, svc } = fixture;
    await source.sql('create table guests (id int primary key, full_name text)');
    expect((await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`, {})).status).toBe(200);
    const [editor, viewer] = [await person(fixture, 'Editor'), await person(fixture, 'Viewer')];
    const [one, other] = [await clientOf(fixture, editor), await clientOf(fixture, root)];
    const start = (client: typeof editor) => client.post(`${mcp}/learning/run`, { projectId });
    const signalCount = async () => (await root.get(`${mcp}/learning-stats`)).body.totalSignals;
    const learned = async (signals: number): Promise<string[]> => {
      await until('signals', async () => (await signalCount()) >= signals || undefined);
      const { status, body } = await start(editor);
      expect(status).toBe(202);
      await until('the end of learning', async () => {
        const [job] = await svc.sql<{ state: string }>('select state from svc_jobs.job where id = $1', [
          body.jobId,
        ]);
        return job?.state === 'Completed' || undefined;
      });
      return (await root.get(patterns)).body.items.map(({ kind }: Pattern) => kind);
    };

    expect((await start(viewer)).status).toBe(403);
    expect((await root.post(`${mcp}/learning/run`, { projectId: projectId + 99 })).status).toBe(404);
    await one.call('query', { sql: 'delete from guest' });
    await one.call('query', { sql: 'select guest_nme from guests' });
    await one.call('query', { sql: 'select full_name from guests' });
    expect(await learned(3)).toEqual([]);
    await other.call('query', { sql: 'select guest_nme from guests' });
    await other.call('query', { sql: 'select full_name from guests' });
    expect(await learned(5)).toEqual(['SchemaCorrection']);

    await root.put(`${mcp}/projects/${projectId}/settings`, { learns: false });
    const off = await start(editor);
    expect([off.status, off.body.code]).toEqual([409, 'learning-off']);
  },
);

scenario(
  ['RT-4.3-54', 'RT-4.3-541', 'RT-4.3-545', 'RT-4.3-546', 'RT-4.3-550'],
  'a project with learning off stores no signals; settings, tools and the audit log are in the same group',
  async ({ deliver }) => {
    const fixture = await deliver({ 'Svc:Mcp:ForceNoContentRetention': true });
    const { root, projectId } = fixture;
    expect((await root.get(`${mcp}/settings`)).body).toMatchObject({
      lockedFields: ['keepsStatements'],
      values: { learns: true },
    });
    const own = `${mcp}/projects/${projectId}/settings`;
    expect((await root.put(own, { learns: false })).status).toBe(200);
    expect((await root.get(own)).body.effective.learns).toBe(false);
    const run = (sql: string) =>
      root.post(`${mcp}/tools/run`, { toolName: 'query', projectId, arguments: { sql } });
    expect((await run('select 1 as of_the_quiet_time')).body.isError).toBe(false);
    expect((await root.put(own, { learns: null })).status).toBe(200);
    expect((await run('select 2')).body.isError).toBe(false);
    // The service writes signals in the order of their calls. Once the second signal exists, the first cannot follow.
    await until('a signal', async () => {
      const { body } = await root.get(`${mcp}/learning-stats?projectId=${projectId}`);
      return body.totalSignals > 0 || undefined;
    });
    expect((await root.get(`${mcp}/learning-stats`)).body.totalSignals).toBe(1);
    const tools = (await root.get(`${mcp}/tools?projectId=${projectId}`)).body.items;
    expect(tools.map(({ name }: { name: string }) => name)).toContain('query');
    const log = (await root.get(`${mcp}/audit?event=mcp`)).body;
    expect(log.totalCount).toBeGreaterThanOrEqual(2);
  },
);
