import type { RequirementEntry } from '../../entry.ts';

/** Routes, REST conventions, hub, MCP and versioning, section 4.3: approvals, keys, users and settings. */
export const administrationGroups = [
  {
    id: 'RT-4.3-46',
    section: '4.3',
    text: 'The `/svc/api/approvals` group covers pending query approvals, change approvals under `/approvals/changes`, approving and rejecting.',
  },
  { id: 'RT-4.3-47', section: '4.3', text: 'Reading approvals admits an Approver.' },
  { id: 'RT-4.3-48', section: '4.3', text: 'Approving and rejecting need an Approver.' },
  {
    id: 'RT-4.3-49',
    section: '4.3',
    text: 'The `/svc/api/migrations` group covers migration jobs and their executions.',
  },
  {
    id: 'RT-4.3-50',
    section: '4.3',
    text: 'The `/svc/api/migrations` group exists only while `Svc:Migrations:Enabled` is on.',
  },
  { id: 'RT-4.3-51', section: '4.3', text: 'The `/svc/api/migrations` group needs a MigrationOperator.' },
  {
    id: 'RT-4.3-549',
    section: '4.3',
    text: 'A documentation patch that is applied is added to its section, and replaces nothing that stands there.',
  },
  {
    id: 'RT-4.3-550',
    section: '4.3',
    text: 'Nothing is learnt of calls in a project whose MCP settings say that it does not learn.',
  },
  {
    id: 'RT-4.3-55',
    section: '4.3',
    text: 'MCP settings are read by an Auditor or a SecurityAdmin and written by a SecurityAdmin.',
  },
  {
    id: 'RT-4.3-473',
    section: '4.3',
    text: 'A question about the data of a project is answered by a statement that passed every gate of dry_run, with masked rows.',
  },
  {
    id: 'RT-4.3-475',
    section: '4.3',
    text: 'What goes to a language model with a question holds no value of a row.',
  },
  {
    id: 'RT-4.3-476',
    section: '4.3',
    text: 'A conversation and its answers are known to whoever asked, as long as they read the project.',
  },
  {
    id: 'RT-4.3-62',
    section: '4.3',
    text: "The `/svc/api/api-keys` group covers the caller's own keys, and all keys under `/svc/api/api-keys/admin`.",
  },
  { id: 'RT-4.3-63', section: '4.3', text: 'An API key is created from a signed-in session only.' },
  {
    id: 'RT-4.3-64',
    section: '4.3',
    text: 'Listing all API keys needs an Auditor or a UserAdmin, and revoking one of them needs a UserAdmin.',
  },
  {
    id: 'RT-4.3-65',
    section: '4.3',
    text: 'The `/svc/api/users` group covers users, roles, enabling and disabling, and signing out everywhere.',
  },
  { id: 'RT-4.3-66', section: '4.3', text: 'The `/svc/api/users` group needs a UserAdmin.' },
  {
    id: 'RT-4.3-67',
    section: '4.3',
    text: "The `/svc/api/user-settings` group covers the caller's own settings and the change of the own password.",
  },
  {
    id: 'RT-4.3-68',
    section: '4.3',
    text: 'The `/svc/api/admin-settings` group covers the runtime settings.',
  },
  { id: 'RT-4.3-69', section: '4.3', text: 'Admin settings are read by an Auditor or a SecurityAdmin.' },
  {
    id: 'RT-4.3-70',
    section: '4.3',
    text: 'Writing admin settings needs a SecurityAdmin.',
  },
  {
    id: 'RT-4.3-71',
    section: '4.3',
    text: 'The base URL in the admin settings needs an Admin.',
  },
  {
    id: 'RT-4.3-346',
    section: '4.3',
    text: 'The `/svc/api/user-settings` group lets people change their own names and which notices they get by mail.',
  },
  {
    id: 'RT-4.3-347',
    section: '4.3',
    text: 'The `/svc/api/users` list is narrowed by role and by who may sign in.',
  },
  {
    id: 'RT-4.3-902',
    section: '4.3',
    text: 'The `/svc/api/user-settings` group keeps the time zone and the theme in which a person sees the pages.',
  },
  {
    id: 'RT-4.3-903',
    section: '4.3',
    text: 'The list of security events is searched by text, and names what its ids stand for.',
  },
] as const satisfies readonly RequirementEntry[];
