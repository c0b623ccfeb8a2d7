import {
  type AuditEntry,
  auditActorKinds,
  type ListQuery,
  type listAudit,
  type Page,
  plural,
  type QueryOf,
} from '@svc/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import { badRequest, pageOf, pageRequest } from '../../platform/http/index.ts';
import { eventsAsCsv } from './csv.ts';
import { type EventFilter, listEvents, listEventsAfter, type StoredEvent } from './read-store.ts';
import type { Actor, Audit } from './service.ts';

export type AuditFilters = Omit<QueryOf<typeof listAudit>, keyof ListQuery>;

export type AuditLog = {
  /** Returns a page of events. The read itself is recorded as an event. */
  readonly list: (query: ListQuery & AuditFilters, by: Actor) => Promise<Page<AuditEntry>>;
  /**
   * Exports all events of a filter as CSV, oldest first, at the pace of the reader. The export itself is recorded as an
   * event.
   */
  readonly exportCsv: (query: AuditFilters, by: Actor) => Promise<AsyncIterable<string>>;
};

const dayMs = 86_400_000;
const spanDaysMax = 93;
const list = {
  sortable: { occurredAt: 'e.occurred_at', event: 'e.event collate "C"', id: 'e.id' },
  byDefault: '-occurredAt,-id',
  unique: 'e.id',
};

/** Builds the filter of a query. @throws a 400 refusal if the range is reversed or too long. */
function filterOf(query: AuditFilters, now: Date): EventFilter {
  const to = query.to === undefined ? now : new Date(query.to);
  const from = query.from === undefined ? new Date(to.getTime() - spanDaysMax * dayMs) : new Date(query.from);
  if (from > to) throw badRequest('invalid-range', 'The range ends before it begins.');
  if (to.getTime() - from.getTime() > spanDaysMax * dayMs)
    throw badRequest('invalid-range', `The range may span ${plural(spanDaysMax, 'day')} at most.`);
  return {
    from,
    to,
    event: query.event ?? null,
    userId: query.userId ?? null,
    apiKeyId: query.apiKeyId ?? null,
    projectId: query.projectId ?? null,
    actorKind: query.actorKind ?? null,
    subjectKind: query.subjectKind ?? null,
    subjectId: query.subjectId ?? null,
    traceId: query.traceId ?? null,
    search: query.search?.trim() || null,
  };
}

export function createAuditLog(deps: { database: Database; clock: Clock; audit: Audit }): AuditLog {
  const { database, clock, audit } = deps;
  return {
    list: async (query, by) => {
      const filter = filterOf(query, clock.now());
      const page = pageRequest(query, list);
      const { events, totalCount } = await listEvents(database, filter, page);
      await audit.record(database, {
        event: 'audit.read',
        by,
        detail: { filters: Object.keys(query).toSorted() },
      });
      return pageOf(events.map(present), totalCount, page);
    },
    exportCsv: async (query, by) => {
      const filter = filterOf(query, clock.now());
      await audit.record(database, {
        event: 'audit.exported',
        by,
        detail: { ...query, from: filter.from.toISOString(), to: filter.to.toISOString() },
      });
      return eventsAsCsv((after, limit) => listEventsAfter(database, filter, after, limit));
    },
  };
}

const present = (event: StoredEvent): AuditEntry => ({
  id: event.id,
  event: event.event,
  occurredAt: event.occurredAt.toISOString(),
  actorKind: auditActorKinds.find((kind) => kind === event.actorKind) ?? 'system',
  actorUserId: event.actorUserId,
  actorUserName: event.actorUserName,
  apiKeyId: event.apiKeyId,
  apiKeyName: event.apiKeyName,
  clientAddress: event.clientAddress,
  subjectKind: event.subjectKind,
  subjectId: event.subjectId,
  subjectName: event.subjectName,
  projectId: event.projectId,
  projectName: event.projectName,
  traceId: event.traceId,
  detail: event.detail as Record<string, unknown>,
});
