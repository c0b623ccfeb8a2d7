import type { DocumentationCause, DocumentationKind } from '@svc/contract';
import type { Executor, Tx } from '../../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../../platform/http/index.ts';

type Provenance = 'Facts' | 'Model' | 'Person';

/** A section whose text differs from the last version that changed it. */
export type ChangedSection = {
  readonly kind: DocumentationKind;
  readonly content: string;
  readonly provenance: Provenance;
  readonly previousContent: string | null;
};

export type Change = {
  readonly kind: DocumentationKind;
  readonly provenance: Provenance;
  readonly addedLines: number;
  readonly removedLines: number;
};

export type VersionRow<C = Change> = {
  readonly number: number;
  readonly cause: DocumentationCause;
  readonly madeByUserName: string | null;
  readonly createdTime: Date;
  readonly changes: readonly C[];
};

/** Versions stored per project. */
const keptMax = 50;

export const versionSortable: Sortable = { number: 'v.number' };

/** Returns SQL for the text of a section before a version, while that version is stored. */
const before = (projectId: string, kind: string, number: string) =>
  `(select e.content from svc.documentation_version_sections e join svc.documentation_versions w on w.id = e.version_id
    where w.project_id = ${projectId} and e.kind = ${kind} and w.number < ${number} order by w.number desc limit 1)`;

/** Serialises the creation of versions of a project until the transaction ends. */
export async function lockVersions(tx: Tx, projectId: number): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('documentation ' || $1::int, 0))`, [
    projectId,
  ]);
}

export async function listChanged(tx: Tx, projectId: number): Promise<ChangedSection[]> {
  const { rows } = await tx.query<ChangedSection>(
    `select * from (
       select s.kind, s.content, s.provenance,
         ${before('s.project_id', 's.kind', '2147483647')} as "previousContent"
       from svc.documentation_sections s where s.project_id = $1) now
     where content is distinct from "previousContent"`,
    [projectId],
  );
  return rows;
}

export async function insertVersion(
  tx: Tx,
  projectId: number,
  origin: { readonly cause: DocumentationCause; readonly userId: number | null },
  sections: readonly (Change & { readonly content: string })[],
): Promise<void> {
  await tx.query(
    `with made as (
       insert into svc.documentation_versions (project_id, number, cause, made_by_user_id)
       select $1, coalesce(max(number), 0) + 1, $2, $3 from svc.documentation_versions where project_id = $1
       returning id)
     insert into svc.documentation_version_sections (version_id, kind, content, provenance, added_lines, removed_lines)
     select made.id, s.* from made, jsonb_to_recordset($4) as s (
       kind text, content text, provenance text, "addedLines" int, "removedLines" int)`,
    [projectId, origin.cause, origin.userId, JSON.stringify(sections)],
  );
}

/** Deletes the oldest versions, except versions that contain the current text of a section. */
export async function dropOldVersions(tx: Tx, projectId: number): Promise<void> {
  await tx.query(
    `delete from svc.documentation_versions v
     where v.project_id = $1
       and v.number <= (select max(number) - ${keptMax} from svc.documentation_versions where project_id = $1)
       and not exists (
         select from svc.documentation_version_sections s where s.version_id = v.id and not exists (
           select from svc.documentation_version_sections n join svc.documentation_versions w on w.id = n.version_id
           where w.project_id = $1 and n.kind = s.kind and w.number > v.number))`,
    [projectId],
  );
}

const versionColumns = `v.number, v.cause, u.user_name as "madeByUserName", v.created_time as "createdTime"`;
const versionFrom = 'svc.documentation_versions v left join svc.users u on u.id = v.made_by_user_id';
const changeMembers = `'kind', s.kind, 'provenance', s.provenance, 'addedLines', s.added_lines,
  'removedLines', s.removed_lines`;

export async function listVersions(
  executor: Executor,
  projectId: number,
  page: PageRequest,
): Promise<{ rows: VersionRow[]; totalCount: number }> {
  const { rows } = await executor.query<VersionRow>(
    `select ${versionColumns}, (select jsonb_agg(jsonb_build_object(${changeMembers}))
       from svc.documentation_version_sections s where s.version_id = v.id) as changes
     from ${versionFrom} where v.project_id = $1 order by ${orderBy(page)} limit $2 offset $3`,
    [projectId, page.limit, page.offset],
  );
  const counted = await executor.query<{ count: number }>(
    'select count(*)::int as count from svc.documentation_versions where project_id = $1',
    [projectId],
  );
  return { rows, totalCount: counted.rows[0]?.count ?? 0 };
}

export type DetailedChange = Change & Pick<ChangedSection, 'content' | 'previousContent'>;

export async function findVersion(
  executor: Executor,
  projectId: number,
  number: number,
): Promise<VersionRow<DetailedChange> | undefined> {
  const { rows } = await executor.query<VersionRow<DetailedChange>>(
    `select ${versionColumns}, (select jsonb_agg(jsonb_build_object(${changeMembers}, 'content', s.content,
         'previousContent', ${before('v.project_id', 's.kind', 'v.number')}))
       from svc.documentation_version_sections s where s.version_id = v.id) as changes
     from ${versionFrom} where v.project_id = $1 and v.number = $2`,
    [projectId, number],
  );
  return rows[0];
}
