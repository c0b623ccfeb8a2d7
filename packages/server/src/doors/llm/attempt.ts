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

/** What a provider counted; undefined where it counted nothing. */
export type Counted = { readonly input?: number | undefined; readonly output?: number | undefined };

export type AttemptResult =
  | { readonly kind: 'Text'; readonly text: string; readonly counted: Counted }
  | { readonly kind: 'Refused'; readonly counted: Counted }
  | ({
      readonly kind: 'Failed';
      /** Whether the provider may have worked for it: then it may be charged. */
      readonly mayBeCharged: boolean;
      readonly counted: Counted;
    } & AttemptFailure);

/** Characters of an answer per token at most, beyond which it is no answer to what was asked. */
const charactersPerTokenMax = 32;

/** Bytes of a stream beside its tokens: how it begins and ends, and what it refuses with. */
const answerBytesBeside = 256 * 1024;
/** Bytes per token at most: streams frame each with names and ids. */
const bytesPerToken = 2_048;

/**
 * A response that ends in an error past its bound. A client library may hold what it has read and copy it with each
 * further piece, so that an endless answer would take processor time by the square of its length.
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
  // The type of the outbound door's answers is its client's, which knows a method more.
  return new Response(body, { status, statusText, headers }) as unknown as Answer;
}

type Answer = Awaited<ReturnType<OutboundFetch>>;

/** A schema as JSON: what a provider gets, without what the schema library keeps beside it. */
const plainSchema = (schema: TSchema): object => JSON.parse(JSON.stringify(schema));

function failureWhileStreaming(error: unknown, isAnswered: boolean): AttemptFailure {
  const found = attemptFailureOf(error, isAnswered);
  if (!isAnswered || found.failure !== 'BadAnswer') return found;
  // Errors that a provider tells inside a stream come as its own objects, which say by type what they are.
  const told = JSON.stringify(error) ?? '';
  if (/overloaded|server_error|internalServer|serviceUnavailable|modelStreamError/i.test(told))
    return { ...found, failure: 'Overloaded' };
  return /rate_limit|throttling/i.test(told) ? { ...found, failure: 'RateLimited' } : found;
}

async function startStream({ connection, model, prompt, schema, maxOutputTokens, fetch, signal }: Attempt) {
  const { streamText, Output, jsonSchema } = await import('ai');
  // Warnings of the library would go to the process's own output, past the log.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  return streamText({
    model: await modelOf(connection, model, fetch),
    ...framed(prompt),
    output: Output.object({ schema: jsonSchema(plainSchema(schema)) }),
    maxOutputTokens,
    maxRetries: 0,
    abortSignal: signal,
    // Providers keep what was asked unless they are told not to.
    providerOptions: { openai: { store: false }, azure: { store: false } },
    // Errors are read from the stream; the library would print them.
    onError: () => undefined,
  });
}

/** Sends one request and reads the answer to its end. Never throws for what a provider does. */
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
    // A status of refusal costs nothing; what was lost, cut or ran out of time may have been worked on.
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
  // A provider that says no end has not said that the answer is whole.
  return fail({ failure: 'CutShort', status: null });
}
