import { randomUUID } from 'node:crypto';
import { encryptionKey } from '@svc/testkit/service/service.ts';
import { createKeyRing, seal, systemRandomness } from '../../../packages/server/src/platform/crypto/index.ts';
import type { CallerKind } from '../caller.ts';
import type { Fixture } from '../fixture.ts';
import type { Recipe } from '../recipe.ts';

const path = '/svc/api/ask';

/** Inserts a conversation of the caller. A caller without an identity gets a conversation of another user. */
async function conversation(fixture: Fixture, kind: CallerKind): Promise<number> {
  const me = await fixture.clients[kind]?.get('/svc/api/auth/me');
  const userId = me?.status === 200 ? me.read<{ userId: number | null }>().userId : null;
  const owner = userId === null ? (kind === 'hostPrincipal' ? 'host:ada' : 'user:1') : `user:${userId}`;
  const [made] = await fixture.svc.sql<{ id: number }>(
    'insert into svc.conversations (project_id, owner_key) values ($1, $2) returning id',
    [fixture.project, owner],
  );
  if (!made) throw new Error('The matrix could not prepare a conversation.');
  return made.id;
}

/** Inserts an answer into a conversation of the caller. The answer is finished, or waits if `isOpen`. */
async function answer(fixture: Fixture, kind: CallerKind, isOpen = false): Promise<string> {
  const [made] = await fixture.svc.sql<{ id: number }>(
    `insert into svc.answers (conversation_id, data_source_id, question, is_run, state, sql, finished_at)
     values ($1, $2, 'One?', true, $3, 'select 1', case when $3 = 'Answered' then now() end) returning id`,
    [await conversation(fixture, kind), fixture.dataSource, isOpen ? 'Waiting' : 'Answered'],
  );
  if (!made) throw new Error('The matrix could not prepare an answer.');
  return `${path}/answers/${made.id}`;
}

/** Adds a golden example and returns its question, which the service answers without a model. */
async function knownQuestion({ root, project, dataSource }: Fixture): Promise<string> {
  const question = `Question ${randomUUID()}`;
  const body = { projectId: project, dataSourceId: dataSource, question, expected: 'NoAnswer' };
  await root.post('/svc/api/eval/golden', body);
  return question;
}

/** Inserts a call to the language model with a stored prompt. Returns the path of its content. */
async function keptCall({ svc }: Fixture): Promise<string> {
  const [made] = await svc.sql<{ id: string }>(
    `insert into svc.llm_calls (purpose, model, started_at, lease_until, bound) values ('Ask', 'm', now(), now(), 1)
     returning id`,
  );
  if (!made) throw new Error('The matrix could not prepare a call.');
  const place = { table: 'llm_contents', column: 'content_sealed', rowId: made.id };
  const content = JSON.stringify({ instructions: 'Say yes.', data: [], answer: null });
  await svc.sql('insert into svc.llm_contents (call_id, content_sealed) values ($1, $2)', [
    made.id,
    seal(createKeyRing({ encryptionKey }), content, place, systemRandomness),
  ]);
  return `/svc/api/llm/calls/${made.id}/content`;
}

/** Requests about questions about data. */
export const askRecipes: Readonly<Record<string, Recipe>> = {
  [`POST ${path}/conversations`]: async ({ project }) => ({ body: { projectId: project } }),
  [`GET ${path}/conversations/{id}`]: async (fixture, kind) => ({
    path: `${path}/conversations/${await conversation(fixture, kind)}`,
  }),
  [`DELETE ${path}/conversations/{id}`]: async (fixture, kind) => ({
    path: `${path}/conversations/${await conversation(fixture, kind)}`,
  }),
  [`POST ${path}/conversations/{id}/questions`]: async (fixture, kind) => ({
    path: `${path}/conversations/${await conversation(fixture, kind)}/questions`,
    body: { question: await knownQuestion(fixture), dataSourceId: fixture.dataSource },
  }),
  [`GET ${path}/answers/{id}`]: async (fixture, kind) => ({ path: await answer(fixture, kind) }),
  [`POST ${path}/answers/{id}/run`]: async (fixture, kind) => ({
    path: `${await answer(fixture, kind)}/run`,
  }),
  [`POST ${path}/answers/{id}/explain`]: async (fixture, kind) => ({
    path: `${await answer(fixture, kind)}/explain`,
  }),
  [`POST ${path}/answers/{id}/cancel`]: async (fixture, kind) => ({
    path: `${await answer(fixture, kind, true)}/cancel`,
  }),
  'GET /svc/api/llm/calls/{id}/content': async (fixture) => ({ path: await keptCall(fixture) }),
  [`POST ${path}/answers/{id}/feedback`]: async (fixture, kind) => ({
    path: `${await answer(fixture, kind)}/feedback`,
    body: { verdict: 'Right' },
  }),
};
