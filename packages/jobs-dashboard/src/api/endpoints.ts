import type { EndpointCallRecord } from '@svc/jobs';
import { isUuid, numberOf, textOf } from '../http/input.ts';
import type { Context, Route } from '../http/route.ts';
import { notFound } from '../problem.ts';
import { redactBody } from '../redact.ts';
import { listEndpoints } from '../sql/endpoints.ts';
import { curlOf } from './curl.ts';
import { idOf } from './shape.ts';

const callsDefault = 15;
const callsMax = 100;
const hoursMax = 168;

/** Returns the application to which the views are scoped; none for all applications. */
function scopeOf({ query }: Context): { readonly application?: string } {
  const application = textOf(query, 'application');
  return application === undefined ? {} : { application };
}

const hoursOf = ({ query }: Context): number =>
  numberOf(query, 'hours', { min: 1, max: hoursMax, byDefault: 24 });

async function list(context: Context) {
  const sums = await listEndpoints(context.db, scopeOf(context).application ?? null);
  return {
    items: sums.map(({ application, route, success, failed, durationMs }) => {
      const blank = route.indexOf(' ');
      const totalCalls = success + failed;
      return {
        id: idOf(route),
        application,
        method: route.slice(0, blank),
        routeTemplate: route.slice(blank + 1),
        route,
        totalCalls,
        errorCount: failed,
        errorRate: totalCalls === 0 ? 0 : failed / totalCalls,
        avgDurationMs: totalCalls === 0 ? 0 : durationMs / totalCalls,
      };
    }),
  };
}

async function history(context: Context) {
  return { items: await context.jobs.endpoints.history({ ...scopeOf(context), hours: hoursOf(context) }) };
}

/** Returns a call in the form of a list item. */
const callItem = (call: EndpointCallRecord) => ({
  id: call.id,
  application: call.application,
  at: call.at,
  durationMs: call.durationMs,
  outcome: call.outcome,
  statusCode: call.statusCode,
  groupName: call.groupName,
  userName: call.userName,
  remoteIp: call.remoteIp,
  userAgent: call.userAgent,
  exceptionType: call.exceptionType,
  traceId: call.traceId,
});

async function detail(context: Context) {
  const endpoint = await context.jobs.endpoints.detail(context.params['id'] ?? '', {
    ...scopeOf(context),
    hours: hoursOf(context),
  });
  if (!endpoint) throw notFound('endpoint');
  return { ...endpoint, recentCalls: endpoint.recentCalls.map(callItem) };
}

async function calls(context: Context) {
  const { query, params, jobs } = context;
  const limit = numberOf(query, 'limit', { min: 1, max: callsMax, byDefault: callsDefault });
  const offset = numberOf(query, 'offset', { min: 0, max: 1_000_000, byDefault: 0 });
  const group = textOf(query, 'group');
  const callRows = await jobs.endpoints.calls(params['id'] ?? '', {
    ...scopeOf(context),
    ...(group !== undefined && { group }),
    // One more than requested, to detect a further page.
    limit: limit + 1,
    offset,
  });
  return { items: callRows.slice(0, limit).map(callItem), hasMore: callRows.length > limit };
}

async function call(context: Context) {
  const { params, jobs, isSensitive } = context;
  const callId = params['callId'] ?? '';
  const callRecord = isUuid(callId) ? await jobs.endpoints.call(callId) : null;
  if (!callRecord || idOf(`${callRecord.method} ${callRecord.routeTemplate}`) !== params['id'])
    throw notFound('call');
  const requestBody =
    callRecord.requestBody === null ? null : redactBody(callRecord.requestBody, isSensitive);
  const shown = {
    ...callRecord,
    requestBody,
    responseBody: callRecord.responseBody === null ? null : redactBody(callRecord.responseBody, isSensitive),
  };
  return { ...shown, endpointId: params['id'], curl: curlOf(shown) };
}

/** Response types before JSON serialization, for the pages. */
export type EndpointList = Awaited<ReturnType<typeof list>>;
export type EndpointHistory = Awaited<ReturnType<typeof history>>;
export type EndpointPage = Awaited<ReturnType<typeof detail>>;
export type CallList = Awaited<ReturnType<typeof calls>>;
export type CallDetail = Awaited<ReturnType<typeof call>>;

/** Routes for recorded calls of HTTP endpoints. They also work in processes that record no calls. */
export const endpointRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/applications',
    answer: async ({ jobs }) => ({ items: await jobs.endpoints.applications() }),
  },
  { method: 'GET', path: '/endpoints', answer: list },
  { method: 'GET', path: '/endpoints/history', answer: history },
  { method: 'GET', path: '/endpoints/{id}', answer: detail },
  { method: 'GET', path: '/endpoints/{id}/calls', answer: calls },
  { method: 'GET', path: '/endpoints/{id}/calls/{callId}', answer: call },
];
