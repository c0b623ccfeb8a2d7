import { boolean, integer, list, secret, text } from '../setting.ts';

/** A URL or the path of a socket. The driver would read any other text as the path of a URL. */
const connectionString = {
  pattern:
    /^(?:postgres(?:ql)?:\/\/(?:[^/?#]*@)?(?:[^\s/?#@:[\]]*|\[[\da-f:.]+\])(?::\d{1,5})?(?:[/?].*)?|socket:\/.*|\/.*)$/i,
  expectation:
    'a URL such as postgres://user:password@host:5432/svc, in which #, / and ? of a password are written as %23, %2F and %3F',
};

/** Settings of the standalone process and its infrastructure. */
export const hostSettings = {
  'Svc:Host:Address': text('Address that the standalone host listens on.', { default: '127.0.0.1' }),
  'Svc:Host:Port': integer('Port that the standalone host listens on. `PORT` is an alias; this key wins.', {
    default: 8080,
    min: 0,
    max: 65535,
  }),
  'Svc:Host:Roles': list(
    'What this process does, of `Web` (pages, API, MCP, hub), `Worker` (takes jobs) and `Scheduler` (fires schedules, takes back jobs of processes that are gone, removes what has expired). Several processes on one PostgreSQL share the work; each role needs one.',
    { default: ['Web', 'Worker', 'Scheduler'], someOf: ['Web', 'Worker', 'Scheduler'] },
  ),
  'Svc:DataDirectory': text('Folder of the built-in database and of generated secrets.', {
    default: './data',
  }),
  'Svc:Database:ConnectionString': secret(
    'An external PostgreSQL (15 or newer). Without it the built-in one is used.',
    connectionString,
  ),
  'Svc:Database:ReadConnectionString': secret(
    'A streaming standby of the same PostgreSQL. History, statistics and the like are read there while it is less than 5 s late; who has just changed something reads from the primary.',
    connectionString,
  ),
  'Svc:Database:PoolSize': integer(
    'Connections to the metadata database at most, and as many to its standby where one is read from.',
    {
      default: 20,
      min: 2,
      max: 500,
    },
  ),
  'Svc:EncryptionKey': secret(
    'Key that stored secrets are encrypted under; at least 32 characters. The standalone host makes one once when the built-in database is used.',
    { lengthMin: 32 },
  ),
  'Svc:PreviousEncryptionKeys': list(
    'Earlier keys: what they encrypted stays readable until it is encrypted anew.',
  ),
  'Svc:BaseUrl': text(
    'Start of links in messages; includes the `/svc` segment, e.g. https://svc.example.org/svc.',
    {
      pattern: /^https?:\/\/[^\s?#@]+\/svc\/?$/,
      expectation: 'an http or https address that ends in /svc, such as https://svc.example.org/svc',
    },
  ),
  'Svc:PublicBaseUrl': text('Public origin that discovery documents advertise.', {
    pattern: /^https?:\/\/[^\s]+$/,
    expectation: 'an http or https address',
  }),
  'Svc:PathBase': text(
    'Path below which the service is mounted, such as /tools for https://example.org/tools/svc; unset at the root of a host. Requests may come with it, or without it from a proxy that cuts it off.',
    {
      pattern: /^(\/(?!\.{1,2}(\/|$))[\w.~-]+)+$/,
      expectation: 'a path such as /tools, without a slash at its end',
    },
  ),
  'Svc:ForwardedHeaders:KnownProxies': list(
    'Addresses or networks of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed.',
  ),
  'Svc:Http:BodyLimitBytes': integer('Largest request body.', {
    default: 1_048_576,
    min: 1_024,
    max: 104_857_600,
  }),
  'Svc:Host:Inbox:Enabled': boolean(
    'An inbox of the standalone host: a webhook on this machine that shows what arrives, to try alerts without another service. The demo turns it on.',
    false,
  ),
  'Svc:Host:Inbox:Address': text(
    'Address that the inbox listens on. It shows what arrives to whoever reaches it: every address is for a container whose published port is of this machine alone.',
    { default: '127.0.0.1', oneOf: ['127.0.0.1', '0.0.0.0'] },
  ),
  'Svc:Demo:InboxPort': integer('Port of the inbox; another free one is used when it is taken.', {
    default: 8081,
    min: 0,
    max: 65535,
  }),
  'Svc:Host:Smtp:Host': text('Mail server of the standalone host. Without it there are no email recipients.'),
  'Svc:Host:Smtp:Port': integer('Port of the mail server.', { default: 587, min: 1, max: 65535 }),
  'Svc:Host:Smtp:Security': text(
    'How the connection to the mail server is secured: `StartTls` demands it, `Tls` starts with it (port 465), `None` is for a server on this machine.',
    { default: 'StartTls', oneOf: ['StartTls', 'Tls', 'None'] },
  ),
  'Svc:Host:Smtp:UserName': text('User at the mail server; without one nobody signs in there.'),
  'Svc:Host:Smtp:Password': secret('Password at the mail server.'),
  'Svc:Host:Smtp:From': text('Address that mails come from; required with a mail server.', {
    pattern: /^[^\s@<>"]{1,64}@[^\s@<>"]{1,255}$/,
    expectation: 'a bare email address',
  }),
  'Svc:Provisioning:Folder': text(
    'Folder with records as files that the standalone host applies at each start, before it serves; see docs/guides/definitions.md. Needs `Svc:Provisioning:ActAs`.',
  ),
  'Svc:Provisioning:ActAs': text('User name of the person whose rights the folder is applied with.'),
  'Svc:Provisioning:OnError': text(
    'What a start does when the folder is not applied in full: `Continue` says so and serves, `Stop` ends the start.',
    { default: 'Continue', oneOf: ['Continue', 'Stop'] },
  ),
  'Svc:Provisioning:Manager': text('Name of the folder among others that are applied to the service.', {
    default: 'provisioning',
    pattern: /^[a-z0-9]([a-z0-9-]{0,78}[a-z0-9])?$/,
    expectation: 'lower-case letters, digits and hyphens',
  }),
  'Svc:Provisioning:Managed': boolean(
    'Records of the folder are changed through their files alone, and not by hand.',
    false,
  ),
  'Svc:Telemetry:Metrics:Enabled': boolean(
    'Serve metrics for Prometheus at `/metrics` of a listener of their own, with `/livez` and `/readyz` beside them. Traces and metrics also go to a collector where the standard `OTEL_…` variables name one.',
    false,
  ),
  'Svc:Telemetry:Metrics:Address': text('Address that the metrics listen on.', { default: '127.0.0.1' }),
  'Svc:Telemetry:Metrics:Port': integer('Port that the metrics listen on.', {
    default: 9464,
    min: 0,
    max: 65535,
  }),
  'Svc:Telemetry:Metrics:Token': secret(
    'Bearer token that `/metrics` asks for. Needed where the address is not of this machine alone.',
    { lengthMin: 16 },
  ),
  'Svc:Telemetry:Metrics:PerSubscription': boolean(
    'Tell the last good run of each subscription, of the first 1,000.',
    false,
  ),
  'Svc:Logging:Level': text('Least severe log entries that are written.', {
    default: 'info',
    oneOf: ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
  }),
} as const;
