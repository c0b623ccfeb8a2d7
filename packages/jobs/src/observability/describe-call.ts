import type { IncomingMessage } from 'node:http';
import os from 'node:os';
import type { JobsLogger } from '../engine/logger.ts';
import { errorText } from '../errors.ts';
import type { CallDetail, EndpointCall } from '../sql/endpoints/endpoint-calls.ts';
import { captureHeaders, cutText } from './capture.ts';
import type { ObservedCall } from './observed-call.ts';
import type { EndpointObservabilityOptions } from './options.ts';
import type { MeteredCall, TelemetryAttributes } from './telemetry.ts';

const exceptionBytesMax = 4_096;
const fieldBytesMax = 1_024;
const groupBytesMax = 200;
const tagsMax = 100;
/** Status of a call whose client disconnected before a status was sent. */
const clientClosedStatus = 499;
/** Name of the machine that served a call. */
export const machineName = os.hostname();

type Settings = Readonly<EndpointObservabilityOptions>;

/** Outcome of a call. It decides how the call is counted and whether it gets a row. */
export type CallOutcome = {
  readonly statusCode: number;
  readonly isFailed: boolean;
  /**
   * True for failed calls and for exceptions. An exception that the host maps to a status is not a failed call, but
   * gets a row.
   */
  readonly isNotable: boolean;
  readonly groupName: string | null;
};

/** Calls a function of the host. Its errors must not fail a request. */
function guarded<T>(logger: JobsLogger, name: string, call: () => T): T | null {
  try {
    return call();
  } catch (error) {
    logger.debug({ error: errorText(error) }, `${name} threw`);
    return null;
  }
}

const textOf = (value: unknown, bytesMax: number): string | null =>
  value === null || value === undefined || value === '' ? null : cutText(String(value), bytesMax);

/** Returns the outcome of an ended call. */
export function outcomeOf(settings: Settings, ended: ObservedCall, logger: JobsLogger): CallOutcome {
  const { request, response, error } = ended;
  const statusCode =
    response.headersSent || response.writableEnded ? response.statusCode : clientClosedStatus;
  const isFailed = statusCode >= 500 || error?.isAfterStart === true;
  const select = settings.groupSelector;
  return {
    statusCode,
    isFailed,
    isNotable: isFailed || error !== null,
    groupName:
      select === null ? null : guarded(logger, 'groupSelector', () => textOf(select(request), groupBytesMax)),
  };
}

/** Returns a function that caches the value of its last text, because consecutive calls often have the same text. */
function keepingLast(toValue: (text: string) => string | null): (text: string) => string | null {
  let lastText = '';
  let lastValue = toValue('');
  return (text) => {
    if (text !== lastText) {
      lastValue = toValue(text);
      lastText = text;
    }
    return lastValue;
  };
}

// A dual-stack socket reports IPv4 addresses as IPv4-mapped IPv6 addresses.
const addressOf = keepingLast((text) => textOf(text.replace(/^::ffff:(?=\d+\.)/, ''), fieldBytesMax));
const userAgentOf = keepingLast((text) => textOf(text, fieldBytesMax));

function remoteIp(ended: ObservedCall, usesForwarded: boolean): string | null {
  if (usesForwarded) {
    const header = ended.request.headers['x-forwarded-for'];
    const first = (Array.isArray(header) ? header[0] : header)?.split(',', 1)[0]?.trim();
    if (first) return textOf(first, fieldBytesMax);
  }
  return addressOf(ended.remoteAddress ?? '');
}

function exceptionOf(error: unknown): { type: string; message: string } {
  const type = error instanceof Error ? error.constructor.name || error.name : typeof error;
  const message = error instanceof Error ? error.message : errorText(error);
  return { type: cutText(type, fieldBytesMax), message: cutText(message, exceptionBytesMax) };
}

function tagsOf(settings: Settings, request: IncomingMessage, logger: JobsLogger) {
  const { enrich } = settings;
  if (enrich === null) return null;
  const tags = new Map<string, string>();
  guarded(logger, 'enrich', () => enrich(request, tags));
  const entries = [...tags]
    .slice(0, tagsMax)
    .map(([name, value]) => [cutText(String(name), fieldBytesMax), cutText(String(value), fieldBytesMax)]);
  return entries.length > 0 ? (Object.fromEntries(entries) as Record<string, string>) : null;
}

const captures = (tier: Settings['captureHeaders'], ended: ObservedCall, outcome: CallOutcome): boolean =>
  ended.isForced || tier === 'Always' || (tier === 'OnFailure' && outcome.isNotable);

