import type { IncomingMessage } from 'node:http';
import type { Executor, JobsLogger } from '@svc/jobs';
import type pg from 'pg';
import type { DashboardCode, ProblemKind } from './problem.ts';

/** Purpose of a request, for the host's authorization. */
export type Wish = {
  /** True for a change. With a browser credential it needs proof that the dashboard's page sent it. */
  readonly isChange: boolean;
  /** True for pages and their files, false for the API. */
  readonly isPage: boolean;
};

/** Admitted visitor of the dashboard. */
export type Visitor = {
  readonly kind: 'Admitted';
  /** Name shown in the header and passed to the audit; null when the host has none. */
  readonly name: string | null;
  /** True for a visitor who may read but not change data. Default false. */
  readonly isReadOnly?: boolean;
  /** Arbitrary value for the audit. The dashboard only passes it on. */
  readonly context?: unknown;
};

/** Authorization result: the visitor is admitted, refused, or redirected (for example to sign in). */
export type Admission =
  | Visitor
  | { readonly kind: 'Refused'; readonly status: 401 | 403; readonly detail?: string }
  | { readonly kind: 'Redirected'; readonly location: string };

/** Authorizes each request before the dashboard reads it. An error is reported to the client with 500. */
export type Authorize = (request: IncomingMessage, wish: Wish) => Admission | Promise<Admission>;

/** Kinds of actions. */
export type ActKind =
  | 'RequeueJobs'
  | 'CancelJobs'
  | 'DeleteJobs'
  | 'RunSchedule'
  | 'PauseSchedule'
  | 'ResumeSchedule'
  | 'PauseQueue'
  | 'ResumeQueue'
  | 'LimitQueue';

/** Action performed through the dashboard. */
export type Act = {
  readonly kind: ActKind;
  readonly visitor: Visitor;
  readonly request: IncomingMessage;
  /** Changed jobs. A bulk action reports them in parts of at most 500. */
  readonly jobIds?: readonly string[];
  readonly scheduleKey?: string;
  readonly queue?: string;
  /** Details of the action: the filter of a bulk action, or the new limit. Contains no payload. */
  readonly detail?: Readonly<Record<string, unknown>>;
};

/** Records an action in the transaction of the action, so that both commit or neither. An error rolls back the action. */
export type RecordAct = (act: Act, transaction: Executor) => Promise<void> | void;

/** Antiforgery settings of the host, used by the dashboard's pages for changes. */
export type Antiforgery = {
  /** URL of the host that returns `{"token": "..."}`. */
  readonly url: string;
  /** Header in which the host expects the token. */
  readonly header: string;
};

/** Options of `createJobsDashboard`. */
export type JobsDashboardOptions = {
  /** Database of the jobs: a pool that the caller owns, or connection settings for a pool that the dashboard owns. */
  readonly database: { readonly pool: pg.Pool } | { readonly connection: pg.ClientConfig };
  /** Schema of the job tables. Default `svc_jobs`. */
  readonly schema?: string;
  /** Path prefix of the dashboard, such as `/jobs`, without a trailing slash. */
  readonly prefix: string;
  /** Authorization of requests. `() => ({ kind: 'Admitted', name: null })` admits all visitors. */
  readonly authorize: Authorize;
  /** Refuses all changes, regardless of `authorize`. Default false. */
  readonly isReadOnly?: boolean;
  /** Called for every action. Default: no audit. */
  readonly audit?: RecordAct;
  /** Initially selected application for endpoints. Default: all applications. */
  readonly applicationName?: string;
  /** Title in the header of the pages. Default `Jobs`. */
  readonly title?: string;
  /**
   * True when this process records calls of endpoints. Default: determined from the database, where another process may
   * have recorded calls.
   */
  readonly observesEndpoints?: boolean;
  /** Selects members of payloads, metadata and captured JSON bodies whose values are redacted. Default `sensitiveName`. */
  readonly isSensitive?: (memberName: string) => boolean;
  /** Changes a payload for display, after sensitive members were redacted. Default: no change. */
  readonly redactPayload?: (jobName: string, payload: unknown) => unknown;
  /** Default: the pages send no token. The origin of each change is checked in any case. */
  readonly antiforgery?: Antiforgery;
  /** URL of the host's pages for a link back. Default: none. */
  readonly homeUrl?: string;
  /**
   * Returns the host's `type` and `title` for a refusal code. Default: `about:blank`, and the title that HTTP registers
   * for the status.
   */
  readonly problemKind?: (code: DashboardCode) => ProblemKind;
  /** Sampling interval of job counts for the charts of the last hour. Default 30,000 ms. */
  readonly sampleEveryMs?: number;
  /**
   * Returns display names of recurring schedules by key. Schedules without a name are shown with their keys. Default:
   * no names.
   */
  readonly nameSchedules?: (keys: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly logger?: JobsLogger;
};
