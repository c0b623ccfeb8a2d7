import path from 'node:path';
import type { Bench } from '../run/bench.ts';
import { type BenchDatabase, startBenchDatabase } from '../run/database.ts';
import { addEditor, cookieOf, setupToken } from '../run/people.ts';
import { printPairs } from '../run/report.ts';
import type { Figure } from '../run/result.ts';
import { type Contender, inPairs } from '../run/rounds.ts';
import { startSubject } from '../run/subject.ts';

const subscriptionCount = 10_000;
const days = 30;
const pairs = 16;
/** The complete answer may take 1.5 times as long as the sums alone. */
const target = 1 / 1.5;

/** Minimal aggregate for the grid: the last days of each subscription. */
const bareAggregate = `select count(*)::int as total, sum(d.good)::int as good from (
  select subscription_id, sum(judged) as judged, sum(good) as good, sum(failed) as failed,
    max(last_good_at) as last_good_at, max(last_failed_at) as last_failed_at
  from svc.run_days
  where day > (now() at time zone 'UTC')::date - ${days} and subscription_id is not null
  group by subscription_id) d`;

/** Measures whether the health report takes little more time than the sum of its figures. */
export const bench: Bench = {
  purpose: `the control tower over ${subscriptionCount} subscriptions and ${subscriptionCount * days} days of runs, against the bare sums of these days`,
  run: async () => {
    const database = await startBenchDatabase();
    const service = await startSubject('service', path.join(import.meta.dirname, '../run/service.ts'), {
      connection: database.connection,
      settings: {
        'Svc:UserManagement:SetupToken': setupToken,
        'Svc:EncryptionKey': 'k'.repeat(32),
        'Svc:Jobs:Workers': 0,
      },
    });
    try {
      const origin = String(service.ready['origin']);
      await addEditor(origin, database);
      await fill(database);
      const figures: Figure[] = [];
      for (const [who, cookie] of [
        ['Admin', await cookieOf(origin, 'root')],
        ['member', await cookieOf(origin, 'editor')],
      ] as const)
        for (const what of ['health', 'statistics'] as const)
          figures.push(await compare(`${what}, ${who}`, sumsOf(database), readerOf(origin, what, cookie)));
      return figures;
    } finally {
      await service.stop();
      await database.stop();
    }
  },
};

/** Half of the subscriptions failed once in ten runs; the rest did not. */
async function fill({ sql }: BenchDatabase): Promise<void> {
  await sql(`insert into svc.projects (name, access_mode)
    select 'Project ' || n, case when n % 2 = 0 then 'Open' else 'Restricted' end from generate_series(1, 100) n`);
  await sql(`insert into svc.project_members (project_id, user_id, role)
    select p.id, u.id, 'Editor' from svc.projects p, svc.users u where u.user_name = 'editor'`);
  await sql(`insert into svc.data_sources (name, engine, connection_shown, connection_sealed)
    select 'Source ' || n, 'PostgreSQL', '{}', '' from generate_series(1, 50) n`);
  await sql(`insert into svc.project_data_sources (project_id, data_source_id)
    select p.id, 1 + p.id % 50 from svc.projects p`);
  await sql(`insert into svc.queries (project_id, name)
    select (select min(id) from svc.projects) + n % 100, 'Orders that wait, part ' || n
    from generate_series(1, ${subscriptionCount}) n`);
  await sql(`insert into svc.subscriptions (query_id, cron_expression, watch_due_at)
    select id, '0 0 1 1 *', now() + interval '1 day' from svc.queries order by id`);
  await sql(`select svc.add_month('run_days', m::date) from generate_series(
    date_trunc('month', now() at time zone 'UTC') - interval '1 month', now() at time zone 'UTC', interval '1 month') m`);
  await sql(`insert into svc.run_days (day, subscription_id, query_id, project_id, data_source_ids, runs, judged, good,
      failed, anomalies, last_good_at, last_failed_at)
    select (now() at time zone 'UTC')::date - d, s.id, s.query_id, q.project_id, array[1 + q.project_id % 50],
      10, 10, 10 - s.id % 2, s.id % 2, 0, now() - d * interval '1 day',
      case when s.id % 2 = 1 then now() - d * interval '1 day' - interval '1 hour' end
    from svc.subscriptions s join svc.queries q on q.id = s.query_id, generate_series(0, ${days - 1}) d`);
  await sql('vacuum analyze svc.run_days');
  await sql('analyze');
}

const sumsOf = ({ sql }: BenchDatabase): Contender => ({
  name: 'bare sums',
  measure: async () => {
    const startedAt = performance.now();
    const [row] = await sql<{ total: number }>(bareAggregate);
    const ms = performance.now() - startedAt;
    if (row?.total !== subscriptionCount) throw new Error(`The sums are of ${row?.total} subscriptions.`);
    return { ms };
  },
});

const readerOf = (origin: string, what: 'health' | 'statistics', cookie: string): Contender => ({
  name: what,
  measure: async () => {
    const startedAt = performance.now();
    const response = await fetch(`${origin}/svc/api/control-tower/${what}?timeRangeDays=${days}`, {
      headers: { cookie },
    });
    const body = (await response.json()) as { totalCount?: number; total?: number };
    const ms = performance.now() - startedAt;
    if (response.status !== 200 || (body.totalCount ?? body.total) !== subscriptionCount)
      throw new Error(`${what} answered ${response.status}: ${JSON.stringify(body).slice(0, 300)}`);
    return { ms };
  },
});

async function compare(title: string, floor: Contender, contender: Contender): Promise<Figure> {
  const measured = await inPairs(floor, contender, pairs);
  const columns = [{ title: 'ms', number: 'ms', digits: 1 }];
  return printPairs(title, { floor: floor.name, contender: contender.name }, measured, columns, {
    number: 'ms',
    isMoreBetter: false,
    target,
  });
}
