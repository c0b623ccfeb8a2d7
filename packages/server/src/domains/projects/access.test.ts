import { type AccessMode, accessModes, globalRoles, type ProjectRole, projectRoles } from '@svc/contract';
import type { TestDatabase } from '@svc/testkit/database/database.ts';
import { addProject } from '@svc/testkit/people/project-records.ts';
import { createUser } from '@svc/testkit/people/users.ts';
import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anonymousCaller, type Caller } from '../../platform/access/index.ts';
import { createDatabase, type Database, openPool } from '../../platform/db/index.ts';
import { includesRight, reachOf, rightIn, rightOfLevel } from './access.ts';
import { readableProjects, readableProjectsTable } from './readable.ts';

type Project = { id: number; accessMode: AccessMode; memberRole: ProjectRole | null };

let testDatabase: TestDatabase;
let database: Database;
let memberId: number;
let strangerId: number;
const projects: Project[] = [];

beforeAll(async () => {
  testDatabase = await createMigratedDatabase();
  database = createDatabase(openPool({ connection: testDatabase.connection }));
  memberId = await createUser(database, 'member');
  strangerId = await createUser(database, 'stranger');
  for (const accessMode of accessModes) {
    for (const memberRole of [null, ...projectRoles]) {
      const members: [number, ProjectRole][] = memberRole ? [[memberId, memberRole]] : [];
      const id = await addProject(database, { name: `${accessMode} ${memberRole}`, accessMode, members });
      projects.push({ id, accessMode, memberRole });
    }
  }
});
afterAll(async () => {
  await database.pool.end();
  await testDatabase.drop();
});

const callers = (): fc.Arbitrary<Caller> =>
  fc
    .record({
      kind: fc.constantFrom('session', 'host', 'bearer', 'apiKey', 'mcpCaller'),
      role: fc.constantFrom(null, ...globalRoles),
      isSuperAdmin: fc.boolean(),
      userId: fc.constantFrom(memberId, strangerId, null),
      scopes: fc.constantFrom(
        null,
        new Set<never>(),
        new Set(['Read' as const]),
        new Set(['Execute' as const]),
      ),
      allowedProjectIds: fc.option(fc.subarray(projects.map((project) => project.id))),
      hostMemberships: fc
        .array(
          fc.tuple(
            fc.constantFrom(...projects.map((project) => project.id)),
            fc.constantFrom(...projectRoles),
          ),
        )
        .map((memberships) => new Map(memberships)),
    })
    .map((parts) => ({ ...anonymousCaller, ...parts }));

const asSeenBy = (caller: Caller, project: Project): Project => ({
  ...project,
  memberRole: caller.userId === memberId ? project.memberRole : null,
});

