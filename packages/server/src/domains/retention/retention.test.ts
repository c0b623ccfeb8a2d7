import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { createDatabase, type Database } from '../../platform/db/index.ts';
import { createAudit } from '../audit/index.ts';
import { dropOldEvaluations, dropOldSamples } from '../contract-evaluations/index.ts';
import { dropOldContents } from '../llm-usage/index.ts';
import { dropOldNotices } from '../notices/index.ts';
import { foldRunCounts } from '../run-history/index.ts';
import { createRetentionService } from './service.ts';
import { dropRuns, runTables } from './store.ts';

let fixture: RunFixture;
let database: Database;
let subscriptionId: number;
beforeAll(async () => {
  fixture = await startRunFixture({
    config: { 'Svc:Retention:RunsDays': 400, 'Svc:Retention:NoticesDays': 30 },
  });
  database = createDatabase(fixture.svc.database);
  const queryId = await fixture.addQuery('select id from orders');
  const recipientIds = [await fixture.addRecipient()];
  ({ id: subscriptionId } = await fixture.addSubscription({ queryId, recipientIds }));
});
afterAll(() => fixture.close());

const sql = async (text: string, values: unknown[] = []) =>
  (await fixture.svc.database.query(text, values)).rows;
const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);

/** Inserts a run that ended `days` days ago, with a delivery, its own message, a file, a count and a notice. */
async function oldRun(days: number): Promise<number> {
  const [run] = await sql(
    `with r as (
       insert into svc.runs (subscription_id, query_id, project_id, origin, due_at, status, finished_at)
       select s.id, q.id, q.project_id, 'Schedule', $2, 'Sent', $2
       from svc.subscriptions s join svc.queries q on q.id = s.query_id where s.id = $1 returning *),
     d as (insert into svc.deliveries (run_id, run_due_at, recipient_id, state, message_id)
       select r.id, r.due_at, sr.recipient_id, 'Sent', 'm' from r join svc.subscription_recipients sr using (subscription_id)),
     m as (insert into svc.run_messages (run_id, run_due_at, no, recipient_id, row_count)
       select r.id, r.due_at, 1, sr.recipient_id, 1 from r join svc.subscription_recipients sr using (subscription_id)),
     a as (insert into svc.run_attachments (run_id, run_due_at, name, content_type, row_count, byte_count)
       select id, due_at, 'n', 't', 0, 0 from r),
     p as (insert into svc.run_attachment_parts (run_id, run_due_at, part, data_sealed) select id, due_at, 0, '' from r),
     c as (insert into svc.run_counts_open (day, subscription_id, query_id, project_id, data_source_ids, status, ended_at)
       select (due_at at time zone 'UTC')::date, subscription_id, query_id, project_id, '{}', status, finished_at from r),
     n as (insert into svc.notices (user_id, kind, subject_kind, subject_id, subject_name, project_id, run_id, created_time)
       select 1, 'RunFailed', 'Subscription', subscription_id, 'old', project_id, id, due_at from r)
     select id from r`,
    [subscriptionId, daysAgo(days)],
  );
  return run.id;
}

const countOf = async (runId: number): Promise<Record<string, number>> => {
  const [row] = await sql(
    `select (select count(*) from svc.runs where id = $1) as runs,
       (select count(*) from svc.deliveries where run_id = $1) as deliveries,
       (select count(*) from svc.run_messages where run_id = $1) as messages,
       (select count(*) from svc.run_attachments where run_id = $1) as files,
       (select count(*) from svc.run_attachment_parts where run_id = $1) as parts`,
    [runId],
  );
  return row;
};
const all = { runs: 1, deliveries: 1, messages: 1, files: 1, parts: 1 };
const none = { runs: 0, deliveries: 0, messages: 0, files: 0, parts: 0 };

const days = {
  runs: 400,
  audit: 730,
  notices: 30,
  evaluations: 400,
  samples: 30,
  failedJobs: 90,
  llmContents: 7,
};
const keepMonths = async (): Promise<void> => {
  const service = createRetentionService({
    database,
    readDatabase: database,
    days,
    log: pino({ level: 'silent' }),
    audit: createAudit(systemClock),
    dropNotices: (keepDays, limit) => dropOldNotices(database, keepDays, limit),
    dropEvaluations: (keepDays, limit) => dropOldEvaluations(database, keepDays, limit),
    dropSamples: (keepDays, limit) => dropOldSamples(database, keepDays, limit),
    dropLlmContents: (keepDays, limit) => dropOldContents(database, keepDays, limit),
  });
  await service.addMonths();
  await service.removeOld(new AbortController().signal);
};
const listed = async () => (await fixture.root.get('/svc/api/notifications?pageSize=1')).body.totalCount;

