import type { ScanFailure } from '@svc/contract';
import type {
  Outbound,
  OutboundFailure,
  OutboundPolicy,
  OutboundResult,
} from '../../platform/outbound/index.ts';
import type { GitRequest, GitResponse } from './scan/messages.ts';
import { ScanFailedError } from './scan/run-child.ts';

/** Maximum size of a branch's packed newest commit, in bytes. */
const packBytesMax = 100 * 1024 * 1024;
const requestTimeoutMs = 240_000;
const passedOn = new Set(['accept', 'content-type', 'git-protocol']);

/** Returns the user name to send with the token. Servers other than bitbucket.org accept any name. */
const userNameOf = (host: string): string => (host === 'bitbucket.org' ? 'x-token-auth' : 'x-access-token');

const notAllowed: ReadonlySet<OutboundFailure> = new Set(['DestinationRefused', 'AddressRefused']);

function withoutAnswer(failure: OutboundFailure): ScanFailure {
  if (notAllowed.has(failure)) return 'NotAllowed';
  if (failure === 'InvalidAnswer') return 'NoGitServer';
  return failure === 'TimedOut' ? 'TooLong' : 'NotReached';
}

/** Returns the failure that a response means, unless it is a complete 200. */
function refusalOf({
  status,
  isBodyComplete,
  bytesReceived,
}: Extract<OutboundResult, { ok: true }>): ScanFailure | undefined {
  if (status === 401 || status === 403) return 'TokenRefused';
  if (status === 404 || status === 410) return 'NotFound';
  if (status >= 300 && status < 400) return 'Redirected';
  if (status !== 200) return 'NoGitServer';
  if (isBodyComplete) return undefined;
  return bytesReceived >= packBytesMax ? 'TooLarge' : 'NotReached';
}

/**
 * Creates the function that sends requests of the reading process to the git server. It allows only requests for this
 * repository, and adds the token.
 */
export function createGitRequests(
  outbound: Pick<Outbound, 'request'>,
  policy: OutboundPolicy,
  repository: { readonly url: string; readonly token: string | null },
  signal: AbortSignal,
): (request: GitRequest) => Promise<GitResponse> {
  const base = repository.url.replace(/\/+$/, '');
  const allowedRequests = new Set([
    `GET ${base}/info/refs?service=git-upload-pack`,
    `POST ${base}/git-upload-pack`,
  ]);
  return async ({ url, method, headers, body }) => {
    if (!allowedRequests.has(`${method} ${url}`)) throw new ScanFailedError('NotAllowed');
    const passedHeaders = Object.entries(headers).filter(([name]) => passedOn.has(name.toLowerCase()));
    const { token } = repository;
    const result = await outbound.request({
      url,
      method,
      policy,
      signal,
      headers: {
        ...Object.fromEntries(passedHeaders),
        'user-agent': 'git/svc',
        ...(token !== null && {
          authorization: `Basic ${Buffer.from(`${userNameOf(new URL(url).hostname)}:${token}`).toString('base64')}`,
        }),
      },
      ...(body && { body: Buffer.from(body) }),
      keepAnswer: true,
      answerBytesMax: packBytesMax,
      totalTimeoutMs: requestTimeoutMs,
    });
    if (!result.ok) {
      signal.throwIfAborted();
      throw new ScanFailedError(withoutAnswer(result.failure));
    }
    const refused = refusalOf(result);
    if (refused) throw new ScanFailedError(refused);
    const answered = Object.entries(result.headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as const] : [],
    );
    return { status: result.status, headers: Object.fromEntries(answered), body: result.body };
  };
}
