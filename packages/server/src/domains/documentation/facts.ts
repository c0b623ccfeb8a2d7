import type { Metadata } from '@svc/connectors';
import type { Executor } from '../../platform/db/index.ts';

export type SourceFacts = {
  readonly id: number;
  readonly name: string;
  readonly engine: string;
  readonly description: string | null;
  readonly snapshot: Metadata | null;
  readonly relationships: readonly {
    readonly from: string;
    readonly to: string;
    readonly isVerified: boolean;
  }[];
};

export type QueryFacts = {
  readonly name: string;
  readonly description: string | null;
  readonly folder: string | null;
  readonly sources: readonly string[];
  readonly stepCount: number;
  readonly subscriptions: readonly { readonly cron: string; readonly channels: readonly string[] }[];
};

export type CodeFacts = {
  readonly table: string;
  readonly kind: string;
  readonly repository: string;
  readonly path: string;
  readonly lineCount: number;
};

export type ContractFacts = {
  readonly name: string;
  readonly description: string | null;
  readonly table: string;
  readonly source: string;
  readonly rules: readonly {
    readonly name: string;
    readonly type: string;
    readonly columns: readonly string[];
  }[];
  readonly lastStatus: string | null;
  readonly lastScore: number | null;
};

/** Source data of all sections. */
export type Facts = {
  readonly sources: readonly SourceFacts[];
  readonly queries: readonly QueryFacts[];
  readonly code: readonly CodeFacts[];
  readonly contracts: readonly ContractFacts[];
};

const rowsOf = async <T extends object>(executor: Executor, sql: string, projectId: number): Promise<T[]> =>
  (await executor.query<T>(sql, [projectId])).rows;

/** Reads the records of a project that the documentation uses. */
export async function readFacts(executor: Executor, projectId: number): Promise<Facts> {
  return {
    sources: await rowsOf<SourceFacts>(
      executor,
      `select d.id, d.name, d.engine, d.description, m.snapshot, coalesce((
         select json_agg(json_build_object(
             'from', concat_ws('.', nullif(r.source_schema, ''), r.source_table) || ' (' || array_to_string(r.source_columns, ', ') || ')',
             'to', concat_ws('.', nullif(r.target_schema, ''), r.target_table) || ' (' || array_to_string(r.target_columns, ', ') || ')',
             'isVerified', r.origin = 'ForeignKey' or r.verified_at is not null)
           order by r.source_schema, r.source_table, r.source_columns)
         from svc.relationships r where r.data_source_id = d.id and r.archived_at is null), '[]') as relationships
       from svc.project_data_sources l join svc.data_sources d on d.id = l.data_source_id and d.archived_at is null
         left join svc.data_source_metadata m on m.data_source_id = d.id
       where l.project_id = $1 order by lower(d.name), d.id`,
      projectId,
    ),
    queries: await rowsOf<QueryFacts>(
      executor,
      `select q.name, q.description, array_to_string(svc.query_folder_names(q.folder_id), '/') as folder,
         array(select distinct d.name from svc.query_steps st join svc.data_sources d on d.id = st.data_source_id
           where st.query_id = q.id order by 1) as sources,
         (select count(*)::int from svc.query_steps st where st.query_id = q.id) as "stepCount",
         coalesce((select json_agg(json_build_object('cron', s.cron_expression, 'channels', array(
             select distinct r.notification_type from svc.subscription_recipients sr
               join svc.recipients r on r.id = sr.recipient_id where sr.subscription_id = s.id order by 1)) order by s.id)
           from svc.subscriptions s where s.query_id = q.id and s.archived_at is null), '[]') as subscriptions
       from svc.queries q where q.project_id = $1 and q.archived_at is null order by lower(q.name), q.id`,
      projectId,
    ),
    code: await rowsOf<CodeFacts>(
      executor,
      `select c.table_name as "table", c.kind, regexp_replace(r.url, '^.*/|\\.git$', '', 'g') as repository, c.path,
         count(*)::int as "lineCount"
       from svc.code_references c join svc.repositories r on r.id = c.repository_id and r.archived_at is null
       where r.project_id = $1 group by 1, 2, 3, 4 order by lower(c.table_name), 1, 3, 4, 2`,
      projectId,
    ),
    contracts: await rowsOf<ContractFacts>(
      executor,
      `select k.name, k.description, concat_ws('.', nullif(k.schema_name, ''), k.table_name) as "table", d.name as source,
         coalesce((select json_agg(json_build_object('name', u.name, 'type', u.type, 'columns', u.columns) order by u.position)
           from svc.contract_rules u where u.contract_id = k.id and u.archived_at is null), '[]') as rules,
         e.status as "lastStatus", e.score as "lastScore"
       from svc.data_contracts k join svc.data_sources d on d.id = k.data_source_id
         left join lateral (select status, score from svc.contract_evaluations e where e.contract_id = k.id
           and e.status not in ('Queued', 'Running') order by e.created_time desc, e.id desc limit 1) e on true
       where k.project_id = $1 and k.archived_at is null order by lower(k.name), k.id`,
      projectId,
    ),
  };
}
