import { row } from '../expectation.ts';
import { admins, adminsAnd } from '../presets.ts';

const settingReaders = adminsAnd('auditor', 'securityAdmin');
const settingWriters = adminsAnd('securityAdmin');

/** Settings that change at run time, and the audit. */
export const settingRows = [
  row('GET /svc/api/admin-settings', settingReaders, 'Read by an Auditor or a SecurityAdmin.'),
  row('GET /svc/api/admin-settings/retention', settingReaders, 'Read by an Auditor or a SecurityAdmin.'),
  row('PUT /svc/api/admin-settings', settingWriters, 'Written by a SecurityAdmin.', {
    variant: 'default time zone',
  }),
  row('PUT /svc/api/admin-settings', admins, 'The base URL needs an Admin.', { variant: 'base URL' }),
  row('PUT /svc/api/admin-settings', admins, 'The LLM connection needs an Admin.', {
    variant: 'LLM connection',
  }),
  row('POST /svc/api/admin-settings/test-llm', settingWriters, 'Testing the LLM needs a SecurityAdmin.'),
  row('POST /svc/api/admin-settings/test-llm', admins, 'A connection that is not stored needs an Admin.', {
    variant: 'draft',
  }),
  row('GET /svc/api/mcp/settings', settingReaders, 'Read by an Auditor or a SecurityAdmin.'),
  row('PUT /svc/api/mcp/settings', settingWriters, 'Written by a SecurityAdmin.'),
  row('GET /svc/api/mcp/settings/history', settingReaders, 'Who changed what is read like the settings.'),
  row('GET /svc/api/mcp/projects', settingReaders, 'What projects set is read like the settings.'),
  row(
    'GET /svc/api/mcp/projects/{projectId}/settings',
    settingReaders,
    'Settings of a project are read by an Auditor or a SecurityAdmin.',
  ),
  row(
    'PUT /svc/api/mcp/projects/{projectId}/settings',
    settingWriters,
    'Settings of a project are written by a SecurityAdmin.',
  ),
  row('GET /svc/api/mcp/audit', adminsAnd('auditor'), 'The audit log needs an Auditor.'),
  row('GET /svc/api/mcp/audit/export', adminsAnd('auditor'), 'The audit log needs an Auditor.'),
] as const;
