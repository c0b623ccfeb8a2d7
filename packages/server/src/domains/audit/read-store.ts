import type { Queryable } from '../../platform/db/index.ts';
import { orderBy, type PageRequest } from '../../platform/http/index.ts';

export type StoredEvent = {
  readonly id: number;
  readonly event: string;
  readonly occurredAt: Date;
  readonly actorKind: string;
  readonly actorUserId: number | null;
  readonly actorUserName: string | null;
  readonly apiKeyId: number | null;
  readonly apiKeyName: string | null;
  readonly clientAddress: string | null;
  readonly subjectKind: string | null;
  readonly subjectId: number | null;
  readonly subjectName: string | null;
  readonly projectId: number | null;
  readonly projectName: string | null;
  readonly traceId: string | null;
  readonly detail: unknown;
};

export type EventFilter = {
  readonly from: Date;
  readonly to: Date;
  /** Name of an event, or its family: the part before the dot. */
  readonly event: string | null;
  readonly userId: number | null;
  readonly apiKeyId: number | null;
  readonly projectId: number | null;
  readonly actorKind: string | null;
  readonly subjectKind: string | null;
  readonly subjectId: number | null;
  readonly traceId: string | null;
  /** Part of the details of an event, or of the name of its subject. */
  readonly search: string | null;
};

/** Name expression and table for each kind of subject, with the row as `n`. */
const names: Readonly<Record<string, { readonly of: string; readonly from: string }>> = {
  ai_actor: { of: 'n.name', from: 'svc.ai_actors n' },
  api_key: { of: 'n.name', from: 'svc.api_keys n' },
  data_contract: { of: 'n.name', from: 'svc.data_contracts n' },
  data_source: { of: 'n.name', from: 'svc.data_sources n' },
  glossary_term: { of: 'n.term', from: 'svc.glossary_terms n' },
  imported_document: { of: 'n.title', from: 'svc.imported_documents n' },
  migration_job: { of: 'n.name', from: 'svc.migration_jobs n' },
  project: { of: 'n.name', from: 'svc.projects n' },
  query: { of: 'n.name', from: 'svc.queries n' },
  query_folder: { of: 'n.name', from: 'svc.query_folders n' },
  recipient: { of: 'n.name', from: 'svc.recipients n' },
  subscription: { of: 'nq.name', from: 'svc.subscriptions n join svc.queries nq on nq.id = n.query_id' },
  user: { of: 'coalesce(n.display_name, n.user_name)', from: 'svc.users n' },
};
const nameOf = (kind: keyof typeof names, id: string): string =>
  `(select ${names[kind]?.of} from ${names[kind]?.from} where n.id = ${id})`;
const subjectName = `case e.subject_kind ${Object.keys(names)
  .map((kind) => `when '${kind}' then ${nameOf(kind, 'e.subject_id')}`)
  .join(' ')} end`;

/** Finds the named subjects first: they are few compared with the events of the log. */
const namedSubjects = `with found as materialized (${Object.entries(names)
  .map(
    ([kind, { of, from: tables }]) =>
      `select '${kind}' as kind, n.id from ${tables} where $11::text is not null and position(lower($11) in lower(${of})) > 0`,
  )
  .join(' union all ')})`;
const said = `lower(concat_ws(' ', e.event, replace(replace(e.event, '.', ': '), '_', ' '), u.user_name, u.display_name,
      e.client_address, e.trace_id, e.detail::text))`;

const where = `where e.occurred_at >= $1 and e.occurred_at <= $2
    and ($3::text is null or e.event = $3 or split_part(e.event, '.', 1) = $3)
    and ($4::int is null or e.actor_user_id = $4) and ($5::int is null or e.api_key_id = $5)
    and ($6::int is null or e.project_id = $6) and ($7::text is null or e.actor_kind = $7)
    and ($8::text is null or e.subject_kind = $8) and ($9::bigint is null or e.subject_id = $9)
    and ($10::text is null or e.trace_id = $10)
    and ($11::text is null or position(lower($11) in ${said}) > 0
      or (e.subject_kind, e.subject_id) in (select f.kind, f.id from found f)
      or e.project_id in (select f.id from found f where f.kind = 'project')
      or e.api_key_id in (select f.id from found f where f.kind = 'api_key'))`;
const valuesOf = (filter: EventFilter): unknown[] => [
  filter.from,
  filter.to,
  filter.event,
  filter.userId,
  filter.apiKeyId,
  filter.projectId,
  filter.actorKind,
  filter.subjectKind,
  filter.subjectId,
  filter.traceId,
  filter.search,
];
const columns = `e.id, e.event, e.occurred_at as "occurredAt", e.actor_kind as "actorKind",
       e.actor_user_id as "actorUserId", u.user_name as "actorUserName", e.api_key_id as "apiKeyId",
       ${nameOf('api_key', 'e.api_key_id')} as "apiKeyName",
       e.client_address as "clientAddress", e.subject_kind as "subjectKind", e.subject_id as "subjectId",
       ${subjectName} as "subjectName", e.project_id as "projectId",
       ${nameOf('project', 'e.project_id')} as "projectName", e.trace_id as "traceId", e.detail`;
const from = 'from svc.audit_events e left join svc.users u on u.id = e.actor_user_id';

/** An event with its position in the order of all events: its time in microseconds, which a `Date` cannot represent. */
export type PlacedEvent = StoredEvent & { readonly place: string };

/** Lists events in chronological order, after the given one. */
export async function listEventsAfter(
  executor: Queryable,
  filter: EventFilter,
  after: PlacedEvent | undefined,
  limit: number,
): Promise<PlacedEvent[]> {
  const { rows } = await executor.query<PlacedEvent>(
    `${namedSubjects} select ${columns}, e.occurred_at::text as place ${from} ${where}
        and ($12::timestamptz is null or (e.occurred_at, e.id) > ($12::timestamptz, $13::bigint))
      order by e.occurred_at, e.id limit $14`,
    [...valuesOf(filter), after?.place ?? null, after?.id ?? null, limit],
  );
  return rows;
}

/** Lists one page of events with their total number. */
export async function listEvents(
  executor: Queryable,
  filter: EventFilter,
  page: PageRequest,
): Promise<{ events: StoredEvent[]; totalCount: number }> {
  const values = valuesOf(filter);
  const { rows } = await executor.query<StoredEvent>(
    `${namedSubjects} select ${columns} ${from}
     ${where} order by ${orderBy(page)} limit $12 offset $13`,
    [...values, page.limit, page.offset],
  );
  const counted = await executor.query<{ count: number }>(
    `${namedSubjects} select count(*) as count ${from} ${where}`,
    values,
  );
  return { events: rows, totalCount: counted.rows[0]?.count ?? 0 };
}
