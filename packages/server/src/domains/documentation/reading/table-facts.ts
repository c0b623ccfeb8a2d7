import type { Executor } from '../../../platform/db/index.ts';

/** Facts from a project's records about one table, in addition to its schema. */
export type TableFacts = {
  readonly relationships: readonly {
    readonly fromTable: string;
    readonly fromColumns: readonly string[];
    readonly toTable: string;
    readonly toColumns: readonly string[];
    readonly isVerified: boolean;
  }[];
  readonly contracts: readonly {
    readonly name: string;
    readonly lastStatus: string | null;
    readonly lastScore: number | null;
    readonly rules: readonly {
      readonly name: string;
      readonly type: string;
      readonly columns: readonly string[];
    }[];
  }[];
  readonly code: readonly {
    readonly repository: string;
    readonly path: string;
    readonly kind: string;
    readonly lineCount: number;
  }[];
};

/** Upper bound for facts of each kind. */
export const tableFactsMax = 50;

/** Reads the facts about a table. Contains no permission check: the caller must have checked the project. */
export async function readTableFacts(
  executor: Executor,
  projectId: number,
  about: { readonly dataSourceId: number; readonly schema: string; readonly table: string },
): Promise<TableFacts> {
  const { dataSourceId, schema, table } = about;
  const place = [dataSourceId, schema, table];
  const relationships = await executor.query<TableFacts['relationships'][number]>(
    `select concat_ws('.', nullif(r.source_schema, ''), r.source_table) as "fromTable", r.source_columns as "fromColumns",
       concat_ws('.', nullif(r.target_schema, ''), r.target_table) as "toTable", r.target_columns as "toColumns",
       r.origin = 'ForeignKey' or r.verified_at is not null as "isVerified"
     from svc.relationships r where r.data_source_id = $1 and r.archived_at is null
       and ((r.source_schema, r.source_table) = ($2, $3) or (r.target_schema, r.target_table) = ($2, $3))
     order by 1, r.source_columns, 3 limit ${tableFactsMax}`,
    place,
  );
  const contracts = await executor.query<TableFacts['contracts'][number]>(
    `select k.name, e.status as "lastStatus", e.score as "lastScore",
       coalesce((select json_agg(json_build_object('name', u.name, 'type', u.type, 'columns', u.columns) order by u.position)
         from (select * from svc.contract_rules u where u.contract_id = k.id and u.archived_at is null
           order by u.position limit ${tableFactsMax}) u), '[]') as rules
     from svc.data_contracts k
       left join lateral (select status, score from svc.contract_evaluations e where e.contract_id = k.id
         and e.status not in ('Queued', 'Running') order by e.created_time desc, e.id desc limit 1) e on true
     where k.project_id = $4 and k.data_source_id = $1 and k.schema_name = $2 and k.table_name = $3
       and k.archived_at is null order by lower(k.name), k.id limit ${tableFactsMax}`,
    [...place, projectId],
  );
  const code = await executor.query<TableFacts['code'][number]>(
    `select regexp_replace(r.url, '^.*/|\\.git$', '', 'g') as repository, c.path, c.kind, count(*)::int as "lineCount"
     from svc.code_references c join svc.repositories r on r.id = c.repository_id and r.archived_at is null
     where r.project_id = $1 and lower(c.table_name) in (lower($2), lower($3))
     group by 1, 2, 3 order by 1, 2, 3 limit ${tableFactsMax}`,
    [projectId, table, schema === '' ? table : `${schema}.${table}`],
  );
  return { relationships: relationships.rows, contracts: contracts.rows, code: code.rows };
}
