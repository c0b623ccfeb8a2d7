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
  readonly clientAddress: string | null;
  readonly subjectKind: string | null;
  readonly subjectId: number | null;
  readonly projectId: number | null;
  readonly traceId: string | null;
  readonly detail: unknown;
};

export type EventFilter = {
  readonly from: Date;
  readonly to: Date;
  /** An event's name, or the family before its dot. */
  readonly event: string | null;
  readonly userId: number | null;
  readonly apiKeyId: number | null;
  readonly projectId: number | null;
  readonly actorKind: string | null;
  readonly subjectKind: string | null;
  readonly subjectId: number | null;
  readonly traceId: string | null;
};

const where = `where e.occurred_at >= $1 and e.occurred_at <= $2
    and ($3::text is null or e.event = $3 or split_part(e.event, '.', 1) = $3)
    and ($4::int is null or e.actor_user_id = $4) and ($5::int is null or e.api_key_id = $5)
    and ($6::int is null or e.project_id = $6) and ($7::text is null or e.actor_kind = $7)
    and ($8::text is null or e.subject_kind = $8) and ($9::bigint is null or e.subject_id = $9)
    and ($10::text is null or e.trace_id = $10)`;
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
];
const columns = `e.id, e.event, e.occurred_at as "occurredAt", e.actor_kind as "actorKind",
       e.actor_user_id as "actorUserId", u.user_name as "actorUserName", e.api_key_id as "apiKeyId",
       e.client_address as "clientAddress", e.subject_kind as "subjectKind", e.subject_id as "subjectId",
       e.project_id as "projectId", e.trace_id as "traceId", e.detail`;
const from = 'from svc.audit_events e left join svc.users u on u.id = e.actor_user_id';

/** An event, and where it stands among all: its time to the microsecond, which a date does not hold. */
export type PlacedEvent = StoredEvent & { readonly place: string };

/** Events in the order in which they happened, from behind the given one on. */
export async function listEventsAfter(
  executor: Queryable,
  filter: EventFilter,
  after: PlacedEvent | undefined,
  limit: number,
): Promise<PlacedEvent[]> {
  const { rows } = await executor.query<PlacedEvent>(
    `select ${columns}, e.occurred_at::text as place ${from} ${where}
        and ($11::timestamptz is null or (e.occurred_at, e.id) > ($11::timestamptz, $12::bigint))
      order by e.occurred_at, e.id limit $13`,
    [...valuesOf(filter), after?.place ?? null, after?.id ?? null, limit],
  );
  return rows;
}

/** One page of events, and how many there are. */
export async function listEvents(
  executor: Queryable,
  filter: EventFilter,
  page: PageRequest,
): Promise<{ events: StoredEvent[]; totalCount: number }> {
  const values = valuesOf(filter);
  const { rows } = await executor.query<StoredEvent>(
    `select ${columns} ${from}
     ${where} order by ${orderBy(page)} limit $11 offset $12`,
    [...values, page.limit, page.offset],
  );
  const counted = await executor.query<{ count: number }>(
    `select count(*) as count from svc.audit_events e ${where}`,
    values,
  );
  return { events: rows, totalCount: counted.rows[0]?.count ?? 0 };
}
