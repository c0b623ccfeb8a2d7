import { randomUUID } from 'node:crypto';
import type { Fixture } from '../fixture.ts';
import type { Recipe } from '../recipe.ts';

const patterns = '/svc/api/mcp/learned-patterns';
const patches = '/svc/api/mcp/documentation-patches';

/** Inserts an undecided pattern into the fixture's project. Returns its id. */
async function pattern({ svc, project, dataSource }: Fixture): Promise<number> {
  const [made] = await svc.sql<{ id: number }>(
    `insert into svc.learned_patterns (project_id, data_source_id, kind, identity, table_name, content, signal_count,
       caller_count)
     values ($1, $2, 'DocumentationGap', $3, 'orders', '{"kind":"DocumentationGap","columns":[],"joined":[]}', 5, 1)
     returning id`,
    [project, dataSource, randomUUID()],
  );
  if (!made) throw new Error('The matrix could not prepare a pattern.');
  return made.id;
}

/** Inserts an undecided patch into the fixture's project. Returns its id. */
async function patch(fixture: Fixture): Promise<number> {
  const [made] = await fixture.svc.sql<{ id: number }>(
    `insert into svc.documentation_patches (project_id, pattern_id, content) values ($1, $2, $3) returning id`,
    [fixture.project, await pattern(fixture), `- ${randomUUID()}`],
  );
  if (!made) throw new Error('The matrix could not prepare a patch.');
  return made.id;
}

const versionOf = async ({ root, project }: Fixture): Promise<number> => {
  const { body } = await root.get(`/svc/api/projects/${project}/documentation`);
  const section = body.sections.find(({ kind }: { kind: string }) => kind === 'Notes');
  return section?.version ?? 0;
};

/** Requests about learning from use. */
export const learningRecipes: Readonly<Record<string, Recipe>> = {
  [`GET ${patterns}/{id}`]: async (fixture) => ({ path: `${patterns}/${await pattern(fixture)}` }),
  [`POST ${patterns}/{id}/replay`]: async (fixture) => ({
    path: `${patterns}/${await pattern(fixture)}/replay`,
  }),
  [`PUT ${patterns}/{id}/status`]: async (fixture) => ({
    path: `${patterns}/${await pattern(fixture)}/status`,
    body: { newStatus: 'Rejected' },
  }),
  'POST /svc/api/mcp/learning/run': async ({ project }) => ({
    path: '/svc/api/mcp/learning/run',
    body: { projectId: project },
  }),
  [`POST ${patches}/{id}/apply`]: async (fixture) => ({
    path: `${patches}/${await patch(fixture)}/apply`,
    body: { sectionVersion: await versionOf(fixture) },
  }),
  [`POST ${patches}/{id}/reject`]: async (fixture) => ({
    path: `${patches}/${await patch(fixture)}/reject`,
  }),
};
