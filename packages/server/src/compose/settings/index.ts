import path from 'node:path';
import { bearerSettings } from '../../domains/bearer-tokens/index.ts';
import { mcpGovernance } from '../../domains/mcp/index.ts';
import { providerSettings } from '../../domains/single-sign-on/index.ts';
import { readSendSettings } from '../../gateways/send/index.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { readTrustedCertificates } from '../../platform/outbound/index.ts';
import { addressSettings } from './addresses.ts';
import { faultOf } from './fault-of.ts';
import { processSettings } from './process.ts';
import { refuseLockout, singleSignOnSettings, userSettings } from './sign-in.ts';

/** The settings by subject. Each setting is read in exactly one place. */
export type Settings = ReturnType<typeof readSettings>;

/**
 * Reads and checks the settings before anything is opened.
 *
 * @throws Error that names the key of an invalid setting.
 */
export function readSettings(config: Config, log: Logger) {
  const users = userSettings(config);
  refuseLockout(config, users);
  const bearer = bearerSettings(config);
  if (bearer && !users.areStored)
    throw new Error(
      'The setting Svc:Authentication:Jwt:EnableBearerAuthentication needs Svc:UserManagement:Enabled: tokens belong to stored users.',
    );
  return {
    addresses: addressSettings(config),
    users,
    bearer,
    provider: providerSettings(config, log),
    singleSignOn: singleSignOnSettings(config),
    sessions: {
      revalidateMinutes: config['Svc:Authentication:Session:RevalidateMinutes'],
      absoluteLifetimeHours: config['Svc:Authentication:Session:AbsoluteLifetimeHours'],
    },
    honoursRoleClaims: config['Svc:Authorization:Roles:HonourHostRoleClaims'],
    keys: {
      maxLifetimeDays: config['Svc:ApiKeys:MaxLifetimeDays'],
      enforceMaxLifetimeOnExistingKeys: config['Svc:ApiKeys:EnforceMaxLifetimeOnExistingKeys'],
      maxOwnerInactivityDays: config['Svc:ApiKeys:MaxOwnerInactivityDays'],
    },
    migrationsEnabled: config['Svc:Migrations:Enabled'],
    migrationWorkers: config['Svc:Migrations:Workers'],
    realtime: {
      isEnabled: config['Svc:Realtime:Enabled'],
      connectionsMax: config['Svc:Realtime:MaxConnections'],
      connectionsPerUserMax: config['Svc:Realtime:MaxConnectionsPerUser'],
    },
    queries: querySettings(config),
    send: readSendSettings(config),
    attachmentBytesMax: config['Svc:Notifications:AttachmentMaxBytes'],
    retention: retentionSettings(config),
    keepMessagesDays: config['Svc:Notifications:KeepMessagesDays'],
    coversRecipients:
      config['Svc:ApprovalWorkflow:Enabled'] && config['Svc:ApprovalWorkflow:CoversRecipientDestinations'],
    coversQueries: config['Svc:ApprovalWorkflow:Enabled'] && config['Svc:ApprovalWorkflow:CoversQueries'],
    subscriptions: {
      minimumIntervalSeconds: config['Svc:Subscriptions:MinimumIntervalSeconds'],
      missedRunGraceSeconds: config['Svc:Subscriptions:MissedRunGraceSeconds'],
      rowMemoryMaxRows: config['Svc:Subscriptions:RowMemoryMaxRows'],
    },
    process: processSettings(config),
    metricsPerSubscription: config['Svc:Telemetry:Metrics:PerSubscription'],
    documents: config['Svc:Documents'],
    ...outsideSettings(config),
    mcp: {
      isEnabled: config['Svc:Mcp:Enabled'],
      hasFastPath: config['Svc:Mcp:FastPath'],
      callers: config['Svc:Mcp:Callers'],
      governance: mcpGovernance(config),
      maxSqlChars: config['Svc:Mcp:Ceilings:MaxSqlChars'],
      allowedHosts: config['Svc:Mcp:AllowedHosts'],
      allowedOrigins: config['Svc:Mcp:AllowedOrigins'],
    },
  };
}

/**
 * Reads the settings of each subject separately, so that one fault does not hide others.
 *
 * @returns the messages of all faults.
 */
export function faultsOfSettings(config: Config, log: Logger): readonly string[] {
  const readers: readonly (() => unknown)[] = [
    () => refuseLockout(config, userSettings(config)),
    () => bearerSettings(config),
    () => addressSettings(config),
    () => providerSettings(config, log),
    () => singleSignOnSettings(config),
    () => readSendSettings(config),
    () => processSettings(config),
    () => outsideSettings(config),
    () => querySettings(config),
    () => mcpGovernance(config),
    () => readSettings(config, log),
  ];
  return [...new Set(readers.flatMap(faultOf))];
}

/** Returns the settings of non-public hosts: trusted authorities and hosts, and the use of the machine's proxy. */
function outsideSettings(config: Config) {
  const useProxy = config['Svc:Notifications:UseSystemProxy'];
  return {
    trustedCertificates: readTrustedCertificates(config['Svc:Notifications:TrustedCertificates']),
    repositories: { trustedHosts: config['Svc:Repositories:TrustedHosts'], useProxy },
    llm: { trustedHosts: config['Svc:LLM:TrustedHosts'], useProxy },
    heartbeat: { url: config['Svc:Watchdog:HeartbeatUrl'], useProxy },
  };
}

function querySettings(config: Config) {
  const dataDirectory = path.resolve(config['Svc:DataDirectory']);
  const folders = config['Svc:Query:FileFolders'];
  return {
    maxExecutionRows: config['Svc:Query:MaxExecutionRows'],
    timeoutSeconds: config['Svc:Query:TimeoutSeconds'],
    piiPatterns: config['Svc:Query:PiiPatterns'],
    uploadBytesMax: config['Svc:Query:UploadMaxBytes'],
    files: {
      allowedFolders:
        folders.length > 0
          ? folders.map((folder) => path.resolve(folder))
          : [path.join(dataDirectory, 'files')],
      dataDirectory,
    },
  };
}

/** Returns the retention periods, in days. */
const retentionSettings = (config: Config) => ({
  runs: config['Svc:Retention:RunsDays'],
  audit: config['Svc:Retention:AuditDays'],
  failedJobs: config['Svc:Retention:FailedJobsDays'],
  notices: config['Svc:Retention:NoticesDays'],
  evaluations: config['Svc:Retention:EvaluationsDays'],
  samples: config['Svc:Retention:SamplesDays'],
});
