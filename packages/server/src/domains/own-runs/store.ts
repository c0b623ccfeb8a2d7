import type { OwnRun, OwnRunOutcome } from '@svc/contract';
import type { Executor } from '../../platform/db/index.ts';
import { orderBy, type PageRequest } from '../../platform/http/index.ts';

export type OwnRunRow = Omit<OwnRun, 'ranAt'> & { readonly ranAt: Date };

export const sortable = { ranAt: 'r.ran_at', durationMs: 'r.duration_ms', id: 'r.id' } as const;

export type RunText = {
  readonly projectId: number;
  readonly queryId: number | null;
  readonly versionNumber: number | null;
  readonly steps: readonly {
    readonly dataSourceId: number;
    readonly name: string | null;
    readonly sql: string;
  }[];
  readonly finalQuery: string | null;
};

export type RunEnd = {
  readonly outcome: OwnRunOutcome;
  readonly message: string | null;
  readonly rowCount: number | null;
  readonly durationMs: number;
};

/** Stores a run and deletes the user's runs beyond the newest `keptMax`. */
export async function insertRun(
  executor: Executor,
  userId: number,
  text: RunText,
  end: RunEnd,
  keptMax: number,
): Promise<void> {
  const steps = text.steps.map(({ dataSourceId, name, sql }) => ({ dataSourceId, name, sql }));
  await executor.query(
    `with kept as (
       insert into svc.own_runs (user_id, project_id, query_id, version_number, steps, final_query, outcome, message,
         row_count, duration_ms)
       values ($1, $2, $3, $4, $5::jsonb, $6, $7, $8, $9, $10))
     delete from svc.own_runs where user_id = $1 and id <= (
       select id from svc.own_runs where user_id = $1 order by id desc limit 1 offset $11 - 1)`,
    [
      userId,
      text.projectId,
      text.queryId,
      text.versionNumber,
      JSON.stringify(steps),
      text.finalQuery,
      end.outcome,
      end.message,
      end.rowCount,
      end.durationMs,
      keptMax,
    ],
  );
}

/** Returns one page of a user's runs in the given projects; null: in all. */
export async function listRuns(
  executor: Executor,
  userId: number,
  projectIds: readonly number[] | null,
  filter: { readonly projectId: number | null; readonly queryId: number | null },
  page: PageRequest,
): Promise<{ rows: OwnRunRow[]; totalCount: number }> {
  const from = `from svc.own_runs r join svc.projects p on p.id = r.project_id and p.archived_at is null
      left join svc.queries q on q.id = r.query_id and q.archived_at is null
     where r.user_id = $1 and ($2::int[] is null or r.project_id = any($2::int[]))
       and ($3::int is null or r.project_id = $3) and ($4::int is null or r.query_id = $4)`;
  const values = [userId, projectIds, filter.projectId, filter.queryId];
  const { rows } = await executor.query<OwnRunRow>(
    `select r.id::int, r.project_id as "projectId", p.name as "projectName", q.id as "queryId", q.name as "queryName",
       r.version_number as "versionNumber", r.final_query as "finalQuery", r.outcome, r.message,
       r.row_count::int as "rowCount", r.duration_ms as "durationMs", r.ran_at as "ranAt",
       coalesce((select json_agg(json_build_object('dataSourceId', s.step -> 'dataSourceId', 'name', s.step -> 'name',
          'sql', s.step -> 'sql', 'dataSourceName', d.name) order by s.at)
        from jsonb_array_elements(r.steps) with ordinality s (step, at)
          left join svc.project_data_sources l
            on l.project_id = r.project_id and l.data_source_id = (s.step ->> 'dataSourceId')::int
          left join svc.data_sources d on d.id = l.data_source_id and d.archived_at is null), '[]') as steps
     ${from} order by ${orderBy(page)} limit $5 offset $6`,
    [...values, page.limit, page.offset],
  );
  const counted = await executor.query<{ count: number }>(`select count(*)::int as count ${from}`, values);
  return { rows, totalCount: counted.rows[0]?.count ?? 0 };
}
