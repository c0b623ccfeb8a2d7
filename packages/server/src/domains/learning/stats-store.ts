import type { LearningStats } from '@svc/contract';
import type { Executor } from '../../platform/db/index.ts';
import { type Reach, readableProjects } from '../projects/index.ts';

const problemSignalsMin = 3;
const problemTablesMax = 50;

type Counts = Omit<LearningStats, 'problemTables'>;

/** Returns statistics of statements in projects that the caller can read. */
export async function learningStats(
  executor: Executor,
  reach: Reach,
  projectId: number | null,
): Promise<LearningStats> {
  const readable = readableProjects(reach, 2);
  const values = [projectId, ...readable.values];
  const inReach = `in (select r.project_id from (${readable.text}) r where $1::int is null or r.project_id = $1)`;
  const { rows } = await executor.query<Counts>(
    `select s.*, k.*, c.* from
      (select count(*)::int as "totalSignals",
         count(*) filter (where created_time > now() - interval '7 days')::int as "signals7d",
         count(*) filter (where created_time > now() - interval '30 days')::int as "signals30d",
         avg((outcome = 'Succeeded')::int)::float8 as "successRate"
       from svc.learning_signals where project_id ${inReach}) s,
      (select count(*) filter (where state = 'Approved')::int as "patternsApproved",
         count(*) filter (where state = 'Proposed')::int as "patternsProposed",
         count(*) filter (where state = 'Rejected')::int as "patternsRejected"
       from svc.learned_patterns where project_id ${inReach}) k,
      (select count(*) filter (where state = 'Applied')::int as "patchesApplied",
         count(*) filter (where state = 'Proposed')::int as "patchesProposed"
       from svc.documentation_patches where project_id ${inReach}) c`,
    values,
  );
  const problems = await executor.query<LearningStats['problemTables'][number]>(
    `select s.project_id as "projectId", p.name as "projectName", s.data_source_id as "dataSourceId",
       d.name as "dataSourceName", t.name as "table", count(*)::int as "signalCount",
       count(*) filter (where s.outcome <> 'Succeeded')::int as "refusedCount"
      from svc.learning_signals s cross join lateral unnest(s.tables) t(name)
      join svc.projects p on p.id = s.project_id
      join svc.data_sources d on d.id = s.data_source_id and d.archived_at is null
      where s.project_id ${inReach}
      group by 1, 2, 3, 4, 5
      having count(*) >= ${problemSignalsMin} and count(*) filter (where s.outcome <> 'Succeeded') > 0
      order by count(*) filter (where s.outcome <> 'Succeeded')::float8 / count(*) desc, count(*) desc, 5
      limit ${problemTablesMax}`,
    values,
  );
  const [counts] = rows;
  if (!counts) throw new Error('Counts came without a row.');
  return { ...counts, problemTables: problems.rows };
}
