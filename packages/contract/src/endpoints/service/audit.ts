import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { BigId, Id, listQuery, mapOf, nullable, pageOf, Time, wordOf } from '../../shapes.ts';

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
      Type.String({
        description: 'Current name of the subject; null if it has no name or no longer exists.',
      }),
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
        "Part of the event, of the actor's or the subject's name, of the address or of the detail.",
    }),
  ),
  from: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Start of the time range. Default: 93 days before `to`, which is also the longest range.',
    }),
  ),
  to: Type.Optional(
    Type.String({ format: 'date-time', description: 'End of the time range. Default: now.' }),
  ),
  event: Type.Optional(
    Type.String({ maxLength: 100, description: 'An event, or a family of events such as `keys`.' }),
  ),
  actorKind: Type.Optional(wordOf(auditActorKinds)),
  userId: Type.Optional(Id),
  apiKeyId: Type.Optional(Id),
  projectId: Type.Optional(Id),
  subjectKind: Type.Optional(
    Type.String({ maxLength: 100, description: 'Kind of the subject, e.g. `api_key`, `user`, `project`.' }),
  ),
  subjectId: Type.Optional(BigId),
  traceId: Type.Optional(Type.String({ maxLength: 100, description: 'Events of one request.' })),
};
const range = { 400: '`to` is before `from`, or the time range is longer than 93 days.' };

export const listAudit = defineEndpoint({
  operationId: 'listAudit',
  tag: 'mcp',
  summary: 'Security events and calls of AI clients, newest first; the audit log also records this request',
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
  summary: 'All matching events as a CSV file, oldest first; the audit log also records the export',
  method: 'GET',
  path: '/svc/api/mcp/audit/export',
  query: Type.Object(filters),
  responses: {
    200: {
      contentType: 'text/csv',
      description:
        'UTF-8 with a byte order mark and a header row. Text that a spreadsheet would interpret as a formula starts with an apostrophe.',
    },
  },
  sends: ['Content-Disposition'],
  access: access.administerRead('Auditor'),
  refusals: range,
});
