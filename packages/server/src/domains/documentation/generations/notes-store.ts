import type { Executor, Tx } from '../../../platform/db/index.ts';
import { toStorable } from '../../../platform/text/index.ts';

/** Description of a table by a model, with a hash of the model's input. */
export type TableNote = {
  readonly dataSourceId: number;
  readonly schema: string;
  readonly name: string;
  readonly toldHash: string;
  readonly purpose: string;
};

export async function listNotes(executor: Executor, projectId: number): Promise<TableNote[]> {
  const { rows } = await executor.query<TableNote>(
    `select data_source_id as "dataSourceId", schema_name as schema, table_name as name, told_hash as "toldHash", purpose
     from svc.documentation_table_notes where project_id = $1`,
    [projectId],
  );
  return rows;
}

/** Replaces the descriptions of a model, each under its own data source. */
export async function saveNotes(
  tx: Tx,
  projectId: number,
  model: string,
  notes: readonly TableNote[],
): Promise<void> {
  await tx.query(
    `insert into svc.documentation_table_notes
       (project_id, data_source_id, schema_name, table_name, told_hash, purpose, model)
     select $1, d.id, n.schema_name, n.table_name, n.told_hash, n.purpose, $2
     from unnest($3::int[], $4::text[], $5::text[], $6::text[], $7::text[])
         as n (data_source_id, schema_name, table_name, told_hash, purpose)
       join svc.data_sources d on d.id = n.data_source_id
     on conflict (project_id, data_source_id, schema_name, table_name) do update set told_hash = excluded.told_hash,
       purpose = excluded.purpose, model = excluded.model, created_time = now()`,
    [
      projectId,
      model,
      notes.map(({ dataSourceId }) => dataSourceId),
      notes.map(({ schema }) => schema),
      notes.map(({ name }) => name),
      notes.map(({ toldHash }) => toldHash),
      notes.map(({ purpose }) => toStorable(purpose)),
    ],
  );
}
