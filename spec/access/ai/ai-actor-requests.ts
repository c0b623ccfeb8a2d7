import { sha256Hex } from '../../../packages/server/src/platform/crypto/index.ts';
import type { Fixture } from '../fixture.ts';
import { fresh } from '../fresh.ts';
import type { Recipe } from '../recipe.ts';

const path = '/svc/api/ai-actors';

const settings = () => ({ name: fresh('Actor'), instructions: 'Watch.' });

/** Inserts an actor of the fixture's editor. Returns its id. */
async function freshActor(
  { svc, project, dataSource, editorId }: Fixture,
  state = 'Active',
): Promise<number> {
  const [made] = await svc.sql<{ id: number }>(
    `insert into svc.ai_actors (project_id, data_source_id, name, instructions, state, time_zone, is_thinking_after_runs,
       max_queries, max_subscriptions_per_query, max_actions_per_plan, monthly_tokens, default_recipient_ids,
       requires_approval, owner_user_id, created_by_user_id)
     values ($1, $2, $3, 'Watch.', $4, 'UTC', false, 10, 3, 10, 200000, '{}', true, $5, $5) returning id`,
    [project, dataSource, fresh('Actor'), state, editorId],
  );
  if (!made) throw new Error('The matrix could not prepare an actor.');
  return made.id;
}

const freshActorAt = async (fixture: Fixture, rest: string, state?: string) => ({
  path: `${path}/${await freshActor(fixture, state)}${rest}`,
});

/** Returns the hash of a plan without actions, which depends only on its actor. */
const emptyHash = ({ project, dataSource }: Fixture, id: number): string =>
  sha256Hex(JSON.stringify([{ dataSourceId: dataSource, id, projectId: project }, [], [[], []], [], []]));

/** Inserts a pending plan without actions. */
async function freshPlan(fixture: Fixture): Promise<{ readonly at: string; readonly planHash: string }> {
  const { svc, editorId } = fixture;
  const actorId = await freshActor(fixture);
  const planHash = emptyHash(fixture, actorId);
  const [plan] = await svc.sql<{ id: number }>(
    `with thought as (
       insert into svc.ai_thinks (actor_id, origin, state, finished_at) values ($1, 'Schedule', 'Completed', now()) returning id)
     insert into svc.ai_plans (actor_id, think_id, plan_version, plan_hash, barred_user_ids, barred_host_users, expires_at)
     select $1, id, 1, $2, array[$3::int], '{}', now() + interval '1 day' from thought returning id`,
    [actorId, planHash, editorId],
  );
  if (!plan) throw new Error('The matrix could not prepare a plan.');
  return { at: `${path}/plans/${plan.id}`, planHash };
}

/** Requests about actors and plans. */
export const aiActorRecipes: Readonly<Record<string, Recipe>> = {
  [`POST ${path}`]: async ({ project, dataSource }) => ({
    body: { ...settings(), projectId: project, dataSourceId: dataSource },
  }),
  [`GET ${path}/{id}`]: (fixture) => freshActorAt(fixture, ''),
  [`PUT ${path}/{id}`]: async (fixture) => ({ ...(await freshActorAt(fixture, '')), body: settings() }),
  [`DELETE ${path}/{id}`]: (fixture) => freshActorAt(fixture, ''),
  [`POST ${path}/{id}/think`]: (fixture) => freshActorAt(fixture, '/think'),
  [`POST ${path}/{id}/refine`]: async (fixture) => ({
    ...(await freshActorAt(fixture, '/refine')),
    body: { feedback: 'Less.' },
  }),
  [`POST ${path}/{id}/pause`]: (fixture) => freshActorAt(fixture, '/pause'),
  [`POST ${path}/{id}/resume`]: (fixture) => freshActorAt(fixture, '/resume', 'Paused'),
  [`PUT ${path}/{id}/owner`]: async (fixture) => ({
    ...(await freshActorAt(fixture, '/owner')),
    body: { userId: fixture.editorId },
  }),
  [`GET ${path}/{id}/thinks`]: (fixture) => freshActorAt(fixture, '/thinks'),
  [`GET ${path}/{id}/plans`]: (fixture) => freshActorAt(fixture, '/plans'),
  [`GET ${path}/plans/{id}`]: async (fixture) => ({ path: (await freshPlan(fixture)).at }),
  [`POST ${path}/plans/{id}/approve`]: async (fixture) => {
    const { at, planHash } = await freshPlan(fixture);
    return { path: `${at}/approve`, body: { planHash } };
  },
  [`POST ${path}/plans/{id}/reject`]: async (fixture) => ({
    path: `${(await freshPlan(fixture)).at}/reject`,
    body: { comment: 'No.' },
  }),
  [`POST ${path}/plans/{id}/request-revision`]: async (fixture) => ({
    path: `${(await freshPlan(fixture)).at}/request-revision`,
    body: { feedback: 'More.' },
  }),
  [`POST ${path}/plans/{id}/withdraw`]: async (fixture) => ({
    path: `${(await freshPlan(fixture)).at}/withdraw`,
  }),
};
