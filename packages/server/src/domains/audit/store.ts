import type { Queryable } from '../../platform/db/index.ts';

export type AuditRow = {
  readonly event: string;
  readonly occurredAt: Date | null;
  readonly actorKind: string;
  readonly actorUserId: number | null;
  readonly apiKeyId: number | null;
  readonly clientAddress: string | null;
  readonly subjectKind: string | null;
  readonly subjectId: number | null;
  readonly projectId: number | null;
  readonly traceId: string | null;
  readonly detail: unknown;
};

/** Writes events in one statement. It is part of every change and therefore a prepared statement. */
export async function insertEvents(executor: Queryable, rows: readonly AuditRow[]): Promise<void> {
  const [first, ...more] = rows;
  if (first && more.length === 0) return insertOne(executor, first);
  await executor.query({
    name: 'audit-insert',
    text: `insert into svc.audit_events (event, occurred_at, actor_kind, actor_user_id, api_key_id,
             client_address, subject_kind, subject_id, project_id, trace_id, detail)
           select e.event, coalesce(e."occurredAt", now()), e."actorKind", e."actorUserId", e."apiKeyId",
                  e."clientAddress", e."subjectKind", e."subjectId", e."projectId", e."traceId", e.detail
             from jsonb_to_recordset($1::jsonb) as e(event text, "occurredAt" timestamptz, "actorKind" text,
                  "actorUserId" integer, "apiKeyId" integer, "clientAddress" text, "subjectKind" text,
                  "subjectId" bigint, "projectId" integer, "traceId" text, detail jsonb)`,
    values: [JSON.stringify(rows)],
  });
}

/** Writes one event, the usual case. Without JSON parsing it takes two thirds of the time. */
async function insertOne(executor: Queryable, row: AuditRow): Promise<void> {
  await executor.query({
    name: 'audit-insert-one',
    text: `insert into svc.audit_events (event, occurred_at, actor_kind, actor_user_id, api_key_id,
             client_address, subject_kind, subject_id, project_id, trace_id, detail)
           values ($1, coalesce($2::timestamptz, now()), $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [
      row.event,
      row.occurredAt,
      row.actorKind,
      row.actorUserId,
      row.apiKeyId,
      row.clientAddress,
      row.subjectKind,
      row.subjectId,
      row.projectId,
      row.traceId,
      JSON.stringify(row.detail),
    ],
  });
}
