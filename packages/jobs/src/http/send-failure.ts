import type { ServerResponse } from 'node:http';
import { isDatabaseAway } from '../db/database-away.ts';
import type { JobsLogger } from '../engine/logger.ts';
import { errorText } from '../errors.ts';
import { nodeTransport, sendProblem } from './send-answer.ts';

const retryAfterSeconds = '5';

/** Responds to an error of an endpoint with 500, or with 503 while the database is unavailable, and logs it. */
export function sendFailure(
  response: ServerResponse,
  endpoint: string,
  error: unknown,
  logger: JobsLogger,
): void {
  logger.error({ endpoint, error: errorText(error) }, 'an endpoint failed');
  if (isDatabaseAway(error)) {
    const detail = 'The database of the jobs does not answer at the moment. Try again in a few seconds.';
    sendProblem(nodeTransport, response, 503, detail, { 'retry-after': retryAfterSeconds });
    return;
  }
  sendProblem(nodeTransport, response, 500, 'The request could not be served.');
}
