import type { TSchema } from 'typebox';
import type { OutboundFetch } from '../../platform/outbound/index.ts';
import type { LlmConnection } from './connection.ts';
import { type AttemptFailure, attemptFailureOf } from './failure.ts';
import { modelOf } from './models.ts';
import { framed, type Prompt } from './prompt.ts';

/** One request to a provider. */
export type Attempt = {
  readonly connection: LlmConnection;
  readonly model: string;
  readonly prompt: Prompt;
  readonly schema: TSchema;
  readonly maxOutputTokens: number;
  readonly fetch: OutboundFetch;
  readonly signal: AbortSignal;
};

/** Token counts of the provider. Undefined if it reports none. */
export type Counted = { readonly input?: number | undefined; readonly output?: number | undefined };

export type AttemptResult =
  | { readonly kind: 'Text'; readonly text: string; readonly counted: Counted }
  | { readonly kind: 'Refused'; readonly counted: Counted }
  | ({
      readonly kind: 'Failed';
      /** True if the provider may have processed the request and may charge for it. */
      readonly mayBeCharged: boolean;
      readonly counted: Counted;
    } & AttemptFailure);

/** Maximum characters of an answer per token. A longer text is not a valid answer. */
const charactersPerTokenMax = 32;

/** Bytes of a stream in addition to its tokens: its start, its end and refusals. */
const answerBytesBeside = 256 * 1024;
/** Maximum bytes per token: streams wrap each token in names and ids. */
const bytesPerToken = 2_048;

/**
 * Returns a response that fails after `bytesMax` bytes. A client library may copy its buffer for each chunk. The processor
 * time for an endless answer would then grow with the square of its length.
 */
function bounded(response: Answer, bytesMax: number): Answer {
  if (response.body === null) return response;
  let bytes = 0;
  const body = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        bytes += chunk.byteLength;
        if (bytes > bytesMax)
          controller.error(new RangeError('The answer is longer than what was asked for.'));
        else controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText } = response;
  const headers = Object.fromEntries(response.headers);
  // The outbound gateway's response type is undici's, which has one more method.
  return new Response(body, { status, statusText, headers }) as unknown as Answer;
}

type Answer = Awaited<ReturnType<OutboundFetch>>;

/** Returns the schema as plain JSON, without the internal members of the schema library. */
const plainSchema = (schema: TSchema): object => JSON.parse(JSON.stringify(schema));

function failureWhileStreaming(error: unknown, isAnswered: boolean): AttemptFailure {
  const classified = attemptFailureOf(error, isAnswered);
  if (!isAnswered || classified.failure !== 'BadAnswer') return classified;
  // Errors inside a stream are objects of the provider. Their serialised form names the type of the error.
  const serialised = JSON.stringify(error) ?? '';
  if (/overloaded|server_error|internalServer|serviceUnavailable|modelStreamError/i.test(serialised))
    return { ...classified, failure: 'Overloaded' };
  return /rate_limit|throttling/i.test(serialised) ? { ...classified, failure: 'RateLimited' } : classified;
}

async function startStream({ connection, model, prompt, schema, maxOutputTokens, fetch, signal }: Attempt) {
  const { streamText, Output, jsonSchema } = await import('ai');
  // The library would print its warnings to standard output instead of the log.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  return streamText({
    model: await modelOf(connection, model, fetch),
    ...framed(prompt),
    output: Output.object({ schema: jsonSchema(plainSchema(schema)) }),
    maxOutputTokens,
    maxRetries: 0,
    abortSignal: signal,
    // Providers store requests by default.
    providerOptions: { openai: { store: false }, azure: { store: false } },
    // Errors are read from the stream; the library would also print them.
    onError: () => undefined,
  });
}

/** Sends one request and reads the complete answer. Never throws for an error of the provider. */
export async function attempt(request: Attempt): Promise<AttemptResult> {
  let isSent = false;
  let isAnswered = false;
  const fetch: OutboundFetch = async (url, init) => {
    isSent = true;
    const response = await request.fetch(url, init);
    isAnswered = response.ok;
    return bounded(response, answerBytesBeside + request.maxOutputTokens * bytesPerToken);
  };
  let text = '';
  let counted: Counted = {};
  let reason: string | undefined;
  const fail = (failure: AttemptFailure): AttemptResult => ({
    kind: 'Failed',
    // An error status costs nothing. A lost, cut or timed-out request may have been processed.
    mayBeCharged: isAnswered || (isSent && failure.status === null && failure.isUnsent !== true),
    counted,
    ...failure,
  });
  try {
    const { stream } = await startStream({ ...request, fetch });
    for await (const part of stream) {
      if (part.type === 'text-delta') text += part.text;
      if (part.type === 'error') return fail(failureWhileStreaming(part.error, isAnswered));
      if (part.type === 'abort') return fail({ failure: 'Cancelled', status: null });
      if (part.type === 'finish') {
        reason = part.finishReason;
        counted = { input: part.totalUsage.inputTokens, output: part.totalUsage.outputTokens };
      }
      if (text.length > request.maxOutputTokens * charactersPerTokenMax)
        return fail({ failure: 'BadAnswer', status: null });
    }
  } catch (error) {
    return fail(failureWhileStreaming(error, isAnswered));
  }
  if (reason === 'stop') return { kind: 'Text', text, counted };
  if (reason === 'content-filter') return { kind: 'Refused', counted };
  if (reason === 'error') return fail({ failure: 'Overloaded', status: null });
  // Without a finish reason the answer may be incomplete.
  return fail({ failure: 'CutShort', status: null });
}
