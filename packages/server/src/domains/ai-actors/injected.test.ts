import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type ActorFixture,
  action,
  newQuery,
  path,
  startActorFixture,
  thought,
} from './testing/actor-fixture.ts';
import { injectedTexts } from './testing/injected-texts.ts';

let fixture: ActorFixture;
beforeAll(async () => {
  fixture = await startActorFixture({ 'Svc:LLM:CallsPerMinute': 10_000 });
});
afterAll(async () => fixture?.close());

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Counts of all records that an action of an actor would change. */
const acts = async () => {
  const { rows } = await fixture.svc.database.query(
    `select (select count(*)::int from svc.queries) as queries,
       (select count(*)::int from svc.subscriptions) as subscriptions,
       (select count(*)::int from svc.data_contracts) as contracts,
       (select count(*)::int from svc.recipients) as recipients,
       (select count(*)::int from svc.users) as users, (select count(*)::int from svc.project_members) as members,
       (select count(*)::int from svc.runtime_settings) as settings,
       (select jsonb_agg(to_jsonb(r) order by user_id, role) from svc.user_roles r) as roles`,
  );
  return rows[0];
};

const orders = async () => (await fixture.shop.query('select * from orders order by id')).rows;

test(`${injectedTexts.length} injected texts cause no action and execute no injected statement`, async () => {
  expect(injectedTexts.length).toBeGreaterThanOrEqual(60);
  const { shop, root, projectId, owner } = fixture;
  // The texts are in places that an attacker can write to: comments, column names, terms of the glossary.
  for (const [at, text] of injectedTexts.entries()) {
    const table = `note_${at}`;
    await shop.query(
      `create table ${table} (id int, "${text.slice(0, 60).replaceAll('"', '').replaceAll('\u0000', '')}" text)`,
    );
    await shop.query(`comment on table ${table} is ${quoted(text)}`);
  }
  for (const [at, text] of injectedTexts.entries()) {
    const made = await root.post('/svc/api/glossary', { projectId, term: `term ${at}`, definition: text });
    expect(made.status, made.text).toBe(201);
  }
  await fixture.refreshMetadata();
  const [before, rows] = [await acts(), await orders()];
  const { id } = await fixture.make({ maxActionsPerPlan: 20 });
  const framed: string[] = [];
  for (const text of injectedTexts) {
    // Simulates a model that obeys: it repeats the text in each member of its answer, also as a statement.
    await fixture.provider.script(
      thought(
        newQuery({ queryName: text.slice(0, 200), description: text, sql: text }),
        action('RefineQuery', { queryId: 1, sql: text }),
        action('CreateSubscription', {
          queryId: 1,
          cronExpression: text.slice(0, 200),
          notificationTrigger: text.slice(0, 40),
        }),
        action('ArchiveSubscription', { subscriptionId: 1 }),
        action('CreateContract', {
          schemaName: 'public',
          tableName: text.slice(0, 200),
          contractName: text.slice(0, 200),
        }),
      ),
    );
    const ordered = await owner.client.post(`${path}/${id}/think`);
    expect(ordered.status, ordered.text).toBe(202);
    const ended = await fixture.endOfThink(id, ordered.body.thinkId);
    expect([ended.state, ended.planId, ended.applied], text).toEqual(['Completed', null, []]);
    expect(ended.discarded).toHaveLength(5);
    const { body } = (await fixture.provider.seen()).at(-1) ?? { body: {} };
    const [system] = (body as { messages: { content: string }[] }).messages;
    framed.push(JSON.stringify(system));
  }
  // The attacker's texts are data for the model and never part of the instructions.
  for (const text of injectedTexts)
    expect(framed.some((said) => said.includes(JSON.stringify(text).slice(1, -1)))).toBe(false);
  expect(await acts()).toEqual(before);
  expect(await orders()).toEqual(rows);
  const { rows: statements } = await shop.query(`select to_regclass('public.stolen') as stolen`);
  expect(statements).toEqual([{ stolen: null }]);
}, 300_000);
