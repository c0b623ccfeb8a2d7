import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { Id, listQuery, nullable, pageOf, Time, wordOf } from '../shapes.ts';

const BigId = Type.Integer({ minimum: 1 });

/** A security event. It never holds a secret. */
export const AuditEntry = Type.Object(
  {
    id: BigId,
    event: Type.String({ description: '<family>.<what happened>, e.g. keys.api_key_created.' }),
    occurredAt: Time,
    actorKind: wordOf(['user', 'api_key', 'mcp_caller', 'system', 'anonymous']),
    actorUserId: nullable(Id),
    actorUserName: nullable(Type.String()),
    apiKeyId: nullable(Id),
    clientAddress: nullable(Type.String()),
    subjectKind: nullable(Type.String()),
    subjectId: nullable(BigId),
    projectId: nullable(Id),
    traceId: nullable(Type.String()),
    detail: Type.Record(Type.String(), Type.Unknown()),
  },
  { $id: 'AuditEntry' },
);
export type AuditEntry = Static<typeof AuditEntry>;

export const listAudit = defineEndpoint({
  operationId: 'listAudit',
  tag: 'mcp',
  summary: 'Security events and calls of AI clients, newest first; reading it is recorded too',
  method: 'GET',
  path: '/svc/api/mcp/audit',
  query: Type.Object({
    ...listQuery,
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
    userId: Type.Optional(Id),
    apiKeyId: Type.Optional(Id),
    projectId: Type.Optional(Id),
  }),
  responses: { 200: pageOf(AuditEntry) },
  access: access.administerRead('Auditor'),
  refusals: { 400: '`to` lies before `from`, or the span is longer than 93 days.' },
});
