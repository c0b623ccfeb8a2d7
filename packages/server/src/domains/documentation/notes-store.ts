import type { Executor, Tx } from '../../platform/db/index.ts';
import { toStorable } from '../../platform/text/index.ts';

/** What a model said of a table, and of what it was told then. */
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

/** Keeps what a model said, in place of what it said before. */
export async function saveNotes(
  tx: Tx,
  projectId: number,
  model: string,
  notes: readonly TableNote[],
): Promise<void> {
  await tx.query(
    `insert into svc.documentation_table_notes
       (project_id, data_source_id, schema_name, table_name, told_hash, purpose, model)
     select $1, d.id, n.* , $2 from svc.data_sources d,
       unnest($4::text[], $5::text[], $6::text[], $7::text[]) as n (schema_name, table_name, told_hash, purpose)
     where d.id = $3
     on conflict (project_id, data_source_id, schema_name, table_name) do update set told_hash = excluded.told_hash,
       purpose = excluded.purpose, model = excluded.model, created_time = now()`,
    [
      ...[projectId, model, notes[0]?.dataSourceId ?? 0],
      notes.map(({ schema }) => schema),
      notes.map(({ name }) => name),
      notes.map(({ toldHash }) => toldHash),
      notes.map(({ purpose }) => toStorable(purpose)),
    ],
  );
}
