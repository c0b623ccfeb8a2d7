import type { IncomingMessage } from 'node:http';
import type { JobsLogger } from '../engine/logger.ts';
import { errorText } from '../errors.ts';
import type { StoredSource } from '../sql/endpoints/endpoint-calls.ts';
import { teeResponse } from './capture.ts';
import { type Observation, ObservedCall, type ObservedRequest } from './observed-call.ts';
import type { EndpointObservabilityOptions } from './options.ts';
import type { EndpointTelemetry } from './telemetry.ts';

export type ObserveDeps = {
  readonly settings: Readonly<EndpointObservabilityOptions>;
  /** Span of the current call; null without telemetry. */
  readonly telemetry: Pick<EndpointTelemetry, 'currentSpan'> | null;
  readonly logger: JobsLogger;
};

/**
 * Captures the parts of a call that the options select. A forced capture includes the bodies. The row is created when
 * the call ends, and only then it is certain whether the call failed.
 */
function capture(settings: ObserveDeps['settings'], call: ObservedCall): void {
  const { captureRequestBodies, captureResponseBodies, captureHeaders, maxCapturedBodySize } = settings;
  if (call.isForced || captureRequestBodies !== 'None') call.requestBodyUnits = maxCapturedBodySize + 1;
  const hasBody = call.isForced || captureResponseBodies !== 'None';
  if (hasBody || captureHeaders !== 'None')
    call.captured = teeResponse(call.response, hasBody ? maxCapturedBodySize : 0);
}

/**
 * Calls `end` once, when the response has ended.
 *
 * `close` follows both a finished response and a client that disconnected. At that time the response contains the result
 * of the host's error handler. The listener must run first, because instrumentation ends the span on the same event.
 */
function onEnd(call: ObservedCall, end: (call: ObservedCall) => void): void {
  let isEnded = false;
  const endOnce = () => {
    if (!isEnded) end(call);
    isEnded = true;
  };
  call.response.prependListener('close', endOnce);
  // Some hosts end the span when the response was sent. Attributes of an ended span are lost.
  if (call.span !== undefined) call.response.prependListener('finish', endOnce);
}

/**
 * Returns the function that observes the requests of one endpoint.
 *
 * @param end records an ended call.
 */
export function createObserve(
  { settings, telemetry, logger }: ObserveDeps,
  source: StoredSource,
  end: (call: ObservedCall) => void,
): (observed: ObservedRequest) => Observation {
  const isForced = (request: IncomingMessage): boolean => {
    try {
      return settings.forceCapture?.(request) === true;
    } catch (error) {
      logger.debug({ error: errorText(error) }, 'forceCapture threw');
      return false;
    }
  };

  return (observed) => {
    const call = new ObservedCall(observed, source, isForced(observed.request), telemetry?.currentSpan());
    capture(settings, call);
    onEnd(call, end);
    return call;
  };
}
