import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anonymousCaller, type Caller } from '../../platform/access/index.ts';
import {
  createDatabase,
  type Database,
  migrate,
  openPool,
  withMigrationConnection,
} from '../../platform/db/index.ts';
import { projectRights } from '../projects/index.ts';
import { foldRunCounts } from './fold.ts';
import { createHistoryService, type HistoryService } from './service.ts';

type Project = { id: number; isOpen: boolean; sources: Set<number>; members: Map<number, string> };
type Run = {
  id: number;
  dueAt: string;
  status: string;
  subscriptionId: number;
  projectId: number;
  sources: number[] | null;
};

const seed = 20_261_123;
const callerCount = 200;
const runCount = 1_500;
let state = seed;
/** Pseudo-random generator with a fixed sequence. */
const random = (below: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
const chance = (share: number): boolean => random(1_000) < share * 1_000;
const statuses = ['Created', 'Sent', 'Failed', 'Skipped', 'NoResults'] as const;

let testDatabase: TestDatabase;
let pool: ReturnType<typeof openPool>;
let database: Database;
let history: HistoryService;
const projects: Project[] = [];
const runs: Run[] = [];

beforeAll(async () => {
  testDatabase = await createEmptyDatabase();
  await withMigrationConnection(testDatabase.connection, (client) => migrate(client));
  pool = openPool({ connection: testDatabase.connection });
  database = createDatabase(pool);
  history = createHistoryService({ database, rights: projectRights });
  await fillProjects();
  await fillRuns();
});
afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

const sql = (text: string, values: unknown[] = []) => pool.query(text, values);

async function fillProjects(): Promise<void> {
  await sql(
    `insert into svc.users (user_name, kind) select 'user-' || n, 'Internal' from generate_series(1, 30) n`,
  );
  await sql(`insert into svc.data_sources (name, engine, connection_shown, connection_sealed)
    select 'Source ' || n, 'PostgreSQL', '{}', '' from generate_series(1, 8) n`);
  for (let id = 1; id <= 12; id += 1) projects.push(await fillProject(id));
}

async function fillProject(id: number): Promise<Project> {
  const project: Project = { id, isOpen: chance(0.3), sources: new Set(), members: new Map() };
  for (let source = 1; source <= 8; source += 1) if (chance(0.25)) project.sources.add(source);
  for (let user = 1; user <= 30; user += 1)
    if (chance(0.2)) project.members.set(user, chance(0.5) ? 'Viewer' : 'ProjectAdmin');
  await sql('insert into svc.projects (name, access_mode) values ($1, $2)', [
    `Project ${id}`,
    project.isOpen ? 'Open' : 'Restricted',
  ]);
  for (const source of project.sources)
    await sql('insert into svc.project_data_sources (project_id, data_source_id) values ($1, $2)', [
      id,
      source,
    ]);
  for (const [user, role] of project.members)
    await sql('insert into svc.project_members (project_id, user_id, role) values ($1, $2, $3)', [
      id,
      user,
      role,
    ]);
  return project;
}

async function fillRuns(): Promise<void> {
  await sql(
    `insert into svc.queries (project_id, name) select 1 + n % 12, 'Query ' || n from generate_series(1, 40) n`,
  );
  await sql(
    `insert into svc.subscriptions (query_id, cron_expression) select n, '0 0 1 1 *' from generate_series(1, 40) n`,
  );
  for (let n = 0; n < runCount; n += 1) {
    const subscriptionId = 1 + random(40);
    const sources = chance(0.15)
      ? null
      : [...new Set(Array.from({ length: random(4) }, () => 1 + random(8)))].sort((a, b) => a - b);
    const { rows } = await sql(
      `with r as (
         insert into svc.runs (subscription_id, query_id, project_id, origin, due_at, status, finished_at, data_source_ids)
         select s.id, q.id, q.project_id, 'Test', date_trunc('milliseconds', now()) - $2 * interval '1 minute', 'Created', null, $3
         from svc.subscriptions s join svc.queries q on q.id = s.query_id where s.id = $1 returning *)
       select id::int, due_at as "dueAt", project_id as "projectId" from r`,
      [subscriptionId, random(60 * 24 * 20), sources],
    );
    const status = statuses[random(statuses.length)] ?? 'Sent';
    runs.push({
      id: rows[0].id,
      dueAt: rows[0].dueAt.toISOString(),
      projectId: rows[0].projectId,
      status,
      subscriptionId,
      sources,
    });
    if (status !== 'Created')
      await sql(
        `with ended as (update svc.runs set status = $2, finished_at = now() where id = $1 returning *)
         insert into svc.run_counts_open (day, subscription_id, query_id, project_id, data_source_ids, status, ended_at)
         select (due_at at time zone 'UTC')::date, subscription_id, query_id, project_id, data_source_ids,
           status, finished_at from ended`,
        [rows[0].id, status],
      );
    // Some counts are added to their days, others are still open.
    if (n % 400 === 0) await foldRunCounts(database);
  }
}

function someCaller(): Caller {
  const userId = 1 + random(30);
  const role = (['Viewer', 'Editor', 'Admin'] as const)[chance(0.1) ? 2 : random(2)] ?? 'Viewer';
  const person: Caller = { ...anonymousCaller, kind: 'session', userId, role };
  if (chance(0.6)) return person;
  const allowedProjectIds = chance(0.5) ? null : projects.map(({ id }) => id).filter(() => chance(0.4));
  return { ...person, kind: 'apiKey', scopes: new Set(['Read']), allowedProjectIds, apiKeyId: 1 };
}

/** Rule of spec 3 section 5.7, evaluated for each run. */
function mayRead(caller: Caller, project: Project): boolean {
  const { userId, allowedProjectIds } = caller;
  if (allowedProjectIds !== null && !allowedProjectIds.includes(project.id)) return false;
  if (caller.kind === 'session' && caller.role === 'Admin') return true;
  return project.isOpen || (userId !== null && project.members.has(userId));
}
function maySee(caller: Caller, run: Run): boolean {
  if (caller.kind === 'session' && caller.role === 'Admin') return true;
  const readable = projects.filter((project) => mayRead(caller, project));
  if (run.sources === null)
    return caller.kind === 'session' && readable.some(({ id }) => id === run.projectId);
  const { sources } = run;
  if (sources.length === 0) return readable.some(({ id }) => id === run.projectId);
  if (readable.some((project) => sources.every((source) => project.sources.has(source)))) return true;
  return (
    caller.kind === 'session' &&
    sources.every((source) => projects.some((project) => project.isOpen && project.sources.has(source)))
  );
}

const newestFirst = (a: Run, b: Run): number =>
  a.dueAt === b.dueAt ? b.id - a.id : a.dueAt < b.dueAt ? 1 : -1;

describe('the run history', () => {
  test('shows each of 200 callers the same runs as a slow reference implementation, with the exact count and pages', async () => {
    let shown = 0;
    for (let n = 0; n < callerCount; n += 1) {
      const caller = someCaller();
      const status = chance(0.4) ? statuses[random(statuses.length)] : undefined;
      const subscriptionId = chance(0.3) ? 1 + random(40) : undefined;
      const expected = runs
        .filter((run) => maySee(caller, run))
        .filter((run) => status === undefined || run.status === status)
        .filter((run) => subscriptionId === undefined || run.subscriptionId === subscriptionId)
        .sort(newestFirst);
      const pageSize = 20 + random(180);
      const page = random(Math.floor(expected.length / pageSize) + 2);
      const query = { status, subscriptionId, page: String(page), pageSize: String(pageSize) };
      const list = await history.list(caller, query);
      const what = JSON.stringify({ n, kind: caller.kind, role: caller.role, ...query });
      expect(list.totalCount, what).toBe(expected.length);
      expect(
        list.items.map(({ id }) => id),
        what,
      ).toEqual(expected.slice(page * pageSize, (page + 1) * pageSize).map(({ id }) => id));
      shown += list.items.length;
    }
    // The comparison is meaningful only if the callers see many runs.
    expect(shown).toBeGreaterThan(3_000);
  });

  test('has the same count before and after the counts are folded', async () => {
    const admin: Caller = { ...anonymousCaller, kind: 'session', userId: 1, role: 'Admin' };
    const before = (await history.list(admin, {})).totalCount;
    expect(before).toBe(runCount);
    while ((await foldRunCounts(database, 100)) > 0);
    expect((await history.list(admin, {})).totalCount).toBe(before);
    expect((await pool.query('select from svc.run_counts_open')).rowCount).toBe(0);
  });

  test('is sorted in another order on request', async () => {
    const admin: Caller = { ...anonymousCaller, kind: 'session', userId: 1, role: 'Admin' };
    const { items } = await history.list(admin, { sort: 'dueAt', pageSize: '200', page: '3' });
    const oldest = [...runs].sort((a, b) => -newestFirst(a, b)).slice(600, 800);
    expect(items.map(({ id }) => id)).toEqual(oldest.map(({ id }) => id));
  });
});
