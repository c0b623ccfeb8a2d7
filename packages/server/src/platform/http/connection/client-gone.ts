import type { FastifyReply } from 'fastify';

/**
 * Returns a signal that aborts when the client disconnects before its response was sent. (Fastify's
 * `request.signal` aborts as soon as the request's body has been read.)
 */
export function clientGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const { raw } = reply;
  const onClose = (): void => {
    if (!raw.writableFinished) controller.abort();
  };
  if (raw.destroyed) onClose();
  else raw.once('close', onClose);
  return controller.signal;
}
