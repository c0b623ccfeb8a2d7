import type { FastifyReply } from 'fastify';

/**
 * A signal that is aborted when the client goes away before its answer has been sent. (Fastify's own
 * `request.signal` is aborted as soon as the request's body has been read.)
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
