import type { IncomingMessage } from 'node:http';
import { JobsError } from '../errors.ts';
import type { EndpointTelemetry } from './telemetry.ts';

/** Rule for a capture: never, for failed calls, or for every call. */
export type CaptureTier = 'None' | 'OnFailure' | 'Always';

/** Options of endpoint observability. The registration's callback changes them in place. */
export type EndpointObservabilityOptions = {
  /** Default `OnFailure`. */
  captureRequestBodies: CaptureTier;
  /** Default `OnFailure`. */
  captureResponseBodies: CaptureTier;
  /** Default `OnFailure`. */
  captureHeaders: CaptureTier;
  /** Returns the caller's group. It is a dimension of the metrics, so the number of names must be small. Default none. */
  groupSelector: ((request: IncomingMessage) => string | null | undefined) | null;
  /** Adds tags to the call's row. They are not dimensions of the metrics. Default none. */
  enrich: ((request: IncomingMessage, tags: Map<string, string>) => void) | null;
  /** Headers whose value is stored as `***`. Default Authorization, Proxy-Authorization, Cookie, Set-Cookie, X-Api-Key. */
  readonly redactedHeaders: HeaderNames;
  /** Maximum size of a stored body in bytes. Default 8,192. */
  maxCapturedBodySize: number;
  /** Maximum size of stored headers in bytes. Default 4,096. */
  maxCapturedHeaderSize: number;
  /** Calls that get a row. Default `All`. */
  recordCalls: 'All' | 'FailuresOnly';
  /** Share of the successful calls that get a row, 0 to 1. Failed calls always get one. Default 1. */
  sampleRate: number;
  /** Returns true at the start of a request to capture everything and store a row. Default never. */
  forceCapture: ((request: IncomingMessage) => boolean) | null;
  /** Uses the first hop of `x-forwarded-for` as the caller's address. Default false. */
  useForwardedForIp: boolean;
  /** Destination of recorded calls. Default `Database`; the other two require `telemetry`. */
  sink: 'Database' | 'Otel' | 'Both';
  /** Span and meters of OpenTelemetry, see `openTelemetry`. Default none. */
  telemetry: EndpointTelemetry | null;
  /** Name of the application, which becomes part of an endpoint's identity. Default none. */
  applicationName: string | null;
  /** Returns the name of the signed-in user. Default none. */
  userName: ((request: IncomingMessage) => string | null | undefined) | null;
  /** Maximum number of waiting rows. When full, the oldest rows are dropped and counted. Default 10,000. */
  callLogBufferCapacity: number;
  /** Number of rows that triggers a flush, and maximum number per statement (never more than 100). Default 500. */
  callLogFlushBatchSize: number;
  /** Retention of rows. Default 7 days. */
  endpointCallLogRetentionMs: number;
  /** Maximum number of stored rows per endpoint, the newest. Default no limit. */
  endpointCallLogRetentionCount: number | null;
};

const sevenDaysMs = 604_800_000;
const sensitiveHeaders = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key'];

/** Case-insensitive set of header names. */
export class HeaderNames {
  readonly #names: Set<string>;

  constructor(names: readonly string[]) {
    this.#names = new Set(names.map((name) => name.toLowerCase()));
  }

  add(name: string): void {
    this.#names.add(name.toLowerCase());
  }

  remove(name: string): void {
    this.#names.delete(name.toLowerCase());
  }

  clear(): void {
    this.#names.clear();
  }

  has(name: string): boolean {
    return this.#names.has(name.toLowerCase());
  }
}

const tiers: readonly string[] = ['None', 'OnFailure', 'Always'] satisfies CaptureTier[];
/** Allowed values of options with a closed list. */
const choices: Readonly<
  Record<
    'captureRequestBodies' | 'captureResponseBodies' | 'captureHeaders' | 'recordCalls' | 'sink',
    readonly string[]
  >
> = {
  captureRequestBodies: tiers,
  captureResponseBodies: tiers,
  captureHeaders: tiers,
  recordCalls: ['All', 'FailuresOnly'],
  sink: ['Database', 'Otel', 'Both'],
};

function requireWhole(name: keyof EndpointObservabilityOptions, value: number, min: number): void {
  if (!Number.isSafeInteger(value) || value < min) {
    throw new JobsError('InvalidOptions', `${name} must be a whole number of at least ${min}: ${value}.`);
  }
}

/**
 * Returns the options: defaults, changed by the callback.
 *
 * @throws JobsError `InvalidOptions` that names the invalid option.
 */
export function resolveObservability(
  configure: (options: EndpointObservabilityOptions) => void,
): Readonly<EndpointObservabilityOptions> {
  const options: EndpointObservabilityOptions = {
    captureRequestBodies: 'OnFailure',
    captureResponseBodies: 'OnFailure',
    captureHeaders: 'OnFailure',
    groupSelector: null,
    enrich: null,
    redactedHeaders: new HeaderNames(sensitiveHeaders),
    maxCapturedBodySize: 8_192,
    maxCapturedHeaderSize: 4_096,
    recordCalls: 'All',
    sampleRate: 1,
    forceCapture: null,
    useForwardedForIp: false,
    sink: 'Database',
    telemetry: null,
    applicationName: null,
    userName: null,
    callLogBufferCapacity: 10_000,
    callLogFlushBatchSize: 500,
    endpointCallLogRetentionMs: sevenDaysMs,
    endpointCallLogRetentionCount: null,
  };
  configure(options);
  for (const [name, values] of Object.entries(choices)) {
    const value = options[name as keyof typeof choices];
    if (!values.includes(value)) {
      throw new JobsError('InvalidOptions', `${name} must be one of ${values.join(', ')}: ${String(value)}.`);
    }
  }
  if (!(options.sampleRate >= 0 && options.sampleRate <= 1)) {
    throw new JobsError('InvalidOptions', `sampleRate must be from 0 to 1: ${options.sampleRate}.`);
  }
  requireWhole('maxCapturedBodySize', options.maxCapturedBodySize, 0);
  requireWhole('maxCapturedHeaderSize', options.maxCapturedHeaderSize, 0);
  requireWhole('callLogBufferCapacity', options.callLogBufferCapacity, 1);
  requireWhole('callLogFlushBatchSize', options.callLogFlushBatchSize, 1);
  requireWhole('endpointCallLogRetentionMs', options.endpointCallLogRetentionMs, 1);
  if (options.endpointCallLogRetentionCount !== null) {
    requireWhole('endpointCallLogRetentionCount', options.endpointCallLogRetentionCount, 0);
  }
  if (options.applicationName !== null && options.applicationName.trim() === '') {
    throw new JobsError('InvalidOptions', 'applicationName must not be empty.');
  }
  if (options.sink !== 'Database' && options.telemetry === null) {
    throw new JobsError('InvalidOptions', `The sink ${options.sink} needs telemetry to write to.`);
  }
  return options;
}
