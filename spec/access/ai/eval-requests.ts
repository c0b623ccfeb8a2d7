import { randomUUID } from 'node:crypto';
import type { Fixture } from '../fixture.ts';
import type { Recipe } from '../recipe.ts';

const path = '/svc/api/eval/golden';
const exampleOf = async ({ dataSource }: Fixture) => ({
  dataSourceId: dataSource,
  question: `Question ${randomUUID()}`,
  expected: 'NoAnswer',
});
const added = async (fixture: Fixture): Promise<string> => {
  const { root, project } = fixture;
  const { body } = await root.post(path, { projectId: project, ...(await exampleOf(fixture)) });
  return `${path}/${body.id}`;
};

/** Inserts a candidate into the fixture's project. Returns the path of an action on it. */
async function candidate({ svc, project, dataSource }: Fixture, act: string): Promise<string> {
  const [made] = await svc.sql<{ id: number }>(
    `with said as (
       insert into svc.answer_feedback (project_id, data_source_id, question, sql, verdict, basis)
       values ($1, $2, $3, 'select 1', 'Right', 'Model') returning id)
     insert into svc.golden_candidates (feedback_id) select id from said returning id`,
    [project, dataSource, `Question ${randomUUID()}`],
  );
  if (!made) throw new Error('The matrix could not prepare a candidate.');
  return `/svc/api/eval/candidates/${made.id}/${act}`;
}

/** Inserts a waiting evaluation. Returns its id. */
async function evalRun({ svc, project }: Fixture): Promise<number> {
  const [made] = await svc.sql<{ id: number }>(
    `insert into svc.eval_runs (project_id, golden_ids, repeats) values ($1, '{}', 1) returning id`,
    [project],
  );
  if (!made) throw new Error('The matrix could not prepare an evaluation.');
  return made.id;
}

const runs = '/svc/api/eval/runs';
const runAt =
  (rest: string): Recipe =>
  async (fixture) => ({ path: `${runs}/${await evalRun(fixture)}${rest}` });

const schedule = '/svc/api/eval/schedule';
const scheduled = ({ project }: Fixture) => ({
  projectId: project,
  cronExpression: '0 4 1 1 *',
  timeZone: 'UTC',
  minAccuracy: 0.8,
});

/** Requests about golden examples and evaluation. */
export const evalRecipes: Readonly<Record<string, Recipe>> = {
  [`GET ${path}`]: async ({ project }) => ({ path: `${path}?projectId=${project}` }),
  [`POST ${path}`]: async (fixture) => ({
    path,
    body: { projectId: fixture.project, ...(await exampleOf(fixture)) },
  }),
  [`GET ${path}/{id}`]: async (fixture) => ({ path: await added(fixture) }),
  [`PUT ${path}/{id}`]: async (fixture) => ({ path: await added(fixture), body: await exampleOf(fixture) }),
  [`DELETE ${path}/{id}`]: async (fixture) => ({ path: await added(fixture) }),
  [`POST ${path}/recheck`]: async ({ project }) => ({
    path: `${path}/recheck`,
    body: { projectId: project },
  }),
  'POST /svc/api/eval/candidates/{id}/promote': async (fixture) => ({
    path: await candidate(fixture, 'promote'),
    body: {},
  }),
  'POST /svc/api/eval/candidates/{id}/dismiss': async (fixture) => ({
    path: await candidate(fixture, 'dismiss'),
  }),
  [`PUT ${schedule}`]: async (fixture) => ({ path: schedule, body: scheduled(fixture) }),
  [`DELETE ${schedule}`]: async (fixture) => {
    await fixture.root.put(schedule, scheduled(fixture));
    return { path: `${schedule}?projectId=${fixture.project}` };
  },
  [`POST ${runs}`]: async ({ project }) => ({ body: { projectId: project } }),
  [`GET ${runs}/{id}`]: runAt(''),
  [`POST ${runs}/{id}/cancel`]: runAt('/cancel'),
  [`GET ${runs}/{id}/results`]: runAt('/results'),
  [`GET ${runs}/{id}/compare`]: async (fixture) => ({
    path: `${runs}/${await evalRun(fixture)}/compare?with=${await evalRun(fixture)}`,
  }),
};
