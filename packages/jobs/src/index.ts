/**
 * Jobs on PostgreSQL: stored states, leases with fencing, recurring schedules, trace ids.
 *
 * @packageDocumentation
 */
export { type TimedQuery, timedQuery } from '@svc/pg-wire';
export {
  type ConcurrencyPolicy,
  type DedupePolicy,
  defineJob,
  defineMessage,
  type Job,
  type JobDefinition,
  type Message,
  type RateLimitPolicy,
  type RetryPolicy,
} from './client/declare.ts';
export type { Enqueued, EnqueueItem, EnqueueOptions } from './client/enqueue.ts';
export type { Executor } from './client/executor.ts';
export {
  type BatchDefinition,
  type BatchMember,
  type BatchMembers,
  batchMember,
  batchMembers,
  type CreatedBatch,
} from './client/groups.ts';
export { createJobs, type Jobs, type JobsOptions } from './client/jobs.ts';
export type { Queues } from './client/queues.ts';
export type { Reads } from './client/reads.ts';
export type { ScheduleDefinition, Schedules } from './client/schedules.ts';
export {
  currentJobContext,
  type JobContext,
  originIn,
  parentSpanIn,
  type RequestOrigin,
  runInJobContext,
  traceIdFromHex,
  traceIdFromTraceparent,
} from './context.ts';
export { type ParsedSchedule, parseSchedule } from './cron/parse-schedule.ts';
export type { SessionBounds } from './db/bounded-client.ts';
export { driverTypes, guardPool, type OnLostSession, openClient, openPool } from './db/connections.ts';
export { isDatabaseAway, isDatabaseFull } from './db/database-away.ts';
export { jobMigrations, type MigrateJobsOptions, migrateJobs } from './db/migrate.ts';
export {
  describeMigrationProgress,
  type MigrationProgress,
  type OnMigrationProgress,
} from './db/schema-migrations/progress.ts';
export { type Migration, type MigrationTarget, runMigrations } from './db/schema-migrations/run.ts';
export { type JobHandler, type JobRun, type LogLevel, requireSlot } from './engine/handler.ts';
export { type Listener, startListener } from './engine/listener.ts';
export type { JobsLogger } from './engine/logger.ts';
export type { EngineOptions } from './engine/settings.ts';
export type { ClockSetBack } from './engine/upkeep/clock-watch.ts';
export type { JobProgress } from './engine/work/run-notes.ts';
export type { Transition } from './engine/work/transitions.ts';
export { type AbortCause, JobAbortError, JobsError, type JobsErrorCode, UnretryableError } from './errors.ts';
export {
  type AnsweringEndpoint,
  answer,
  answeringEndpoint,
  type EndpointAnswer,
  type EndpointDeclaration,
  type EndpointMethod,
  EndpointRefusal,
  type EndpointRequest,
  type EnqueueingEndpoint,
  enqueueingEndpoint,
  type JsonSchema,
  type UnparsedRequest,
} from './http/declare-endpoint.ts';
export {
  createEndpoints,
  type Endpoints,
  type EndpointsOptions,
  type Next,
  type NodeMiddleware,
} from './http/endpoints.ts';
export { type FastifyLike, fastifyEndpoints } from './http/fastify.ts';
export type { JobStatus } from './http/job-status.ts';
export type { Observation, ObservedRequest } from './observability/observed-call.ts';
export { addEndpointObservability, type Observer, type ObserverDeps } from './observability/observer.ts';
export type { CaptureTier, EndpointObservabilityOptions, HeaderNames } from './observability/options.ts';
export {
  type EndpointDetail,
  type EndpointGroupSummary,
  type EndpointHourSummary,
  type EndpointReads,
  type EndpointSummary,
  endpointIdOf,
} from './observability/reads.ts';
export {
  type EndpointTelemetry,
  type MeteredCall,
  type OpenTelemetryApi,
  openTelemetry,
  type TelemetryAttributes,
  type TelemetrySpan,
} from './observability/telemetry.ts';
export type { EndpointCallRecord, RelatedJob } from './sql/endpoints/read-endpoints.ts';
export type { CancelOutcome, RequeueOutcome } from './sql/jobs/change-jobs.ts';
export type { Retention } from './sql/jobs/end-attempts.ts';
export type { JobLogEntry, JobRecord } from './sql/jobs/read-jobs.ts';
export type { HourlyStatistic, JobCounts, JobFilter, JobPage, QueueDepth } from './sql/jobs/read-lists.ts';
export type { LimitRecord, QueueRecord, ServerRecord } from './sql/queues.ts';
export type { ScheduleRecord, TickRecord } from './sql/schedules/schedules.ts';
export { type FinalState, isFinalState, type JobKind, type JobState, jobStates } from './states.ts';