/** Returns the optional values of a call; null when no option can produce one. */
function detailOf(
  settings: Settings,
  ended: ObservedCall,
  outcome: CallOutcome,
  logger: JobsLogger,
): CallDetail | null {
  const { request } = ended;
  const { userName } = settings;
  const hasHeaders = captures(settings.captureHeaders, ended, outcome);
  const hasRequestBody = captures(settings.captureRequestBodies, ended, outcome);
  const hasResponseBody = captures(settings.captureResponseBodies, ended, outcome);
  if (
    !(hasHeaders || hasRequestBody || hasResponseBody) &&
    ended.error === null &&
    userName === null &&
    settings.enrich === null
  ) {
    return null;
  }
  const headers = (given: Parameters<typeof captureHeaders>[0]) =>
    captureHeaders(given, settings.redactedHeaders, settings.maxCapturedHeaderSize);
  const exception = ended.error ? exceptionOf(ended.error.value) : null;
  return {
    userName: userName && guarded(logger, 'userName', () => textOf(userName(request), fieldBytesMax)),
    exceptionType: exception?.type ?? null,
    exceptionMessage: exception?.message ?? null,
    requestHeaders: hasHeaders ? headers(request.headers) : null,
    responseHeaders: hasHeaders ? headers(ended.captured?.headers() ?? {}) : null,
    requestBody:
      hasRequestBody && ended.requestBody !== null
        ? cutText(ended.requestBody, settings.maxCapturedBodySize)
        : null,
    responseBody: hasResponseBody ? (ended.captured?.body(settings.maxCapturedBodySize) ?? null) : null,
    tags: tagsOf(settings, request, logger),
  };
}

/** Returns the row of a call. */
export function callRow(
  settings: Settings,
  ended: ObservedCall,
  outcome: CallOutcome,
  logger: JobsLogger,
): EndpointCall {
  return {
    source: ended.source,
    groupName: outcome.groupName,
    atMs: ended.startedAtMs,
    durationMs: ended.durationMs,
    outcome: outcome.isFailed ? 'Failed' : 'Success',
    statusCode: outcome.statusCode,
    remoteIp: remoteIp(ended, settings.useForwardedForIp),
    userAgent: userAgentOf(ended.request.headers['user-agent'] ?? ''),
    traceId: ended.trace.givenTraceId,
    detail: detailOf(settings, ended, outcome, logger),
  };
}

/** Returns the values of a call for the meters. */
export function meteredCall(settings: Settings, ended: ObservedCall, outcome: CallOutcome): MeteredCall {
  const { source } = ended;
  const isEncrypted = 'encrypted' in ended.request.socket && ended.request.socket.encrypted === true;
  return {
    durationMs: ended.durationMs,
    dimensions: {
      'job.endpoint.method': source.method,
      'job.endpoint.route': source.routeTemplate,
      'job.endpoint.outcome': outcome.isFailed ? 'Failed' : 'Success',
      ...(outcome.groupName !== null && { 'job.endpoint.group': outcome.groupName }),
      ...(settings.applicationName !== null && { 'job.endpoint.application': settings.applicationName }),
    },
    standardDimensions: {
      'http.request.method': source.method,
      'http.route': source.routeTemplate,
      'http.response.status_code': outcome.statusCode,
      'url.scheme': isEncrypted ? 'https' : 'http',
      ...(outcome.isFailed && {
        'error.type': ended.error ? exceptionOf(ended.error.value).type : String(outcome.statusCode),
      }),
    },
  };
}

/** Returns the values of a call as span attributes with the prefix `job.endpoint.`. */
export function spanAttributes(
  call: EndpointCall,
  traceId: string,
  dimensions: TelemetryAttributes,
): TelemetryAttributes {
  const { detail } = call;
  const rest = {
    operation: call.source.operation,
    status_code: call.statusCode,
    duration_ms: call.durationMs,
    remote_ip: call.remoteIp,
    user_agent: call.userAgent,
    user: detail?.userName,
    trace_id: traceId,
    'exception.type': detail?.exceptionType,
    'exception.message': detail?.exceptionMessage,
    request_headers: detail?.requestHeaders && JSON.stringify(detail.requestHeaders),
    response_headers: detail?.responseHeaders && JSON.stringify(detail.responseHeaders),
    request_body: detail?.requestBody,
    response_body: detail?.responseBody,
    ...Object.fromEntries(Object.entries(detail?.tags ?? {}).map(([name, value]) => [`tag.${name}`, value])),
  };
  const attributes: Record<string, string | number> = { ...dimensions };
  for (const [name, value] of Object.entries(rest)) {
    if (value !== null && value !== undefined) attributes[`job.endpoint.${name}`] = value;
  }
  return attributes;
}
