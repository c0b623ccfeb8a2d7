import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { nullable, Time, wordOf } from '../../shapes.ts';

export const retentionKinds = [
  'Runs',
  'AuditEvents',
  'Notices',
  'Evaluations',
  'Samples',
  'FailedJobs',
  'LlmContents',
] as const;

export const Retention = Type.Object(
  {
    kinds: Type.Array(
      Type.Object({
        kind: wordOf(retentionKinds),
        keepDays: Type.Integer({
          minimum: 1,
          description: 'Days until data is deleted. Runs and audit events are deleted in whole months.',
        }),
        setting: Type.String({ description: 'Key of the setting for this period.' }),
        oldestAt: nullable(Time),
        removedAt: nullable(Time),
      }),
    ),
  },
  { $id: 'Retention' },
);
export type Retention = Static<typeof Retention>;

export const getRetention = defineEndpoint({
  operationId: 'getRetention',
  tag: 'admin-settings',
  summary: 'Retention periods of history, with the time of the oldest data',
  method: 'GET',
  path: '/svc/api/admin-settings/retention',
  responses: { 200: Retention },
  access: access.administerRead('Auditor', 'SecurityAdmin'),
});
