import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../platform/http/index.ts';
import type { Document } from './types.ts';

export type DocumentRow = {
  readonly id: number;
  readonly source: string;
  readonly path: string;
  readonly title: string;
  readonly byteLength: number;
  readonly importedAt: Date;
  readonly isUploaded: boolean;
  readonly uploadedBy: string | null;
};

export const sortable: Sortable = {
  title: 'lower(d.title) collate "C"',
  path: 'd.path collate "C"',
  importedAt: 'd.imported_at',
};

const columns = `d.id, d.source, d.path, d.title, d.byte_length as "byteLength", d.imported_at as "importedAt", d.is_uploaded as "isUploaded",
  coalesce(u.display_name, u.user_name) as "uploadedBy"`;
const live = `from svc.imported_documents d left join svc.users u on u.id = d.uploaded_by_user_id
  where d.project_id = $1 and d.archived_at is null`;

/** Returns one page of a project's live documents, and the total. */
export async function listDocuments(
  executor: Executor,
  projectId: number,
  search: string | null,
  page: PageRequest,
): Promise<{ rows: DocumentRow[]; total: number }> {
  const condition = `${live} and ($2::text is null or position(lower($2) in lower(d.title)) > 0
    or position(lower($2) in lower(d.path)) > 0 or position(lower($2) in lower(d.content)) > 0)`;
  const { rows } = await executor.query<DocumentRow>(
    `select ${columns} ${condition} order by ${orderBy(page)} limit $3 offset $4`,
    [projectId, search, page.limit, page.offset],
  );
  const counted = await executor.query<{ total: number }>(`select count(*)::int as total ${condition}`, [
    projectId,
    search,
  ]);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

export async function findDocument(
  executor: Executor,
  projectId: number,
  id: number,
): Promise<(DocumentRow & { readonly content: string }) | undefined> {
  const { rows } = await executor.query<DocumentRow & { content: string }>(
    `select ${columns}, d.content ${live} and d.id = $2`,
    [projectId, id],
  );
  return rows[0];
}

/** Locks the imports of all processes until the transaction ends. */
export const lockImports = async (tx: Tx): Promise<void> =>
  void (await tx.query("select pg_advisory_xact_lock(hashtextextended('svc.imported_documents', 0))"));

/** Returns the number of a new reading of a source. A reading that begins later has a higher number, in all processes. */
export async function startReading(executor: Executor, projectId: number, source: string): Promise<number> {
  const { rows } = await executor.query<{ number: number }>(
    `insert into svc.document_readings as r (project_id, source, last_started) values ($1, $2, 1)
      on conflict (project_id, source) do update set last_started = r.last_started + 1
      returning last_started as number`,
    [projectId, source],
  );
  const [row] = rows;
  if (!row) throw new Error('A reading of documents has no number.');
  return row.number;
}

/** Marks a reading as stored. Returns false if a newer reading is stored already. */
export async function claimReading(
  tx: Tx,
  projectId: number,
  source: string,
  number: number,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update svc.document_readings set last_stored = $3
      where project_id = $1 and source = $2 and last_stored < $3`,
    [projectId, source, number],
  );
  return (rowCount ?? 0) > 0;
}

/** Returns the ids of the live projects with the id or the exact name. */
export async function projectsNamed(executor: Executor, project: number | string): Promise<number[]> {
  const { rows } = await executor.query<{ id: number }>(
    `select id from svc.projects where archived_at is null and ${typeof project === 'number' ? 'id' : 'name'} = $1`,
    [project],
  );
  return rows.map(({ id }) => id);
}

/**
 * Stores new and changed documents, restores archived documents that the source has again, and archives documents that it
 * no longer has.
 */
export async function storeSource(
  tx: Tx,
  projectId: number,
  source: string,
  documents: readonly Document[],
): Promise<{ imported: number; archived: number }> {
  const stored = await tx.query(
    `insert into svc.imported_documents as d (project_id, source, path, title, content, content_hash, byte_length)
      select $1, $2, path, title, content, decode(hash, 'hex'), byte_length
        from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::int[]) as given(path, title, content, hash, byte_length)
      on conflict (project_id, is_uploaded, source, path) do update
        set title = excluded.title, content = excluded.content, content_hash = excluded.content_hash,
          byte_length = excluded.byte_length, imported_at = now(), archived_at = null
        where d.content_hash <> excluded.content_hash or d.archived_at is not null`,
    [
      projectId,
      source,
      documents.map(({ path }) => path),
      documents.map(({ title }) => title),
      documents.map(({ content }) => content),
      documents.map(({ hash }) => hash.toString('hex')),
      documents.map(({ byteLength }) => byteLength),
    ],
  );
  const archived = await tx.query(
    `update svc.imported_documents set archived_at = now()
      where project_id = $1 and source = $2 and not is_uploaded and archived_at is null and path <> all($3)`,
    [projectId, source, documents.map(({ path }) => path)],
  );
  return { imported: stored.rowCount ?? 0, archived: archived.rowCount ?? 0 };
}

/** Number of a reading that reads a source of a project as absent. */
export type AbsentSource = { readonly projectId: number; readonly source: string; readonly reading: number };

/**
 * Returns the numbers of new readings of all stored and read sources, except the specified sources. They read each of these
 * sources as absent.
 */
export async function startAbsences(
  tx: Tx,
  present: readonly { readonly projectId: number; readonly source: string }[],
): Promise<AbsentSource[]> {
  const { rows } = await tx.query<AbsentSource>(
    `insert into svc.document_readings as r (project_id, source, last_started)
      select o.project_id, o.source, 1 from (
          select project_id, source from svc.imported_documents where not is_uploaded and archived_at is null
          union
          select project_id, source from svc.document_readings where last_stored < last_started) as o
        where not exists (
          select from unnest($1::int[], $2::text[]) as p (project_id, source)
           where p.project_id = o.project_id and p.source = o.source)
      on conflict (project_id, source) do update set last_started = r.last_started + 1
      returning project_id as "projectId", source, last_started as reading`,
    [present.map(({ projectId }) => projectId), present.map(({ source }) => source)],
  );
  return rows;
}

/** Archives the documents of a source. Returns their number. */
export async function archiveSource(tx: Tx, projectId: number, source: string): Promise<number> {
  const { rowCount } = await tx.query(
    `update svc.imported_documents set archived_at = now()
      where project_id = $1 and source = $2 and not is_uploaded and archived_at is null`,
    [projectId, source],
  );
  return rowCount ?? 0;
}

/** Result of a search. */
export type FoundDocument = Pick<DocumentRow, 'id' | 'title' | 'path'> & {
  /** The first characters of the text. */
  readonly excerpt: string;
  /** Title, path and text together contain each of the words. */
  readonly hasEveryWord: boolean;
};

const searchedMax = 500;
const excerptLength = 1_000;

/** Returns at most 500 live documents of a project. Documents with every word are first. Ignores case. */
export async function searchDocuments(
  executor: Executor,
  projectId: number,
  words: readonly string[],
): Promise<FoundDocument[]> {
  const { rows } = await executor.query<FoundDocument>({
    name: 'imported-documents-search',
    // OFFSET 0 prevents the planner from computing the text for each word.
    text: `select d.id, d.title, d.path, left(d.content, ${excerptLength}) as excerpt,
        cardinality($2::text[]) > 0 and not exists (select from unnest($2::text[]) as one(word)
          where position(lower(word) in whole.text) = 0) as "hasEveryWord"
      from svc.imported_documents d
        cross join lateral (select lower(concat_ws(' ', d.title, d.path, d.content)) as text offset 0) whole
      where d.project_id = $1 and d.archived_at is null
      order by 5 desc, lower(d.title), d.id limit ${searchedMax}`,
    values: [projectId, words],
  });
  return rows;
}
