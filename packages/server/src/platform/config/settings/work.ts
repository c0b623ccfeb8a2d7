import { boolean, integer, list, map, secret, text } from '../setting.ts';

export const workSettings = {
  'Svc:Query:MaxExecutionRows': integer('Most rows of one execution; a larger result fails the run.', {
    default: 1_000_000,
    min: 1,
    max: 100_000_000,
  }),
  'Svc:Query:TimeoutSeconds': integer('Longest time of one statement when a subscription names none.', {
    default: 30,
    min: 1,
    max: 86_400,
  }),
  'Svc:Query:FileFolders': list(
    'Folders whose files may be data sources (SQLite, DuckDB). Default: `files` in the data directory.',
  ),
  'Svc:Query:UploadMaxBytes': integer(
    'Largest file that holders of DataSourceAdmin may upload into the first of these folders; 0: none.',
    { default: 20_000_000, min: 0, max: 100_000_000 },
  ),
  'Svc:Query:PiiPatterns': list('More patterns of column names whose values are masked.'),
  'Svc:Documents': map(
    'Projects, by id or exact name, with the folder whose texts are imported into each, as JSON. Files that end in .md, .markdown or .txt, up to 512 KiB each.',
    (folder, project): string => {
      if (typeof folder !== 'string' || folder === '')
        throw new Error(`a JSON object of folders; that of ${project} is none`);
      return folder;
    },
  ),
  'Svc:Repositories:TrustedHosts': list(
    'Hosts of repositories that may be private and plain HTTP, such as git.corp.example or *.corp.example.',
  ),
  'Svc:Subscriptions:MinimumIntervalSeconds': integer('Shortest time between two ticks of a schedule.', {
    default: 60,
    min: 1,
    max: 86_400,
  }),
  'Svc:Subscriptions:MissedRunGraceSeconds': integer(
    'How long after its due time a run, or a copy of a migration job, may start before it counts as missed.',
    { default: 300, min: 30, max: 86_400 },
  ),
  'Svc:Subscriptions:RowMemoryMaxRows': integer(
    'Rows that a subscription with the trigger OnRowChange remembers at most; a larger result fails the run.',
    { default: 1_000_000, min: 1, max: 10_000_000 },
  ),
  'Svc:Watchdog:HeartbeatUrl': secret(
    'Address of a monitor that gets a request (GET) every 15 seconds, while the watchdog of missed runs and the job engine both work. The monitor raises the alarm when the requests stop. Its host may be private and plain HTTP.',
    {
      pattern: /^https?:\/\/(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,4}|:[1-6]\d{4})?([/?][^\s#]*)?$/i,
      expectation: 'an http or https address without a user or a fragment',
    },
  ),
  'Svc:Notifications:AttachmentMaxBytes': integer('Largest attachment; a larger one fails the run.', {
    default: 104_857_600,
    min: 1_024,
    max: 1_073_741_824,
  }),
  'Svc:Notifications:KeepMessagesDays': integer(
    'How long the message of a run is kept, sealed, for sending it again.',
    { default: 7, min: 1, max: 365 },
  ),
  'Svc:Retention:RunsDays': integer(
    'How long runs are kept, with their deliveries, messages and files. They go by whole months.',
    { default: 400, min: 31, max: 3_660 },
  ),
  'Svc:Retention:AuditDays': integer('How long audit events are kept. They go by whole months.', {
    default: 730,
    min: 31,
    max: 3_660,
  }),
  'Svc:Retention:FailedJobsDays': integer('How long failed jobs are kept.', {
    default: 90,
    min: 1,
    max: 3_660,
  }),
  'Svc:Retention:EvaluationsDays': integer('How long evaluations of data contracts are kept.', {
    default: 400,
    min: 1,
    max: 3_660,
  }),
  'Svc:Retention:SamplesDays': integer(
    'How long failing rows of evaluations are kept; what was counted stays.',
    {
      default: 30,
      min: 1,
      max: 3_660,
    },
  ),
  'Svc:Retention:NoticesDays': integer('How long notices are kept.', { default: 90, min: 1, max: 3_660 }),
  'Svc:Notifications:DeliveryTimeoutSeconds': integer('Longest time of one delivery.', {
    default: 15,
    min: 1,
    max: 300,
  }),
  'Svc:Notifications:RequireEncryptedSecrets': boolean(
    'Recipients kept from before encryption are not delivered to.',
    false,
  ),
  'Svc:Notifications:AllowedHeaders': list('More custom header names that webhooks may carry.'),
  'Svc:Notifications:AllowedHosts:Email': list('Email domains that may be written to; empty: any.'),
  'Svc:Notifications:AllowedHosts:Webhook': list('The only webhook hosts; empty: any public one.'),
  'Svc:Notifications:AllowedHosts:ChatBlocks': list('More hosts of the block-message chat.'),
  'Svc:Notifications:AllowedHosts:ChatCards': list('More hosts of the card chat.'),
  'Svc:Notifications:AllowedHosts:IssueTracker': list('More hosts of the issue tracker.'),
  'Svc:Notifications:AllowedPrivateNetworks:Webhook': list(
    'Private networks (CIDR) that webhooks may reach.',
  ),
  'Svc:Notifications:AllowedPrivateNetworks:ChatBlocks': list(
    'Private networks (CIDR) that block-message chats may reach.',
  ),
  'Svc:Notifications:AllowedPrivateNetworks:ChatCards': list(
    'Private networks (CIDR) that card chats may reach.',
  ),
  'Svc:Notifications:AllowedPrivateNetworks:IssueTracker': list(
    'Private networks (CIDR) that issue trackers may reach.',
  ),
  'Svc:Notifications:DisabledTypes': list('Channels that are off.'),
  'Svc:Notifications:UseSystemProxy': boolean(
    'Deliveries go through the system proxy, which then resolves names.',
    false,
  ),
  'Svc:Notifications:TrustedCertificates': list(
    'More certificate authorities that deliveries trust (PEM text, or a path to a PEM file).',
  ),
  'Svc:ApprovalWorkflow:Enabled': boolean(
    'Changes wait for the approval of somebody else before they take effect.',
    false,
  ),
  'Svc:ApprovalWorkflow:CoversRecipientDestinations': boolean(
    'While the approval workflow is on: changes of type, destination or headers of recipients wait for approval.',
    true,
  ),
  'Svc:ApprovalWorkflow:CoversQueries': boolean(
    'While the approval workflow is on: new queries and changes of their definitions wait for approval.',
    true,
  ),
  'Svc:AdminSettings:Locked': list(
    'Settings that cannot be changed at run time and keep their configured value: BaseUrl, DefaultTimeZone, LlmConnection, LlmLimits.',
  ),
  'Svc:Jobs:Workers': integer(
    'Background jobs of a queue at once in this process; 0 runs none and fires no schedules.',
    { default: 10, min: 0, max: 200 },
  ),
  'Svc:Jobs:Queues': list(
    'Queues that the workers of this process take jobs of: runs, deliveries, contracts, schemas, migrations, ai, maintenance. Default: all.',
  ),
  'Svc:Migrations:Enabled': boolean('Data migration jobs.', false),
  'Svc:Migrations:Workers': integer('Copies of data migration that this process runs at once.', {
    default: 2,
    min: 1,
    max: 32,
  }),
  'Svc:Realtime:Enabled': boolean('The realtime hub; without it pages ask now and then.', true),
  'Svc:Realtime:MaxConnections': integer('Realtime connections of one process.', {
    default: 5_000,
    min: 1,
    max: 100_000,
  }),
  'Svc:Realtime:MaxConnectionsPerUser': integer('Realtime connections of one user in one process.', {
    default: 50,
    min: 1,
    max: 100_000,
  }),
  'Svc:DefaultTimeZone': text('Time zone of schedules that name none.', { default: 'UTC' }),
} as const;