test('the SQL fragment and the rule in code agree for every caller and project', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), callers(), async (withoutBypass, caller) => {
      const reach = reachOf(caller, { withoutBypass });
      const expected = projects.flatMap((project) => {
        const right = rightIn(reach, asSeenBy(caller, project));
        return right ? [[project.id, right]] : [];
      });
      const readable = readableProjects(reach, 1);
      const { rows } = await database.query<{ project_id: number; right_level: number }>(
        `select * from (${readable.text}) readable order by project_id`,
        [...readable.values],
      );
      expect(rows.map((row) => [row.project_id, rightOfLevel(row.right_level)])).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

test('the fragment numbers its parameters from the specified start, and returns the specified project columns', async () => {
  const reach = reachOf({
    ...anonymousCaller,
    kind: 'apiKey',
    role: 'Editor',
    userId: memberId,
    allowedProjectIds: [1],
  });
  const readable = readableProjects({ ...reach, credentialMax: 2 }, 3, ['p.name']);
  expect(readable.text).toContain('$3::int');
  expect(readable.text).toContain('$4::int[]');
  const { rows } = await database.query(
    `select * from (${readable.text}) readable order by project_id limit $1::int offset $2::int`,
    [10, 0, ...readable.values],
  );
  expect(rows).toEqual([{ project_id: 1, right_level: 2, name: 'Open null' }]);
});

test('the fragment for Kysely returns the same rows as the text fragment', async () => {
  const reach = reachOf({
    ...anonymousCaller,
    kind: 'session',
    role: 'Editor',
    userId: memberId,
    allowedProjectIds: [1, 2, 6],
  });
  const { text, values } = readableProjects(reach, 1);
  const written = await database.query(`select * from (${text}) readable order by project_id`, [...values]);
  const built = await database.kysely
    .selectFrom(readableProjectsTable(reach).as('readable'))
    .selectAll()
    .orderBy('project_id')
    .execute();
  expect(built).toEqual(written.rows);
  expect(built.length).toBeGreaterThan(1);
});

const open: Project = { id: 1, accessMode: 'Open', memberRole: null };
const restricted: Project = { id: 2, accessMode: 'Restricted', memberRole: null };
const session = (change: Partial<Caller>): Caller => ({
  ...anonymousCaller,
  kind: 'session',
  userId: 1,
  ...change,
});
const rightOf = (caller: Caller, project: Project) => rightIn(reachOf(caller), project);

test('a caller without a global role can read nothing, even as ProjectAdmin', () => {
  expect(rightOf(session({}), open)).toBeNull();
  expect(rightOf(session({}), { ...open, memberRole: 'ProjectAdmin' })).toBeNull();
  expect(rightOf(session({}), { ...restricted, memberRole: 'ProjectAdmin' })).toBeNull();
});

test('the global level applies in an open project, and the membership in a restricted project', () => {
  expect(rightOf(session({ role: 'Viewer' }), open)).toBe('Read');
  expect(rightOf(session({ role: 'Editor' }), open)).toBe('Write');
  expect(rightOf(session({ role: 'Editor' }), { ...open, memberRole: 'Viewer' })).toBe('Write');
  expect(rightOf(session({ role: 'Editor' }), restricted)).toBeNull();
  expect(rightOf(session({ role: 'Editor' }), { ...restricted, memberRole: 'Viewer' })).toBe('Read');
  expect(rightOf(session({ role: 'Viewer' }), { ...restricted, memberRole: 'Editor' })).toBe('Read');
});

test('a ProjectAdmin manages open and restricted projects, capped by the global level', () => {
  for (const project of [open, restricted]) {
    expect(rightOf(session({ role: 'Editor' }), { ...project, memberRole: 'ProjectAdmin' })).toBe('Manage');
    expect(rightOf(session({ role: 'Viewer' }), { ...project, memberRole: 'ProjectAdmin' })).toBe('Read');
  }
});

test('an administrator manages every project, unless the bypass is disabled', () => {
  for (const change of [{ role: 'Admin' as const }, { isSuperAdmin: true }]) {
    expect(rightOf(session(change), restricted)).toBe('Manage');
    const reach = reachOf(session(change), { withoutBypass: true });
    expect(rightIn(reach, restricted)).toBeNull();
    expect(rightIn(reach, open)).toBe('Write');
  }
});

test('a key has the lower right of scope and owner, within its list, without bypass, and never manages', () => {
  const key = (change: Partial<Caller>): Caller =>
    session({ kind: 'apiKey', role: 'Admin', scopes: new Set(['Read', 'Execute']), ...change });
  expect(rightOf(key({}), open)).toBe('Write');
  expect(rightOf(key({}), restricted)).toBeNull();
  expect(rightOf(key({}), { ...restricted, memberRole: 'ProjectAdmin' })).toBe('Write');
  expect(rightOf(key({ scopes: new Set(['Read']) }), open)).toBe('Read');
  expect(rightOf(key({ scopes: new Set() }), open)).toBeNull();
  expect(rightOf(key({ role: null }), open)).toBeNull();
  expect(rightOf(key({ allowedProjectIds: [] }), open)).toBeNull();
  expect(rightOf(key({ allowedProjectIds: [open.id] }), open)).toBe('Write');
});

test('a right includes the lower rights, and not the higher ones', () => {
  expect(includesRight('Manage', 'Read')).toBe(true);
  expect(includesRight('Read', 'Write')).toBe(false);
  expect(includesRight(null, 'Read')).toBe(false);
});
