import type { RequirementEntry } from '../../entry.ts';

/** Routes, REST conventions, hub, MCP and versioning, section 4.3: subscriptions, recipients, notifications and tasks. */
export const subscriptionGroups = [
  {
    id: 'RT-4.3-523',
    section: '4.3',
    text: 'The last runs of up to 200 subscriptions, of those that the caller sees, are one answer.',
  },
  {
    id: 'RT-4.3-524',
    section: '4.3',
    text: 'The last attempts to tell up to 200 recipients, of runs that the caller sees, are one answer.',
  },
  {
    id: 'RT-4.3-526',
    section: '4.3',
    text: 'The timeline of a run names the request, the job, the statements, the attempts and the tasks that belong to it.',
  },
  {
    id: 'RT-4.3-527',
    section: '4.3',
    text: 'The history of a task names the run that each change of its count comes from.',
  },
  {
    id: 'RT-4.3-440',
    section: '4.3',
    text: 'A subscription with the trigger `WhileRows` tells its recipients once that there are rows, and once that they are gone.',
  },
  {
    id: 'RT-4.3-441',
    section: '4.3',
    text: 'The webhook body of a subscription with the trigger `WhileRows` has `alert` with `state` and `since`, and that of another trigger has not.',
  },
  {
    id: 'RT-4.3-442',
    section: '4.3',
    text: '`POST /svc/api/subscriptions/{id}/alert-reset` has the next rows told as new.',
  },
  {
    id: 'RT-4.3-443',
    section: '4.3',
    text: '`POST /svc/api/subscriptions/{id}/replace` makes a subscription with another schedule that takes over recipients, settings, owner, alert and open task, and archives the one before.',
  },
  {
    id: 'RT-4.3-444',
    section: '4.3',
    text: 'During the quiet hours of a subscription its scheduled runs tell nobody; what they had to tell is told when the quiet hours end.',
  },
  {
    id: 'RT-4.3-445',
    section: '4.3',
    text: 'A subscription with the trigger `OnRowChange` tells nobody of the rows of its first run, and after it only of rows that are new, changed or gone, as `rowMemory` says.',
  },
  {
    id: 'RT-4.3-446',
    section: '4.3',
    text: 'The message of a subscription with the trigger `OnRowChange` has the rows that are told and no others, each with what became of it in the column `change`.',
  },
  {
    id: 'RT-4.3-447',
    section: '4.3',
    text: 'No table of the service holds a cell of the rows that a subscription remembers.',
  },
  {
    id: 'RT-4.3-448',
    section: '4.3',
    text: '`POST /svc/api/subscriptions/{id}/row-memory-reset` has the next run remember its rows anew and tell nobody.',
  },
  {
    id: 'RT-4.3-449',
    section: '4.3',
    text: 'Rows that a subscription remembers under an earlier encryption key are told as new by no run under the current one.',
  },
  {
    id: 'RT-4.3-528',
    section: '4.3',
    text: 'The control tower tells hour by hour what schedules make due in the next 24 hours, and where it clashes at a data source.',
  },
  {
    id: 'RT-4.3-31',
    section: '4.3',
    text: 'The `/svc/api/subscriptions` group covers list, create, detail, delete, reactivate, test run, recipients and owner.',
  },
  {
    id: 'RT-4.3-81',
    section: '4.3',
    text: 'The `/svc/api/subscriptions` group sets the SLA of a subscription.',
  },
  {
    id: 'RT-4.3-82',
    section: '4.3',
    text: 'The `/svc/api/subscriptions` group serves the anomaly chart of a subscription.',
  },
  {
    id: 'RT-4.3-32',
    section: '4.3',
    text: 'Changes of subscriptions need the scope Execute from scoped callers.',
  },
  { id: 'RT-4.3-33', section: '4.3', text: '`PUT /svc/api/subscriptions/{id}/owner` needs a UserAdmin.' },
  { id: 'RT-4.3-34', section: '4.3', text: 'No route changes the schedule of a subscription.' },
  { id: 'RT-4.3-35', section: '4.3', text: 'The `/svc/api/recipients` group manages recipients.' },
  {
    id: 'RT-4.3-36',
    section: '4.3',
    text: 'Creating, updating and deleting a recipient needs a SecurityAdmin or an Admin.',
  },
  {
    id: 'RT-4.3-37',
    section: '4.3',
    text: 'The `/svc/api/notifications` group serves the notification history and its details.',
  },
  { id: 'RT-4.3-38', section: '4.3', text: "The notification history is filtered to the caller's projects." },
  {
    id: 'RT-4.3-39',
    section: '4.3',
    text: 'The `/svc/api/tasks` group covers the list and the detail of tasks.',
  },
  { id: 'RT-4.3-73', section: '4.3', text: 'The `/svc/api/tasks` group resolves a task.' },
  { id: 'RT-4.3-74', section: '4.3', text: 'The `/svc/api/tasks` group assigns a task.' },
  { id: 'RT-4.3-75', section: '4.3', text: 'The `/svc/api/tasks` group snoozes a task.' },
  { id: 'RT-4.3-76', section: '4.3', text: 'The `/svc/api/tasks` group changes the priority of a task.' },
  { id: 'RT-4.3-77', section: '4.3', text: 'The `/svc/api/tasks` group has a reader watch a task.' },
  { id: 'RT-4.3-78', section: '4.3', text: 'The `/svc/api/tasks` group covers the comments of a task.' },
  { id: 'RT-4.3-79', section: '4.3', text: 'The `/svc/api/tasks` group covers the executions of a task.' },
  {
    id: 'RT-4.3-80',
    section: '4.3',
    text: 'The `/svc/api/tasks` group covers the result history of a task.',
  },
  {
    id: 'RT-4.3-40',
    section: '4.3',
    text: 'The `/svc/api/control-tower` group covers statistics.',
  },
  { id: 'RT-4.3-240', section: '4.3', text: 'The `/svc/api/control-tower` group covers a health grid.' },
  {
    id: 'RT-4.3-241',
    section: '4.3',
    text: 'The `/svc/api/control-tower` group covers a subscription detail.',
  },
  { id: 'RT-4.3-41', section: '4.3', text: "The control tower is filtered to the caller's projects." },
  {
    id: 'RT-4.3-344',
    section: '4.3',
    text: 'The `/svc/api/subscriptions` group does the same to several subscriptions, each for itself.',
  },
  {
    id: 'RT-4.3-900',
    section: '4.3',
    text: 'A subscription that is paused does not run by its schedule until it is resumed.',
  },
  {
    id: 'RT-4.3-901',
    section: '4.3',
    text: 'Several subscriptions are paused or resumed at once, and those that refuse it are named with the reason.',
  },
  {
    id: 'RT-4.3-345',
    section: '4.3',
    text: 'The `/svc/api/notifications` list is narrowed by due time and by recipient.',
  },
] as const satisfies readonly RequirementEntry[];
