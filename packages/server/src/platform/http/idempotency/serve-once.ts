import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { identityOf } from '../../access/caller.ts';
import { HttpProblem } from '../refusals/http-problem.ts';
import { badRequest, Refusal } from '../refusals/refusal.ts';
import type { IdempotencyStore, KeptAnswer, KeyedRequest } from './store.ts';

const keyShape = /^[\x21-\x7e]{1,255}$/;
/** Headers that are stored with a response, in addition to the headers of every response. */
const keptHeaders = ['etag', 'location'] as const;
const retryAfterSeconds = '1';

/** Returns the request with its key; undefined without a key or without a named caller. */
function keyedRequest(request: FastifyRequest): KeyedRequest | undefined {
  const key = request.headers['idempotency-key'];
  const caller = identityOf(request.svc.caller);
  if (key === undefined || caller === undefined) return undefined;
  if (typeof key !== 'string' || !keyShape.test(key))
    throw badRequest(
      'invalid-idempotency-key',
      'Idempotency-Key takes 1 to 255 visible ASCII characters, such as a UUID.',
    );
  const body = Buffer.isBuffer(request.body) ? request.body : (JSON.stringify(request.body) ?? '');
  const digest = createHash('sha256').update(`${request.method} ${request.url}\n`).update(body).digest('hex');
  return { caller, key, digest };
}

const refusals = {
  OtherRequest: () =>
    new Refusal('idempotency-key-reused', {
      detail: 'This Idempotency-Key was sent with another request. Make a new key for each request.',
    }),
  UnderWay: () =>
    new Refusal('request-under-way', {
      detail: 'The request with this Idempotency-Key is being worked on. Ask again in a moment.',
      headers: { 'retry-after': retryAfterSeconds },
    }),
  Lost: () =>
    new Refusal('request-outcome-unknown', {
      detail:
        'The request with this Idempotency-Key did not end as it should. Look whether it did its work; send it with a new key if not.',
    }),
} as const;

function replay(reply: FastifyReply, { status, body, headers }: KeptAnswer): FastifyReply {
  reply.code(status).headers(headers).header('idempotency-replayed', 'true');
  return sendText(reply, body);
}

const sendText = (reply: FastifyReply, body: string): FastifyReply =>
  reply
    .type('application/json')
    .serializer((text: unknown) => String(text))
    .send(body);

const answerOf = (reply: FastifyReply, result: unknown): KeptAnswer => ({
  status: reply.statusCode,
  body: String(reply.serialize(result)),
  headers: Object.fromEntries(
    keptHeaders.flatMap((name) => {
      const value = reply.getHeader(name);
      return value === undefined ? [] : [[name, String(value)]];
    }),
  ),
});

/**
 * Executes the work of a request once per `Idempotency-Key`. A repeated request gets the response of the first. A
 * refusal changed nothing and releases the key. After any other error the outcome is unknown, and the key refuses
 * further requests.
 *
 * @param work Executes the work and sets the status. Returns the body, in the schema of that status.
 */
export async function serveOnce(
  store: IdempotencyStore,
  request: FastifyRequest,
  reply: FastifyReply,
  options: { readonly work: () => Promise<unknown>; readonly log: Logger },
): Promise<FastifyReply> {
  const keyed = keyedRequest(request);
  if (!keyed) return reply.send(await options.work());
  const begun = await store.begin(keyed);
  if (begun.state === 'Answered') return replay(reply, begun.answer);
  if (begun.state !== 'Begun') throw refusals[begun.state]();
  const note = (act: Promise<void>): Promise<void> =>
    act.catch((error: unknown) =>
      options.log.warn({ err: error, traceId: request.svc.traceId }, 'an idempotency key was not updated'),
    );
  let result: unknown;
  try {
    result = await options.work();
  } catch (error) {
    const isRefusal = error instanceof HttpProblem && error.status < 500;
    await note(isRefusal ? store.release(begun.id) : store.lose(begun.id));
    throw error;
  }
  const answer = answerOf(reply, result);
  // The work is complete. The response is sent even if it cannot be stored.
  await note(store.keep(begun.id, answer));
  return sendText(reply, answer.body);
}
