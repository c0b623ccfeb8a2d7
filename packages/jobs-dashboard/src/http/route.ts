import type { IncomingMessage } from 'node:http';
import type { Jobs } from '@svc/jobs';
import type { Db } from '../db.ts';
import type { JobsDashboardOptions, Visitor } from '../options.ts';
import type { Samples } from '../samples.ts';

/** Values available to a route. */
export type Context = {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly options: JobsDashboardOptions;
  /** Job counts of the last hour. */
  readonly samples: Samples;
  readonly isSensitive: (memberName: string) => boolean;
  readonly visitor: Visitor;
  /** True when the visitor may change data. */
  readonly mayAct: boolean;
  readonly request: IncomingMessage;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Empty for reads. */
  readonly body: Readonly<Record<string, unknown>>;
};

/** API route, below `{prefix}/api`. */
export type Route = {
  readonly method: 'GET' | 'POST';
  /** Path template, such as `/jobs/{id}`. */
  readonly path: string;
  readonly answer: (context: Context) => Promise<unknown> | unknown;
};

export type RouteMatch = { readonly route: Route; readonly params: Readonly<Record<string, string>> };
