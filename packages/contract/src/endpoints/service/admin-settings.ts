import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, nullable, Time, wordOf } from '../../shapes.ts';
import { LlmConnectionInput, LlmConnectionSetting } from '../models/llm-connection.ts';
import { LlmLimitsInput, LlmLimitsSetting } from '../models/llm-limits.ts';

const tag = 'admin-settings';

/** Settings that administrators change at run time, with their names in the API. */
export const adminSettingNames = ['baseUrl', 'defaultTimeZone'] as const;
export type AdminSettingName = (typeof adminSettingNames)[number];

export const AdminSetting = Type.Object({
  value: nullable(Type.String({ description: 'The value in effect.' })),
  configuredValue: nullable(Type.String({ description: 'The value without a change at run time.' })),
  isSetAtRunTime: Type.Boolean(),
  isLocked: Type.Boolean({ description: 'Configuration sets this value. A change returns 409.' }),
  needs: wordOf(['Admin', 'SecurityAdmin']),
});
export type AdminSetting = Static<typeof AdminSetting>;

export const AdminSettingChange = Type.Object({
  id: Id,
  setting: Type.String(),
  oldValue: nullable(Type.String({ description: 'Null: the configured value was in effect.' })),
  newValue: nullable(Type.String()),
  changedAt: Time,
  changedByUserName: nullable(Type.String()),
});
export type AdminSettingChange = Static<typeof AdminSettingChange>;

export const AdminSettings = Type.Object(
  {
    settings: Type.Object({ baseUrl: AdminSetting, defaultTimeZone: AdminSetting }),
    llmConnection: LlmConnectionSetting,
    llmLimits: LlmLimitsSetting,
    history: Type.Array(AdminSettingChange, {
      description: 'The last 200 changes, newest first.',
    }),
  },
  { $id: 'AdminSettings' },
);
export type AdminSettings = Static<typeof AdminSettings>;

export const AdminSettingsInput = Type.Object({
  baseUrl: Type.Optional(
    nullable(
      Type.String({
        maxLength: 500,
        description:
          'Start of links in messages, with the `/svc` segment. Null: as configured. Needs an Admin.',
      }),
    ),
  ),
  defaultTimeZone: Type.Optional(
    nullable(
      Type.String({
        maxLength: 100,
        description:
          'Time zone of schedules without a time zone, such as Europe/Zagreb. Null: as configured.',
      }),
    ),
  ),
  llmConnection: Type.Optional(nullable(LlmConnectionInput)),
  llmLimits: Type.Optional(nullable(LlmLimitsInput)),
});
export type AdminSettingsInput = Static<typeof AdminSettingsInput>;

export const getAdminSettings = defineEndpoint({
  operationId: 'getAdminSettings',
  tag,
  summary: 'Settings that can change at run time, with the history of their changes',
  method: 'GET',
  path: '/svc/api/admin-settings',
  responses: { 200: AdminSettings },
  access: access.administerRead('Auditor', 'SecurityAdmin'),
});

export const updateAdminSettings = defineEndpoint({
  operationId: 'updateAdminSettings',
  tag,
  summary: 'Changes settings; absent settings do not change, and null restores the configured value',
  method: 'PUT',
  path: '/svc/api/admin-settings',
  body: AdminSettingsInput,
  responses: { 200: AdminSettings },
  edits: 'Settings',
  access: access.administer('SecurityAdmin'),
  refusals: {
    403: 'Only an Admin may change the base URL and the LLM connection.',
    409: 'Configuration locks one of the settings.',
  },
});
