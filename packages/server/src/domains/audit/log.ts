import type { AuditEntry, ListQuery, Page } from '@svc/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import { badRequest, pageOf, pageRequest } from '../../platform/http/index.ts';
import { listEvents, type StoredEvent } from './read-store.ts';
import type { Actor, Audit } from './service.ts';

export type AuditQuery = ListQuery & {
  from?: string;
  to?: string;
  event?: string;
  userId?: number;
  apiKeyId?: number;
  projectId?: number;
};

export type AuditLog = {
  /** A page of events. Reading is an event itself. */
  readonly list: (query: AuditQuery, by: Actor) => Promise<Page<AuditEntry>>;
};

const dayMs = 86_400_000;
const spanDaysMax = 93;
const list = {
  sortable: { occurredAt: 'e.occurred_at', event: 'e.event collate "C"', id: 'e.id' },
  byDefault: '-occurredAt,-id',
  unique: 'e.id',
};

const actorKinds = ['user', 'api_key', 'mcp_caller', 'system', 'anonymous'] as const;

export function createAuditLog(deps: { database: Database; clock: Clock; audit: Audit }): AuditLog {
  const { database, clock, audit } = deps;
  return {
    list: async (query, by) => {
      const to = query.to === undefined ? clock.now() : new Date(query.to);
      const from =
        query.from === undefined ? new Date(to.getTime() - spanDaysMax * dayMs) : new Date(query.from);
      if (from > to) throw badRequest('invalid-range', 'The range ends before it begins.');
      if (to.getTime() - from.getTime() > spanDaysMax * dayMs)
        throw badRequest('invalid-range', `The range may span ${spanDaysMax} days at most.`);
      const page = pageRequest(query, list);
      const filter = {
        from,
        to,
        event: query.event ?? null,
        userId: query.userId ?? null,
        apiKeyId: query.apiKeyId ?? null,
        projectId: query.projectId ?? null,
      };
      const { events, totalCount } = await listEvents(database, filter, page);
      await audit.record(database, {
        event: 'audit.read',
        by,
        detail: { filters: Object.keys(query).toSorted() },
      });
      return pageOf(events.map(present), totalCount, page);
    },
  };
}

const present = (event: StoredEvent): AuditEntry => ({
  id: event.id,
  event: event.event,
  occurredAt: event.occurredAt.toISOString(),
  actorKind: actorKinds.find((kind) => kind === event.actorKind) ?? 'system',
  actorUserId: event.actorUserId,
  actorUserName: event.actorUserName,
  apiKeyId: event.apiKeyId,
  clientAddress: event.clientAddress,
  subjectKind: event.subjectKind,
  subjectId: event.subjectId,
  projectId: event.projectId,
  traceId: event.traceId,
  detail: event.detail as Record<string, unknown>,
});
