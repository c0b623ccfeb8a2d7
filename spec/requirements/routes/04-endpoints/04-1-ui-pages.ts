import type { RequirementEntry } from '../../entry.ts';

/** routes, REST conventions, hub, MCP and versioning, section 4.1. */
export const uiPages = [
  { id: 'RT-4.1-01', section: '4.1', text: 'The router of the UI is mounted at `/svc`.' },
  { id: 'RT-4.1-02', section: '4.1', text: 'A signed-out visitor of a UI page is sent to `/svc/login`.' },
  { id: 'RT-4.1-03', section: '4.1', text: 'An unknown path under `/svc` redirects to `/svc/home`.' },
  {
    id: 'RT-4.1-04',
    section: '4.1',
    text: 'The UI hides what the user cannot use, and the API enforces it independently.',
  },
  {
    id: 'RT-4.1-05',
    section: '4.1',
    text: 'A UI page that asks for project access is shown to users with the role Viewer, Editor or Admin.',
  },
  {
    id: 'RT-4.1-06',
    section: '4.1',
    text: 'A user who holds only functional permissions does not see the UI pages that ask for project access.',
  },
  {
    id: 'RT-4.1-07',
    section: '4.1',
    text: 'The pages `/svc/login`, `/svc/logout` and `/svc/error` are open to anyone.',
  },
  {
    id: 'RT-4.1-08',
    section: '4.1',
    text: 'The page `/svc/setup` is open to anyone while no administrator exists.',
  },
  {
    id: 'RT-4.1-09',
    section: '4.1',
    text: 'The pages `/svc` and `/svc/home` show key figures, trends, activity and uptime to every signed-in user.',
  },
  {
    id: 'RT-4.1-347',
    section: '4.1',
    text: 'The page `/svc/tasks` does one act to several tasks at once, and keeps those that refuse it selected.',
  },
  {
    id: 'RT-4.1-356',
    section: '4.1',
    text: 'The pages `/svc/home` and `/svc/control-tower` say it when no process runs jobs.',
  },
  {
    id: 'RT-4.1-880',
    section: '4.1',
    text: 'The pages `/svc/home` and `/svc/control-tower` name the queues that no live process takes jobs of.',
  },
  {
    id: 'RT-4.1-881',
    section: '4.1',
    text: 'The pages `/svc/home` and `/svc/control-tower` say it when no live process fires schedules.',
  },
  {
    id: 'RT-4.1-1072',
    section: '4.1',
    text: 'The pages `/svc/home` and `/svc/control-tower` name the queues that are paused.',
  },
  {
    id: 'RT-4.1-357',
    section: '4.1',
    text: 'The page of a subscription draws the row counts of its runs with the count from which it tells.',
  },
  {
    id: 'RT-4.1-358',
    section: '4.1',
    text: 'The lists of subscriptions and of recipients draw how the last runs and attempts went.',
  },
  {
    id: 'RT-4.1-371',
    section: '4.1',
    text: 'The pages `/svc/data-quality/new` and `/svc/data-quality/:id/edit` write data contracts, with a form for each type of rule.',
  },
  {
    id: 'RT-4.1-372',
    section: '4.1',
    text: 'The editor of a data contract checks each rule in its place before anything is saved.',
  },
  {
    id: 'RT-4.1-373',
    section: '4.1',
    text: 'The page of a data contract offers another owner to a UserAdmin and to nobody else.',
  },
  {
    id: 'RT-4.1-374',
    section: '4.1',
    text: 'The page of a data contract draws the scores of its evaluations, and leads to the results of each.',
  },
  {
    id: 'RT-4.1-375',
    section: '4.1',
    text: 'The editor of a data contract saves nothing over what somebody else saved meanwhile, and shows what differs.',
  },
  {
    id: 'RT-4.1-376',
    section: '4.1',
    text: 'The pages of data contracts choose alert mode, quiet hours and tasks, and import documents after showing what becomes of them.',
  },
  {
    id: 'RT-4.1-10',
    section: '4.1',
    text: "The page `/svc/about`, and `/svc/settings` with the user's own settings and password, are open to every signed-in user.",
  },
  {
    id: 'RT-4.1-11',
    section: '4.1',
    text: 'The page `/svc/control-tower` shows the health of subscriptions to users with project access.',
  },
  {
    id: 'RT-4.1-12',
    section: '4.1',
    text: 'The list page `/svc/data-sources` is open to users with project access and to a DataSourceAdmin.',
  },
  {
    id: 'RT-4.1-13',
    section: '4.1',
    text: 'The detail page `/svc/data-sources/:id` is open to users with project access only.',
  },
  {
    id: 'RT-4.1-14',
    section: '4.1',
    text: 'The page `/svc/data-sources/:id/relationships` shows schema relationships and schema health to users with project access.',
  },
  {
    id: 'RT-4.1-15',
    section: '4.1',
    text: 'The pages `/svc/projects`, `/svc/projects/new` and `/svc/projects/:id` are open to users with project access.',
  },
  {
    id: 'RT-4.1-16',
    section: '4.1',
    text: 'The pages `/svc/data-quality` and `/svc/data-quality/:id` show data contracts to users with project access.',
  },
  {
    id: 'RT-4.1-17',
    section: '4.1',
    text: 'The pages `/svc/migration-jobs`, `/svc/migration-jobs/new`, `/svc/migration-jobs/:id` and `/svc/migration-history` are open to a MigrationOperator or an Admin.',
  },
  {
    id: 'RT-4.1-18',
    section: '4.1',
    text: 'The data migration pages exist only while `Svc:Migrations:Enabled` is on.',
  },
  {
    id: 'RT-4.1-19',
    section: '4.1',
    text: 'The page `/svc/ai-actors` is open to users with project access.',
  },
  {
    id: 'RT-4.1-590',
    section: '4.1',
    text: 'The page `/svc/ai-actors/:id` is open to users with project access.',
  },
  {
    id: 'RT-4.1-591',
    section: '4.1',
    text: 'The page `/svc/ai-actors/:id/edit` is open to users with project access.',
  },
  {
    id: 'RT-4.1-592',
    section: '4.1',
    text: 'A page shows a plan of an AI actor to whoever decides about it, with what it would do and whom it would tell.',
  },
  {
    id: 'RT-4.1-20',
    section: '4.1',
    text: 'The pages `/svc/queries`, `/svc/queries/new`, `/svc/queries/:id` and `/svc/queries/:id/edit` are open to users with project access.',
  },
  {
    id: 'RT-4.1-21',
    section: '4.1',
    text: 'The pages `/svc/queries/:id/versions` and `/svc/queries/:id/versions/:versionId` are open to users with project access.',
  },
  {
    id: 'RT-4.1-22',
    section: '4.1',
    text: 'The pages `/svc/subscriptions` and `/svc/subscriptions/:id` are open to users with project access.',
  },
  {
    id: 'RT-4.1-23',
    section: '4.1',
    text: 'The pages `/svc/notifications` and `/svc/notifications/:id` show the notification history to users with project access.',
  },
  {
    id: 'RT-4.1-24',
    section: '4.1',
    text: 'The page `/svc/recipients` is open to users with project access.',
  },
  {
    id: 'RT-4.1-25',
    section: '4.1',
    text: 'Changes on the page `/svc/recipients` are offered to a SecurityAdmin or an Admin only.',
  },
  {
    id: 'RT-4.1-26',
    section: '4.1',
    text: 'The pages `/svc/tasks` and `/svc/tasks/:id` are open to users with project access.',
  },
  {
    id: 'RT-4.1-27',
    section: '4.1',
    text: 'The page `/svc/api-keys` is open to users with project access, to an Auditor and to a UserAdmin.',
  },
  {
    id: 'RT-4.1-28',
    section: '4.1',
    text: 'The page `/svc/mcp-settings` is open to an Auditor for reading and to a SecurityAdmin.',
  },
  {
    id: 'RT-4.1-29',
    section: '4.1',
    text: 'The page `/svc/mcp-playground` lets users with project access run MCP tools in the browser.',
  },
  {
    id: 'RT-4.1-30',
    section: '4.1',
    text: 'The page `/svc/mcp-learning` shows learned patterns and documentation patches to users with project access.',
  },
  {
    id: 'RT-4.1-301',
    section: '4.1',
    text: 'Whoever has made a key with Execute is shown how a client is connected with it, and sees when it has called.',
  },
  {
    id: 'RT-4.1-31',
    section: '4.1',
    text: 'The pages `/svc/approvals`, `/svc/approvals/:id` and `/svc/approvals/changes/:id` are open to an Approver or an Admin.',
  },
  { id: 'RT-4.1-32', section: '4.1', text: 'The page `/svc/users` is open to a UserAdmin or an Admin.' },
  {
    id: 'RT-4.1-33',
    section: '4.1',
    text: 'The page `/svc/admin-settings` is open to an Auditor for reading.',
  },
  { id: 'RT-4.1-340', section: '4.1', text: 'The page `/svc/admin-settings` is open to a SecurityAdmin.' },
  { id: 'RT-4.1-341', section: '4.1', text: 'The page `/svc/admin-settings` has the LLM provider.' },
  {
    id: 'RT-4.1-34',
    section: '4.1',
    text: 'The page `/svc/control-tower` shows the health of data contracts to users with project access.',
  },
  {
    id: 'RT-4.1-350',
    section: '4.1',
    text: 'The page `/svc/first-alert` leads from a file in an allowed folder to its first delivery.',
  },
  {
    id: 'RT-4.1-904',
    section: '4.1',
    text: 'Custom SQL of a data contract is written in the SQL editor, with completion and with its fault marked where it is.',
  },
  {
    id: 'RT-4.1-905',
    section: '4.1',
    text: 'The command palette makes a data contract and an AI actor.',
  },
  {
    id: 'RT-4.1-906',
    section: '4.1',
    text: 'The page of a data source leads to a new data contract on it.',
  },
  {
    id: 'RT-4.1-907',
    section: '4.1',
    text: 'Where recipients are picked and there are none, the page says so and leads to adding one.',
  },
  {
    id: 'RT-4.1-903',
    section: '4.1',
    text: 'The page `/svc/about` tells the version, the licence, where the documentation is, and what changed.',
  },
  {
    id: 'RT-4.1-900',
    section: '4.1',
    text: 'The page of a query shows its last kept result, its next run with the time zone, its latest runs, its owner and its version.',
  },
  {
    id: 'RT-4.1-901',
    section: '4.1',
    text: 'The page of a subscription shows its last kept result, its next run with the time zone, its latest runs, its owner and the version of its query.',
  },
  {
    id: 'RT-4.1-902',
    section: '4.1',
    text: 'The page of a run shows the way to the last kept result, the next run with the time zone, the latest runs, the owner and the version that ran.',
  },
  {
    id: 'RT-4.1-860',
    section: '4.1',
    text: 'Help opens on every page at the documentation that belongs to it, below a path base as well.',
  },
  {
    id: 'RT-4.1-861',
    section: '4.1',
    text: 'Help is searched without a request to another origin.',
  },
  {
    id: 'RT-4.1-862',
    section: '4.1',
    text: 'Links between pages of the documentation stay in the help, and others open in a new tab.',
  },
  {
    id: 'RT-4.1-863',
    section: '4.1',
    text: 'Help opens again at the page where it was left.',
  },
  {
    id: 'RT-4.1-1476',
    section: '4.1',
    text: 'The page `/svc/tasks/:id` begins with the stored rows of the task, or with its timeline if it has none.',
  },
  {
    id: 'RT-4.1-1477',
    section: '4.1',
    text: 'Pages round a score and an accuracy down: one that is below a limit never appears to reach the limit.',
  },
  {
    id: 'RT-4.1-1478',
    section: '4.1',
    text: 'The chart of scores draws for each evaluation the limit that applied to it, and none if this limit is not stored.',
  },
] as const satisfies readonly RequirementEntry[];
