import type { IncomingMessage } from 'node:http';
import { Refusal } from '../refusals/refusal.ts';

/**
 * A body that the embedding application has read already cannot be read again: without this the request would wait
 * for it until it times out. Undefined when there is none, or nobody has touched it.
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
