import type { ChannelAnswer, ChannelContext, ChannelRequest } from '../channel.ts';

/** An answer of a destination, for tests. */
export function answered(status: number, body = ''): ChannelAnswer {
  return { ok: true, status, body: Buffer.from(body), bytesSent: 10, durationMs: 3 };
}

/** A context for tests that records what a channel sends and answers it by a function. */
export function testContext(
  answer: (request: ChannelRequest, index: number) => ChannelAnswer,
  rest: Partial<ChannelContext> = {},
): ChannelContext & { requests: ChannelRequest[]; warnings: string[] } {
  const requests: ChannelRequest[] = [];
  const warnings: string[] = [];
  return {
    requests,
    warnings,
    request: async (request) => {
      requests.push(request);
      return answer(request, requests.length - 1);
    },
    signal: new AbortController().signal,
    warn: (event) => void warnings.push(event),
    ...rest,
  };
}
