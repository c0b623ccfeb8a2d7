import type { IncomingMessage } from 'node:http';
import type { Executor, JobsLogger } from '@svc/jobs';
import type pg from 'pg';
import type { DashboardCode, ProblemKind } from './problem.ts';

/** What a request asks for, for whoever decides about it. */
export type Wish = {
  /** True when something is to be changed; a browser's credential then needs a proof that its page meant it. */
  readonly isChange: boolean;
  /** True for pages and their files, false for the API. */
  readonly isPage: boolean;
};

/** Somebody who may see the dashboard. */
export type Visitor = {
  readonly kind: 'Admitted';
  /** Shown in the head and handed to the audit; null when the host knows none. */
  readonly name: string | null;
  /** Sees everything, changes nothing. Default false. */
  readonly isReadOnly?: boolean;
  /** Whatever the audit needs to know of them; the dashboard only passes it on. */
  readonly context?: unknown;
};

/** What becomes of a request: somebody is let in, turned away, or sent elsewhere (to sign in). */
export type Admission =
  | Visitor
  | { readonly kind: 'Refused'; readonly status: 401 | 403; readonly detail?: string }
  | { readonly kind: 'Redirected'; readonly location: string };

/** Decides about each request, before anything of it is looked at. What it throws is answered with 500. */
export type Authorize = (request: IncomingMessage, wish: Wish) => Admission | Promise<Admission>;

/** Kinds of act. */
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

/** Something that was done through the dashboard. */
export type Act = {
  readonly kind: ActKind;
  readonly visitor: Visitor;
  readonly request: IncomingMessage;
  /** Jobs that were changed; of a bulk act one part at a time, at most 500. */
  readonly jobIds?: readonly string[];
  readonly scheduleKey?: string;
  readonly queue?: string;
  /** More about it: the filter of a bulk act, the limit that was set. Holds no payload. */
  readonly detail?: Readonly<Record<string, unknown>>;
};

/**
 * Records an act, through the transaction that it happens in: what is done is recorded, or neither is. What it throws
 * undoes the act.
 */
export type RecordAct = (act: Act, transaction: Executor) => Promise<void> | void;

/** How the dashboard's own pages prove that a change was meant, where the host asks for it. */
export type Antiforgery = {
  /** Address of the host that answers `{"token": "..."}`. */
  readonly url: string;
  /** Header in which the host expects the token. */
  readonly header: string;
};

/** What `createJobsDashboard` takes. */
export type JobsDashboardOptions = {
  /** The database of the jobs: a pool to share, which stays the caller's, or a connection to open a pool of its own. */
  readonly database: { readonly pool: pg.Pool } | { readonly connection: pg.ClientConfig };
  /** Schema of the job tables. Default `svc_jobs`. */
  readonly schema?: string;
  /** Path under which everything is served, such as `/jobs`: no slash at its end. */
  readonly prefix: string;
  /** Who may see it. `() => ({ kind: 'Admitted', name: null })` opens it to everybody. */
  readonly authorize: Authorize;
  /** Nobody may change anything, whatever `authorize` says. Default false. */
  readonly isReadOnly?: boolean;
  /** Told of every act. Default: nobody is. */
  readonly audit?: RecordAct;
  /** Endpoints are scoped to this application until the reader chooses another. Default: all are shown. */
  readonly applicationName?: string;
  /** Shown in the head of the pages. Default `Jobs`. */
  readonly title?: string;
  /**
   * Whether this process records calls of endpoints. Default: it is read from the database, where another process
   * may have recorded some.
   */
  readonly observesEndpoints?: boolean;
  /** Members of payloads, metadata and captured JSON bodies whose value is not shown. Default `sensitiveName`. */
  readonly isSensitive?: (memberName: string) => boolean;
  /** Changes what is shown of a payload, after sensitive members were taken out. Default: nothing. */
  readonly redactPayload?: (jobName: string, payload: unknown) => unknown;
  /** Default: the pages send none, and the origin of each change is checked. */
  readonly antiforgery?: Antiforgery;
  /** Where the host's own pages begin: a link back. Default: none. */
  readonly homeUrl?: string;
  /**
   * Where the host explains the codes of refusals, as `type` and `title` of the problem. Default: `about:blank`, and the
   * title that HTTP registers for the status.
   */
  readonly problemKind?: (code: DashboardCode) => ProblemKind;
  /** How often it is looked at how many jobs are where, for the charts of the last hour. Default 30,000 ms. */
  readonly sampleEveryMs?: number;
  /**
   * What people call recurring schedules, by their keys: the name of what each is for. Those without one are told by
   * their keys. Default: none has one.
   */
  readonly nameSchedules?: (keys: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly logger?: JobsLogger;
};
