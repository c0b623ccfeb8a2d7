import type { IncomingMessage } from 'node:http';
import { Refusal } from '../refusals/refusal.ts';

/**
 * Refuses a body that the embedding application has already read. Otherwise the request would wait for the body
 * until a timeout. Undefined if there is no body, or if it is unread.
 */
export function refuseTakenBody(request: IncomingMessage): Refusal | undefined {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  const hasBody = encoding !== undefined || (length !== undefined && length !== '0');
  if (!hasBody || !request.readableDidRead) return undefined;
  return new Refusal('body-already-read', {
    detail:
      'The host application has read the body of this request before it reached the service. ' +
      'Mount the service before every body parser.',
  });
}
