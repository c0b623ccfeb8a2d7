import type { IncomingMessage, ServerResponse } from 'node:http';
import os from 'node:os';
import type { JobsLogger } from '../engine/logger.ts';
import { errorText } from '../errors.ts';
import type { EndpointCall } from '../sql/endpoint-calls.ts';
import { uuidV7 } from '../uuid.ts';
import { captureHeaders, cutText } from './capture.ts';
import type { EndpointObservabilityOptions } from './options.ts';

/** Which endpoint a request is to. */
export type ObservedEndpoint = {
  readonly method: string;
  readonly routeTemplate: string;
  readonly operation: string | null;
  readonly traceId: string;
};

const exceptionBytesMax = 4_096;
const fieldBytesMax = 1_024;
const groupBytesMax = 200;
/** A client that went away before anything was answered; no status was sent. */
const clientClosedStatus = 499;

type Settings = Readonly<EndpointObservabilityOptions>;
/** A call that has ended, before anything is made of it. */
export type EndedCall = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly endpoint: ObservedEndpoint;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly error: { readonly value: unknown; readonly isAfterStart: boolean } | null;
  readonly isForced: boolean;
  readonly requestBody: string | null;
  readonly responseBody: (() => string) | null;
};

function remoteIp(request: IncomingMessage, usesForwarded: boolean): string | null {
  const header = request.headers['x-forwarded-for'];
  const first = usesForwarded
    ? (Array.isArray(header) ? header[0] : header)?.split(',')[0]?.trim()
    : undefined;
  const ip = first || request.socket.remoteAddress;
  return ip ? cutText(ip, fieldBytesMax) : null;
}

function exceptionOf(error: unknown): { type: string; message: string } {
  const type = error instanceof Error ? error.constructor.name || error.name : typeof error;
  const message = error instanceof Error ? error.message : errorText(error);
  return { type: cutText(type, fieldBytesMax), message: cutText(message, exceptionBytesMax) };
}

/** Puts together what is known of a call when it has ended. */
export function describeCall(settings: Settings, ended: EndedCall, logger: JobsLogger) {
  const { request, response, endpoint, error } = ended;
  const guard = <T>(name: string, read: () => T): T | null => {
    try {
      return read();
    } catch (cause) {
      // What the host's own function does wrong must not fail a request.
      logger.debug({ endpoint: endpoint.routeTemplate, error: errorText(cause) }, `${name} threw`);
      return null;
    }
  };
  const statusCode =
    response.headersSent || response.writableEnded ? response.statusCode : clientClosedStatus;
  const isFailed = statusCode >= 500 || error?.isAfterStart === true;
  const groupText = guard('groupSelector', () => settings.groupSelector?.(request));
  const userText = guard('userName', () => settings.userName?.(request));
  return {
    statusCode,
    isFailed,
    // An exception that the host mapped to a status is no failed call, but worth as much attention.
    isNotable: isFailed || error !== null,
    groupName: groupText ? cutText(groupText, groupBytesMax) : null,
    userName: userText ? cutText(userText, fieldBytesMax) : null,
    exception: error ? exceptionOf(error.value) : null,
    tags: () => {
      const tags = new Map<string, string>();
      guard('enrich', () => settings.enrich?.(request, tags));
      const entries = [...tags].map(([name, value]) => [
        cutText(name, fieldBytesMax),
        cutText(value, fieldBytesMax),
      ]);
      return entries.length > 0 ? (Object.fromEntries(entries) as Record<string, string>) : null;
    },
  };
}

/** What was made of a call. */
export type Described = ReturnType<typeof describeCall>;

/** The row of a call. */
export function callRow(settings: Settings, ended: EndedCall, described: Described): EndpointCall {
  const { request, response, endpoint } = ended;
  const captures = (tier: Settings['captureHeaders']) =>
    ended.isForced || tier === 'Always' || (tier === 'OnFailure' && described.isNotable);
  const headers = (of: Parameters<typeof captureHeaders>[0]) =>
    captures(settings.captureHeaders)
      ? captureHeaders(of, settings.redactedHeaders, settings.maxCapturedHeaderSize)
      : null;
  const userAgent = request.headers['user-agent'];
  return {
    id: uuidV7(ended.startedAt.getTime()),
    application: settings.applicationName,
    method: endpoint.method,
    routeTemplate: endpoint.routeTemplate,
    operation: endpoint.operation,
    groupName: described.groupName,
    at: ended.startedAt.toISOString(),
    durationMs: ended.durationMs,
    outcome: described.isFailed ? 'Failed' : 'Success',
    statusCode: described.statusCode,
    remoteIp: remoteIp(request, settings.useForwardedForIp),
    userAgent: userAgent === undefined ? null : cutText(userAgent, fieldBytesMax),
    userName: described.userName,
    exceptionType: described.exception?.type ?? null,
    exceptionMessage: described.exception?.message ?? null,
    requestHeaders: headers(request.headers),
    responseHeaders: headers(response.getHeaders()),
    requestBody:
      captures(settings.captureRequestBodies) && ended.requestBody !== null
        ? cutText(ended.requestBody, settings.maxCapturedBodySize)
        : null,
    responseBody: captures(settings.captureResponseBodies) ? (ended.responseBody?.() ?? null) : null,
    machineName: os.hostname(),
    traceId: endpoint.traceId,
    tags: described.tags(),
    expireAt: new Date(ended.startedAt.getTime() + settings.endpointCallLogRetentionMs).toISOString(),
  };
}

/** Puts the call on the request's span and into the meters, under the prefix `job.endpoint.`. */
export function tellTelemetry(settings: Settings, ended: EndedCall, described: Described): void {
  const { telemetry } = settings;
  if (!telemetry) return;
  const dimensions = {
    'job.endpoint.method': ended.endpoint.method,
    'job.endpoint.route': ended.endpoint.routeTemplate,
    'job.endpoint.outcome': described.isFailed ? 'Failed' : 'Success',
    ...(described.groupName !== null && { 'job.endpoint.group': described.groupName }),
    ...(settings.applicationName !== null && { 'job.endpoint.application': settings.applicationName }),
  };
  telemetry.record(ended.durationMs, dimensions);
  const call = callRow(settings, ended, described);
  const detail: Record<string, string | number> = { ...dimensions };
  const rest = {
    operation: call.operation,
    status_code: call.statusCode,
    remote_ip: call.remoteIp,
    user_agent: call.userAgent,
    user: call.userName,
    'exception.type': call.exceptionType,
    'exception.message': call.exceptionMessage,
    request_headers: call.requestHeaders && JSON.stringify(call.requestHeaders),
    response_headers: call.responseHeaders && JSON.stringify(call.responseHeaders),
    request_body: call.requestBody,
    response_body: call.responseBody,
    ...Object.fromEntries(Object.entries(call.tags ?? {}).map(([name, value]) => [`tag.${name}`, value])),
  };
  for (const [name, value] of Object.entries(rest))
    if (value !== null) detail[`job.endpoint.${name}`] = value;
  telemetry.setSpanAttributes(detail);
}
