import type { ChannelAnswer, ChannelContext, ChannelRequest } from '../channel.ts';

/** Creates a response of a destination. */
export function answered(status: number, body = ''): ChannelAnswer {
  return { ok: true, status, body: Buffer.from(body), bytesSent: 10, durationMs: 3 };
}

/** Creates a context that records the requests of a channel and answers them with a function. */
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
