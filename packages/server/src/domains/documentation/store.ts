import type { DocumentationKind, GeneratedKind } from '@svc/contract';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { toStorable } from '../../platform/text/index.ts';
import type { Generated } from './sections.ts';

export type SectionRow = {
  readonly kind: DocumentationKind;
  readonly content: string;
  readonly provenance: 'Facts' | 'Model' | 'Person';
  readonly proposedContent: string | null;
  readonly proposedProvenance: 'Facts' | 'Model' | null;
  readonly generatedAt: Date | null;
  readonly editedByUserName: string | null;
  readonly editedAt: Date | null;
  readonly version: number;
};

const select = `select s.kind, s.content, s.provenance, s.proposed_content as "proposedContent",
    s.proposed_provenance as "proposedProvenance",
    s.generated_at as "generatedAt", u.user_name as "editedByUserName", s.edited_at as "editedAt", s.version
  from svc.documentation_sections s left join svc.users u on u.id = s.edited_by_user_id`;

export async function listSections(executor: Executor, projectId: number): Promise<SectionRow[]> {
  const { rows } = await executor.query<SectionRow>(`${select} where s.project_id = $1`, [projectId]);
  return rows;
}

export async function findSection(
  executor: Executor,
  projectId: number,
  kind: DocumentationKind,
  { forUpdate = false }: { readonly forUpdate?: boolean } = {},
): Promise<SectionRow | undefined> {
  const { rows } = await executor.query<SectionRow>(
    `${select} where s.project_id = $1 and s.kind = $2 ${forUpdate ? 'for update of s' : ''}`,
    [projectId, kind],
  );
  return rows[0];
}

/** Replaces the generated text. A person's text remains next to it. */
export async function storeGenerated(
  tx: Tx,
  projectId: number,
  sections: Readonly<Record<GeneratedKind, Generated>>,
): Promise<void> {
  const kinds = Object.entries(sections);
  await tx.query(
    `insert into svc.documentation_sections as s (project_id, kind, content, provenance, generated_at)
     select $1, g.kind, g.content, g.provenance, now()
     from unnest($2::text[], $3::text[], $4::text[]) as g (kind, content, provenance) order by g.kind
     on conflict (project_id, kind) do update set generated_at = now(),
       content = case when s.provenance = 'Person' then s.content else excluded.content end,
       provenance = case when s.provenance = 'Person' then s.provenance else excluded.provenance end,
       proposed_content = case when s.provenance = 'Person' and s.content <> excluded.content then excluded.content end,
       proposed_provenance = case when s.provenance = 'Person' and s.content <> excluded.content
         then excluded.provenance end,
       version = s.version + (case when s.provenance = 'Person'
         then s.proposed_content is distinct from nullif(excluded.content, s.content)
         else s.content <> excluded.content end)::int`,
    [
      projectId,
      kinds.map(([kind]) => kind),
      kinds.map(([, { content }]) => toStorable(content)),
      kinds.map(([, { provenance }]) => provenance),
    ],
  );
}

/** Writes a section: a person's text, or an accepted proposal, which retains the provenance of the proposal. */
export async function writeSection(
  tx: Tx,
  projectId: number,
  kind: DocumentationKind,
  {
    content,
    userId,
    isProposal,
  }: { readonly content: string; readonly userId: number | null; readonly isProposal: boolean },
): Promise<void> {
  await tx.query(
    `insert into svc.documentation_sections as s (project_id, kind, content, provenance, edited_by_user_id, edited_at)
     values ($1, $2, $3, 'Person', $4, now())
     on conflict (project_id, kind) do update set content = excluded.content,
       provenance = case when $5 then s.proposed_provenance else 'Person' end,
       edited_by_user_id = case when not $5 then $4::int end, edited_at = case when not $5 then now() end,
       proposed_content = case when not $5 then s.proposed_content end,
       proposed_provenance = case when not $5 then s.proposed_provenance end, version = s.version + 1`,
    [projectId, kind, content, userId, isProposal],
  );
}

export async function dropProposal(tx: Tx, projectId: number, kind: DocumentationKind): Promise<void> {
  await tx.query(
    `update svc.documentation_sections set proposed_content = null, proposed_provenance = null, version = version + 1
     where project_id = $1 and kind = $2 and proposed_content is not null`,
    [projectId, kind],
  );
}

/** Returns the name of a live project; undefined when it does not exist. */
export async function projectName(executor: Executor, projectId: number): Promise<string | undefined> {
  const { rows } = await executor.query<{ name: string }>(
    'select name from svc.projects where id = $1 and archived_at is null',
    [projectId],
  );
  return rows[0]?.name;
}

/** Creates an empty section. Returns false when it already exists. */
export async function beginSection(
  tx: Tx,
  projectId: number,
  kind: DocumentationKind,
  userId: number | null,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into svc.documentation_sections (project_id, kind, content, provenance, edited_by_user_id, edited_at)
     values ($1, $2, '', 'Person', $3, now()) on conflict (project_id, kind) do nothing`,
    [projectId, kind, userId],
  );
  return (rowCount ?? 0) > 0;
}

/** Extends the text of a locked section. The generated text next to it does not change. */
export async function extendSection(
  tx: Tx,
  projectId: number,
  kind: DocumentationKind,
  {
    content,
    userId,
    isNew,
  }: { readonly content: string; readonly userId: number | null; readonly isNew: boolean },
): Promise<void> {
  await tx.query(
    `update svc.documentation_sections set content = $3, provenance = 'Person', edited_by_user_id = $4, edited_at = now(),
       version = version + $5 where project_id = $1 and kind = $2`,
    [projectId, kind, content, userId, isNew ? 0 : 1],
  );
}
