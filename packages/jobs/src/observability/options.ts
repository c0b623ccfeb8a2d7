import type { IncomingMessage } from 'node:http';
import { JobsError } from '../errors.ts';
import type { EndpointTelemetry } from './telemetry.ts';

/** When something is captured: never, for failed calls, or for every call. */
export type CaptureTier = 'None' | 'OnFailure' | 'Always';

/** Every option of endpoint observability. The registration's callback changes them in place. */
export type EndpointObservabilityOptions = {
  /** Default `OnFailure`. */
  captureRequestBodies: CaptureTier;
  /** Default `OnFailure`. */
  captureResponseBodies: CaptureTier;
  /** Default `OnFailure`. */
  captureHeaders: CaptureTier;
  /** Names the caller's group: a dimension of the metrics, so few different names. Default none. */
  groupSelector: ((request: IncomingMessage) => string | null | undefined) | null;
  /** Adds tags to the call's row; no dimension of the metrics. Default none. */
  enrich: ((request: IncomingMessage, tags: Map<string, string>) => void) | null;
  /** Headers whose value is stored as `***`. Default Authorization, Proxy-Authorization, Cookie, Set-Cookie, X-Api-Key. */
  readonly redactedHeaders: HeaderNames;
  /** Bytes of a body that are kept. Default 8,192. */
  maxCapturedBodySize: number;
  /** Bytes of the headers that are kept. Default 4,096. */
  maxCapturedHeaderSize: number;
  /** Which calls get a row. Default `All`. */
  recordCalls: 'All' | 'FailuresOnly';
  /** Share of the successful calls that keep a row, 0 to 1; failures always do. Default 1. */
  sampleRate: number;
  /** Decides at the start of a request that everything is captured and the row written. Default never. */
  forceCapture: ((request: IncomingMessage) => boolean) | null;
  /** Takes the first hop of `x-forwarded-for` as the caller's address. Default false. */
  useForwardedForIp: boolean;
  /** Where calls are recorded. Default `Database`; the other two need `telemetry`. */
  sink: 'Database' | 'Otel' | 'Both';
  /** OpenTelemetry's span and meters, see `openTelemetry`. Default none. */
  telemetry: EndpointTelemetry | null;
  /** Name of the application; then it is part of an endpoint's identity. Default none. */
  applicationName: string | null;
  /** The signed-in user's name. Default none. */
  userName: ((request: IncomingMessage) => string | null | undefined) | null;
  /** Rows that wait to be written at most; the oldest are dropped and counted. Default 10,000. */
  callLogBufferCapacity: number;
  /** Rows that make a flush due, and that one statement stores at most (100 in any case). Default 500. */
  callLogFlushBatchSize: number;
  /** How long rows are kept. Default 7 days. */
  endpointCallLogRetentionMs: number;
  /** Rows kept of each endpoint at most, the newest. Default no bound. */
  endpointCallLogRetentionCount: number | null;
};

const sevenDaysMs = 604_800_000;
const sensitiveHeaders = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key'];

/** Names of headers, whatever their case. */
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
/** Options that take one of a few words. */
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
 * The options with their defaults, changed by the callback.
 *
 * @throws JobsError `InvalidOptions` that names the bad option.
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
