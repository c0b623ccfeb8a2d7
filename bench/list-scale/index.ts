import path from 'node:path';
import type { Bench } from '../run/bench.ts';
import { type BenchDatabase, startBenchDatabase } from '../run/database.ts';
import type { Load, LoadResult } from '../run/http-load.ts';
import { addEditor, addKey, cookieOf, setupToken } from '../run/people.ts';
import { printCase } from '../run/report.ts';
import type { Figure } from '../run/result.ts';
import { inTurns } from '../run/rounds.ts';
import { type Subject, startSubject } from '../run/subject.ts';

const runFolder = path.join(import.meta.dirname, '../run');
const connections = 16;
const projectCount = 200;
const many = { users: 10_000, keys: 100_000, sessions: 20_000 };
/** Minimum rate with many users and keys, as a share of the rate with one of each. */
const target = 0.9;

/** Measures whether the cost of authentication is independent of the number of users and keys. */
export const bench: Bench = {
  purpose: `GET /svc/api/projects by key and by cookie: ${many.keys} keys of ${many.users} users against one of each`,
  run: async ({ rounds, roundMs }) => {
    const databases = [await startBenchDatabase(), await startBenchDatabase()] as const;
    const generator = await startSubject('generator', path.join(runFolder, 'http-load.ts'), {});
    const [few, full] = [await startFixture('few', databases[0]), await startFixture('many', databases[1])];
    const figures: Figure[] = [];
    try {
      await fill(databases[1]);
      for (const kind of ['key', 'cookie'] as const) {
        const measure = ({ service, callers }: Fixture) => ({
          name: service.name,
          measure: async (): Promise<Record<string, number>> => {
            await service.usage();
            const load: Load = {
              origin: originOf(service),
              path: '/svc/api/projects',
              method: 'GET',
              status: 200,
              headers: callers[kind],
              connections,
              durationMs: roundMs,
            };
            const result = (await generator.act(load)) as LoadResult;
            const { cpuMicros } = await service.usage();
            return { ...result, cpuMicrosEach: cpuMicros / result.requests };
          },
        });
        const turns = await inTurns([measure(few), measure(full)], rounds);
        figures.push(
          ...printCase(`by ${kind}, ${connections} connections`, turns, few.service.name, columns, {
            number: 'perSecond',
            isMoreBetter: true,
            target,
          }),
        );
      }
      return figures;
    } finally {
      await Promise.all([generator.stop(), few.service.stop(), full.service.stop()]);
      for (const database of databases) await database.stop();
    }
  },
};

const columns = [
  { title: 'requests/s', number: 'perSecond', digits: 0 },
  { title: 'ms median', number: 'medianMs', digits: 2 },
  { title: 'µs CPU', number: 'cpuMicrosEach', digits: 0 },
];

type Fixture = {
  readonly service: Subject;
  readonly callers: Readonly<Record<'key' | 'cookie', Record<string, string>>>;
};

const originOf = ({ ready }: Subject): string => String(ready['origin']);

async function startFixture(name: string, database: BenchDatabase): Promise<Fixture> {
  const settings = { 'Svc:UserManagement:SetupToken': setupToken, 'Svc:EncryptionKey': 'k'.repeat(32) };
  const { connection } = database;
  const service = await startSubject(name, path.join(runFolder, 'service.ts'), { connection, settings });
  const editor = await addEditor(originOf(service), database);
  await database.sql(
    `insert into svc.projects (name, description, created_time)
     select 'Project ' || n, 'What project ' || n || ' is about', now() - make_interval(mins => n)
       from generate_series(1, ${projectCount}) n`,
  );
  const callers = {
    key: { authorization: await addKey(database, editor) },
    cookie: { cookie: await cookieOf(originOf(service), 'editor') },
  };
  await database.sql('analyze');
  return { service, callers };
}

/** Creates many users with a role, keys and sessions. */
async function fill(database: BenchDatabase): Promise<void> {
  await database.sql(
    `insert into svc.users (user_name, display_name, kind)
     select 'user-' || n, 'User ' || n, 'Internal' from generate_series(1, ${many.users}) n`,
  );
  await database.sql(
    `insert into svc.user_roles (user_id, role) select id, 'Editor' from svc.users where user_name like 'user-%'`,
  );
  await database.sql(
    `with numbered as (select id, row_number() over (order by id) - 1 as n from svc.users where user_name like 'user-%')
     insert into svc.api_keys (name, key_hash, prefix, owner_user_id, scopes, allowed_project_ids, expires_at)
     select 'bench', sha256(k::text::bytea), 'sk-sem_bench', numbered.id, '{Read}', '{1}', now() + interval '90 days'
       from generate_series(1, ${many.keys}) k join numbered on numbered.n = k % ${many.users}`,
  );
  await database.sql(
    `with numbered as (select id, security_stamp, row_number() over (order by id) - 1 as n from svc.users where user_name like 'user-%')
     insert into svc.sessions (token_hash, user_id, security_stamp, auth_method, expires_at)
     select sha256(('session' || s)::bytea), numbered.id, numbered.security_stamp, 'Password', now() + interval '12 hours'
       from generate_series(1, ${many.sessions}) s join numbered on numbered.n = s % ${many.users}`,
  );
  await database.sql('analyze');
}
