export type { Email, EmailAdapter, EmailAttachment } from '@svc/channels';
export { hostProblemKinds, problemHelpOf } from '@svc/contract';
export { describeMigrationProgress, type MigrationProgress, type OnMigrationProgress } from '@svc/jobs';
export type { ExecuteAnswer, ExecuteConsent, KeyOwner } from './domains/api-keys/index.ts';
export type { DemoDefinition } from './domains/demo/index.ts';

export type {
  HostMembership,
  HostPrincipal,
  MembershipSource,
  PrincipalOf,
} from './domains/host-sign-in/index.ts';
export type { DocumentSource, SourceDocument } from './domains/imported-documents/index.ts';
export type {
  DefinitionsOfUser,
  Provisioning,
  ProvisioningOrder,
  ProvisioningReport,
} from './domains/provisioning/index.ts';
export type { RotationProgress, RotationReport } from './domains/secrets/index.ts';

export {
  type Config,
  type ConfigSources,
  describeSettings,
  inspectConfig,
  loadConfig,
  type ShownSetting,
} from './platform/config/index.ts';
export {
  BusinessRuleError,
  type ErrorMapping,
  HttpProblem,
  Refusal,
  rawAnswer,
  toProblem,
} from './platform/http/index.ts';
export { currentTraceId } from './platform/job-telemetry/index.ts';
export { createLog, type Logger } from './platform/log/index.ts';
export {
  createOutbound,
  mailServerPolicy,
  type Outbound,
  readConnectionCertificates,
  readTrustedCertificates,
} from './platform/outbound/index.ts';
export type { TelemetryProviders } from './platform/telemetry/index.ts';
export { checkSettings, createSvc, type Svc, type SvcOptions } from './svc.ts';