describe('monthly partitions', () => {
  test('receive their rows from the default partition when they are added, and are added only once', async () => {
    const [before] = await sql(`select tableoid::regclass::text as "table" from svc.runs where id = $1`, [
      await oldRun(70),
    ]);
    expect(before.table).toBe('svc.runs_rest');
    const month = daysAgo(70).toISOString().slice(0, 7);
    for (const table of runTables) await sql('select svc.add_month($1, $2::date)', [table, `${month}-01`]);
    const [after] = await sql(
      `select tableoid::regclass::text as "table" from svc.runs where due_at < now() - interval '60 days'`,
    );
    expect(after.table).toBe(`svc.runs_${month.replace('-', '_')}`);
    expect((await sql('select svc.add_month($1, $2::date) as made', ['runs', `${month}-01`]))[0].made).toBe(
      false,
    );
  });

  test('that have expired are dropped with everything of their runs, and the removal is audited', async () => {
    const retained = await oldRun(380);
    const inMonth = await oldRun(470);
    const inNoMonth = await oldRun(900);
    const month = daysAgo(470).toISOString().slice(0, 7);
    for (const table of runTables) await sql('select svc.add_month($1, $2::date)', [table, `${month}-01`]);
    await foldRunCounts(database);
    expect([await countOf(retained), await countOf(inMonth), await countOf(inNoMonth)]).toEqual([
      all,
      all,
      all,
    ]);
    const total = await listed();
    await keepMonths();
    expect([await countOf(retained), await countOf(inMonth), await countOf(inNoMonth)]).toEqual([
      all,
      none,
      none,
    ]);
    expect(await listed()).toBe(total - 2);
    const events = await sql(
      `select detail from svc.audit_events where event = 'retention.removed' order by id`,
    );
    expect(events.map(({ detail }) => detail)).toMatchObject([
      { kind: 'Runs', month, runs: 1 },
      { kind: 'Runs', runs: 1 },
      { kind: 'Notices' },
    ]);
    expect(await sql('select from svc.notices where created_time < now() - interval $$31 days$$')).toEqual(
      [],
    );
  });

  test('with a long-running reader are not dropped, and lose no row meanwhile', async () => {
    const runId = await oldRun(440);
    const month = daysAgo(440).toISOString().slice(0, 7);
    for (const table of runTables) await sql('select svc.add_month($1, $2::date)', [table, `${month}-01`]);
    const reader = await fixture.svc.database.connect();
    try {
      await reader.query('begin; select from svc.deliveries limit 1');
      await expect(database.transaction((tx) => dropRuns(tx, month))).rejects.toMatchObject({
        code: '55P03',
      });
      await reader.query('commit');
    } finally {
      reader.release();
    }
    expect(await countOf(runId)).toEqual(all);
  });
});

test('the service schedules the maintenance of the partitions every hour', async () => {
  const [schedule] = await sql(`select cron from svc_jobs.schedule where key = 'maintenance:keep-months'`);
  expect(schedule).toEqual({ cron: '41 * * * *' });
});

test('the retention of each kind is shown with its setting', async () => {
  const { status, body } = await fixture.root.get('/svc/api/admin-settings/retention');
  expect(status).toBe(200);
  expect(body.kinds).toMatchObject([
    { kind: 'Runs', keepDays: 400, setting: 'Svc:Retention:RunsDays', removedAt: expect.any(String) },
    { kind: 'AuditEvents', keepDays: 730, setting: 'Svc:Retention:AuditDays', removedAt: null },
    { kind: 'Notices', keepDays: 30, setting: 'Svc:Retention:NoticesDays' },
    { kind: 'Evaluations', keepDays: 400, setting: 'Svc:Retention:EvaluationsDays' },
    { kind: 'Samples', keepDays: 30, setting: 'Svc:Retention:SamplesDays' },
    { kind: 'FailedJobs', keepDays: 90, setting: 'Svc:Retention:FailedJobsDays' },
    { kind: 'LlmContents', keepDays: 7, setting: 'Svc:LLM:KeepsContent' },
  ]);
});
