import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { BigId, Id, listQuery, mapOf, nullable, pageOf, Time, wordOf } from '../shapes.ts';

/** Kinds of actors of an event. */
export const auditActorKinds = ['user', 'api_key', 'mcp_caller', 'ai_actor', 'system', 'anonymous'] as const;

/** A security event. It never contains a secret. */
export const AuditEntry = Type.Object(
  {
    id: BigId,
    event: Type.String({ description: '<family>.<what happened>, e.g. keys.api_key_created.' }),
    occurredAt: Time,
    actorKind: wordOf(auditActorKinds),
    actorUserId: nullable(Id),
    actorUserName: nullable(Type.String()),
    apiKeyId: nullable(Id),
    apiKeyName: nullable(Type.String()),
    clientAddress: nullable(Type.String()),
    subjectKind: nullable(Type.String()),
    subjectId: nullable(BigId),
    subjectName: nullable(
      Type.String({ description: 'What it is called now; null where it has no name, or is gone.' }),
    ),
    projectId: nullable(Id),
    projectName: nullable(Type.String()),
    traceId: nullable(Type.String()),
    detail: mapOf(Type.Unknown()),
  },
  { $id: 'AuditEntry' },
);
export type AuditEntry = Static<typeof AuditEntry>;

const filters = {
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Part of the event, of a name of whoever did it or what it was done to, of the address or the detail.',
    }),
  ),
  from: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Default: 93 days before `to`, which is the longest span.',
    }),
  ),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Default: now.' })),
  event: Type.Optional(
    Type.String({ maxLength: 100, description: 'An event, or a family of events such as `keys`.' }),
  ),
  actorKind: Type.Optional(wordOf(auditActorKinds)),
  userId: Type.Optional(Id),
  apiKeyId: Type.Optional(Id),
  projectId: Type.Optional(Id),
  subjectKind: Type.Optional(
    Type.String({ maxLength: 100, description: 'What it was done to, e.g. `api_key`, `user`, `project`.' }),
  ),
  subjectId: Type.Optional(BigId),
  traceId: Type.Optional(Type.String({ maxLength: 100, description: 'Events of one request.' })),
};
const range = { 400: '`to` lies before `from`, or the span is longer than 93 days.' };

export const listAudit = defineEndpoint({
  operationId: 'listAudit',
  tag: 'mcp',
  summary: 'Security events and calls of AI clients, newest first; reading it is recorded too',
  method: 'GET',
  path: '/svc/api/mcp/audit',
  query: Type.Object({ ...listQuery, ...filters }),
  responses: { 200: pageOf(AuditEntry) },
  access: access.administerRead('Auditor'),
  refusals: range,
});

export const exportAudit = defineEndpoint({
  operationId: 'exportAudit',
  tag: 'mcp',
  summary: 'The same events as a CSV file, oldest first, all of them; the export is recorded too',
  method: 'GET',
  path: '/svc/api/mcp/audit/export',
  query: Type.Object(filters),
  responses: {
    200: {
      contentType: 'text/csv',
      description:
        'UTF-8 with a byte order mark and a heading. Text that a spreadsheet would take for a formula is led by an apostrophe.',
    },
  },
  sends: ['Content-Disposition'],
  access: access.administerRead('Auditor'),
  refusals: range,
});
