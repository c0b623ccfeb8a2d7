import {
  type EndpointCallRecord,
  type EndpointGroupTotals,
  type EndpointHour,
  type EndpointTotals,
  type RelatedJob,
  readApplications,
  readCall,
  readCallOfTrace,
  readEndpointGroups,
  readEndpointHours,
  readEndpointTotals,
  readRecentCalls,
  readRelatedJobs,
} from '../sql/endpoints/read-endpoints.ts';
import type { Sql } from '../sql/statement.ts';
import { percentileMs } from './counters.ts';

/** Endpoint with sums of all its calls, including calls without a stored row. */
export type EndpointSummary = {
  /** Identity (`GET /orders/{id}`) as URL-safe base64. */
  readonly id: string;
  readonly application: string | null;
  readonly method: string;
  readonly routeTemplate: string;
  /** Method, space, template. */
  readonly route: string;
  readonly totalCalls: number;
  readonly errorCount: number;
  /** Share of failed calls, 0 to 1. */
  readonly errorRate: number;
  readonly avgDurationMs: number;
};

export type EndpointHourSummary = {
  readonly hour: Date;
  readonly calls: number;
  readonly errors: number;
  readonly errorRate: number;
  readonly avgDurationMs: number;
};

/** Calls of one caller group. */
export type EndpointGroupSummary = {
  readonly group: string;
  readonly calls: number;
  readonly errors: number;
  readonly errorRate: number;
  readonly avgDurationMs: number;
  /** Last failure among the stored rows; null without one. */
  readonly lastFailureAt: Date | null;
};

/** Summary, percentiles, groups, recent calls and history of one endpoint. */
export type EndpointDetail = EndpointSummary & {
  readonly groupLabel: 'Caller';
  /** Upper bound of the bucket that contains the percentile; 0 without calls. */
  readonly p90DurationMs: number;
  readonly p95DurationMs: number;
  readonly p99DurationMs: number;
  readonly groups: readonly EndpointGroupSummary[];
  readonly recentCalls: readonly EndpointCallRecord[];
  readonly history: readonly EndpointHourSummary[];
};

type Scope = { readonly application?: string };
type HoursScope = Scope & { readonly hours?: number };

/** Read queries on endpoints for a dashboard. They also work in processes that map and observe no endpoints. */
export type EndpointReads = {
  applications(): Promise<string[]>;
  list(scope?: Scope): Promise<EndpointSummary[]>;
  /** Returns hourly sums of all endpoints together, oldest first. Default 24, at most 168 hours. */
  history(scope?: HoursScope): Promise<EndpointHourSummary[]>;
  /** Returns one endpoint with its most recent calls; null when no call was recorded. */
  detail(id: string, scope?: HoursScope): Promise<EndpointDetail | null>;
  /** Returns stored calls, newest first. Default 15, at most 200. */
  calls(
    id: string,
    page?: Scope & { readonly group?: string; readonly limit?: number; readonly offset?: number },
  ): Promise<EndpointCallRecord[]>;
  /** Returns one call with the jobs that it enqueued; null when it does not exist. */
  call(
    callId: string,
  ): Promise<(EndpointCallRecord & { readonly relatedJobs: readonly RelatedJob[] }) | null>;
  /** Returns the request in which a trace began; null when it began elsewhere or the request is not stored. */
  origin(traceId: string): Promise<EndpointCallRecord | null>;
};

const hoursDefault = 24;
const hoursMax = 168;
const callsDefault = 15;
const callsMax = 200;

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, Math.trunc(value)));

/** Returns the identity of an endpoint as an id for a URL path. */
export const endpointIdOf = (identity: string): string => Buffer.from(identity).toString('base64url');

function rates(sum: { readonly success: number; readonly failed: number; readonly durationMs: number }) {
  const calls = sum.success + sum.failed;
  return {
    calls,
    errors: sum.failed,
    errorRate: calls === 0 ? 0 : sum.failed / calls,
    avgDurationMs: calls === 0 ? 0 : sum.durationMs / calls,
  };
}

function summary(totals: EndpointTotals, application: string | null): EndpointSummary {
  const { calls, errors, errorRate, avgDurationMs } = rates(totals);
  const blank = totals.endpoint.indexOf(' ');
  return {
    id: endpointIdOf(totals.endpoint),
    application,
    method: totals.endpoint.slice(0, blank),
    routeTemplate: totals.endpoint.slice(blank + 1),
    route: totals.endpoint,
    totalCalls: calls,
    errorCount: errors,
    errorRate,
    avgDurationMs,
  };
}

const hourSummary = (hour: EndpointHour): EndpointHourSummary => ({ hour: hour.hour, ...rates(hour) });
const groupSummary = (group: EndpointGroupTotals): EndpointGroupSummary => ({
  group: group.group,
  ...rates(group),
  lastFailureAt: group.lastFailureAt,
});

export function createEndpointReads(sql: Sql): EndpointReads {
  const hoursOf = (scope: HoursScope | undefined) => clamp(scope?.hours ?? hoursDefault, 1, hoursMax);
  const calls: EndpointReads['calls'] = (id, page = {}) => {
    const identity = Buffer.from(id, 'base64url').toString('utf8');
    const blank = identity.indexOf(' ');
    return readRecentCalls(sql, {
      application: page.application ?? null,
      method: identity.slice(0, Math.max(0, blank)),
      routeTemplate: identity.slice(blank + 1),
      group: page.group ?? null,
      limit: clamp(page.limit ?? callsDefault, 1, callsMax),
      offset: clamp(page.offset ?? 0, 0, Number.MAX_SAFE_INTEGER),
    });
  };
  return {
    applications: () => readApplications(sql),
    list: async (scope) => {
      const application = scope?.application ?? null;
      return (await readEndpointTotals(sql, application, null)).map((totals) => summary(totals, application));
    },
    history: async (scope) =>
      (await readEndpointHours(sql, scope?.application ?? null, null, hoursOf(scope))).map(hourSummary),
    detail: async (id, scope) => {
      const application = scope?.application ?? null;
      const identity = Buffer.from(id, 'base64url').toString('utf8');
      const [totals] = await readEndpointTotals(sql, application, identity);
      if (!totals) return null;
      const [groups, recentCalls, history] = await Promise.all([
        readEndpointGroups(sql, application, identity),
        calls(id, scope?.application === undefined ? {} : { application: scope.application }),
        readEndpointHours(sql, application, identity, hoursOf(scope)),
      ]);
      return {
        ...summary(totals, application),
        groupLabel: 'Caller',
        p90DurationMs: percentileMs(totals.buckets, 0.9),
        p95DurationMs: percentileMs(totals.buckets, 0.95),
        p99DurationMs: percentileMs(totals.buckets, 0.99),
        groups: groups.map(groupSummary),
        recentCalls,
        history: history.map(hourSummary),
      };
    },
    calls,
    call: async (callId) => {
      const call = await readCall(sql, callId);
      return call && { ...call, relatedJobs: await readRelatedJobs(sql, call.traceId) };
    },
    origin: (traceId) => readCallOfTrace(sql, traceId),
  };
}
