import { type Sql, statement } from '../statement.ts';

/** Log line of a handler. */
export type LogLine = {
  readonly jobId: string;
  readonly attempt: number;
  readonly level: string;
  readonly message: string;
  /** Time of the process's clock. It is only for display and decides nothing. */
  readonly at: number;
};

/** Progress of a job. */
export type Progress = {
  readonly jobId: string;
  readonly fence: number;
  readonly share: number;
  readonly text: string | null;
};

const write = statement(
  'notes',
  (schema) => `
with moved as (
  update ${schema}.job j set progress = i.share, progress_text = i.text
  from unnest($6::uuid[], $7::integer[], $8::real[], $9::text[]) as i (id, fence, share, text)
  where j.id = i.id and j.fence = i.fence and j.state = 'Processing'
)
insert into ${schema}.job_log (job_id, attempt, level, message, at, event)
select i.id, i.attempt, i.level, i.message, to_timestamp(i.at_ms / 1000), 'Log'
from unnest($1::uuid[], $2::smallint[], $3::text[], $4::text[], $5::float8[]) as i (id, attempt, level, message, at_ms)`,
  { isPrepared: false },
);

/** Stores log lines and progress. Ignores the progress of a job whose claim is no longer current. */
export async function writeNotes(
  sql: Sql,
  lines: readonly LogLine[],
  progress: readonly Progress[],
): Promise<void> {
  await sql.db.run(write(sql), [
    lines.map((line) => line.jobId),
    lines.map((line) => line.attempt),
    lines.map((line) => line.level),
    lines.map((line) => line.message),
    lines.map((line) => line.at),
    progress.map((item) => item.jobId),
    progress.map((item) => item.fence),
    progress.map((item) => item.share),
    progress.map((item) => item.text),
  ]);
}
