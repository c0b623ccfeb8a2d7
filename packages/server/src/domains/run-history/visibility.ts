import { type RawBuilder, sql } from 'kysely';
import { type Caller, isAdmin } from '../../platform/access/index.ts';

/** Returns true if a caller may see all runs, regardless of the right to read projects. */
export const seesEveryRun = (caller: Caller): boolean => isAdmin(caller);

/**
 * Returns a condition on `r.data_source_ids` and `r.project_id` for the runs that a caller may see:
 * - An Admin sees every run.
 * - A person sees a run if one readable project contains all its data sources, or if all of them are openly reachable.
 * - A confined key or MCP caller sees a run if one of its projects contains all its data sources.
 * - A run that read no source is visible by its project.
 * - A run without stored sources is visible by its project, except to confined callers.
 *
 * @param readableIds  ids of the projects that the caller can read; null: all.
 */
export function visibleRuns(caller: Caller, readableIds: readonly number[] | null): RawBuilder<boolean> {
  if (seesEveryRun(caller)) return sql<boolean>`true`;
  const isConfined = caller.kind === 'apiKey' || caller.kind === 'mcpCaller';
  const openLinks = sql`svc.project_data_sources l join svc.projects op on op.id = l.project_id
    and op.access_mode = 'Open' and op.archived_at is null`;
  // Nearly every run reads one source. For these, the check is one lookup in a set that is computed once.
  const open = isConfined ? sql`` : sql`union all select l.data_source_id from ${openLinks}`;
  const isOfSeenSource = sql<boolean>`r.data_source_ids[1] in (
    select l.data_source_id from svc.project_data_sources l where l.project_id = any(${readableIds}::int[]) ${open})`;
  const heldByOneProject = sql<boolean>`exists (
    select from unnest(${readableIds}::int[]) as reader (project_id)
    where not exists (
      select from unnest(r.data_source_ids) as source (id)
      where not exists (select from svc.project_data_sources l where l.project_id = reader.project_id and l.data_source_id = source.id)))`;
  const openlyReachable = sql<boolean>`not exists (
    select from unnest(r.data_source_ids) as source (id)
    where not exists (select from ${openLinks} where l.data_source_id = source.id))`;
  const isOfProject = sql<boolean>`r.project_id = any(${readableIds}::int[])`;
  return sql<boolean>`case coalesce(cardinality(r.data_source_ids), -1)
    when -1 then ${isConfined ? sql`false` : isOfProject}
    when 0 then ${isOfProject}
    when 1 then ${isOfSeenSource}
    else ${isConfined ? heldByOneProject : sql`${heldByOneProject} or ${openlyReachable}`} end`;
}
