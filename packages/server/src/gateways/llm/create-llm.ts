import type { Static, TSchema } from 'typebox';
import type { Logger } from '../../platform/log/index.ts';
import type { Outbound, OutboundPolicy } from '../../platform/outbound/index.ts';
import { costOf, type LlmLedger, type LlmLimits } from './budget/ledger.ts';
import { baseUrlOf, type LlmConnection } from './connection.ts';
import type { KeepContent } from './content.ts';
import { attemptPatiently, noTokens, type PausesMs, plus } from './patience.ts';
import type { Llm, LlmAbsence, LlmAnswer, LlmCall, LlmFailure } from './port.ts';
import { promptBytes } from './prompt.ts';
import { createValueReader } from './values.ts';

export type LlmOptions = {
  readonly outbound: Pick<Outbound, 'fetchUnder'>;
  readonly policy: OutboundPolicy;
  readonly log: Pick<Logger, 'warn'>;
  /** Returns the current connection. Undefined if no model is configured. */
  readonly connection: () => Promise<LlmConnection | undefined>;
  /** `Svc:LLM:Enabled`. Default true. */
  readonly isEnabled?: boolean;
  /** Ledger that calls are charged to. Absent: calls are not charged. */
  readonly ledger?: LlmLedger;
  /** Stores the content of charged calls. Absent: the content is not stored. */
  readonly keep?: KeepContent | undefined;
  /** Returns the current limits. Called for each call. Default: 60 seconds and 64,000 bytes. */
  readonly limits?: () => Promise<Pick<LlmLimits, 'callTimeoutSeconds' | 'maxPromptBytes'>>;
  /** Pauses before the second and the third attempt, if the provider requests none. Empty: one attempt. */
  readonly pausesMs?: PausesMs;
};

/** Result of a call. `status` is the HTTP status of the last refusal, for the log. */
type Outcome<S extends TSchema> = { readonly answer: LlmAnswer<Static<S>>; readonly status: number | null };

const defaults = {
  isEnabled: true,
  limits: async () => ({ callTimeoutSeconds: 60, maxPromptBytes: 64_000 }),
  pausesMs: [500, 2_000] as const,
};
/** Requests for a valid value. A model that fails twice is unlikely to succeed later. */
const asksMax = 2;

/** Returns the model of a role and its price. */
function modelFor(role: LlmCall<TSchema>['role'], { model, fastModel, prices }: LlmConnection) {
  const main = { model, price: prices?.main ?? null };
  if (role === 'Main' || fastModel === null) return main;
  return { model: fastModel, price: prices?.fast ?? main.price };
}

/** Creates the gateway. */
export function createLlm(options: LlmOptions): Llm {
  const { isEnabled, limits, pausesMs } = { ...defaults, ...options };
  const fetch = options.outbound.fetchUnder(options.policy);
  const readValue = createValueReader();

  const ask = async <S extends TSchema>(
    call: LlmCall<S>,
    connection: LlmConnection,
    { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ): Promise<Outcome<S>> => {
    const { model, price } = modelFor(call.role, connection);
    const { schema, maxOutputTokens, purpose, charge } = call;
    const account = options.ledger && {
      ledger: options.ledger,
      keep: options.keep,
      purpose,
      charge,
      price,
      timeoutMs,
    };
    let tokens = noTokens;
    let usage: Pick<LlmAnswer<unknown>, 'tokens' | 'cost'> = { tokens, cost: null };
    for (let attemptNo = 1; attemptNo <= asksMax; attemptNo += 1) {
      const request = { connection, model, prompt: call, schema, maxOutputTokens, fetch, signal };
      const { result, tokens: spent } = await attemptPatiently(request, pausesMs, account);
      tokens = plus(tokens, spent);
      usage = { tokens, cost: price === null ? null : costOf(tokens, price) / 1_000_000 };
      if (result.kind === 'Refused') return { answer: { kind: 'Refused', model, ...usage }, status: null };
      if (result.kind === 'Failed') {
        const { failure, status, retryAfterSeconds } = result;
        const after = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
        return { answer: { kind: 'Failed', failure, ...usage, ...after }, status };
      }
      const boxed = readValue(result.text, schema, connection.secrets);
      if (boxed) return { answer: { kind: 'Value', value: boxed.value, model, ...usage }, status: null };
    }
    return { answer: { kind: 'Failed', failure: 'BadAnswer', ...usage }, status: null };
  };

  /** The text of an error is never logged: the provider's own text may repeat the key. */
  const logFailure = (
    { purpose }: Pick<LlmCall<TSchema>, 'purpose'>,
    connection: LlmConnection,
    detail: { readonly failure: LlmFailure; readonly status: number | null; readonly durationMs: number },
  ): void => {
    const { provider, model } = connection;
    const address = baseUrlOf(connection);
    const host = address !== undefined && URL.canParse(address) ? new URL(address).host : null;
    options.log.warn({ purpose, provider, model, host, ...detail }, 'a call to the language model failed');
  };

  const callUnder = async <S extends TSchema>(
    call: LlmCall<S>,
    connection: LlmConnection,
    timeoutMs: number,
  ): Promise<LlmAnswer<Static<S>>> => {
    const startedAt = performance.now();
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = call.signal ? AbortSignal.any([call.signal, deadline]) : deadline;
    const { answer, status } = await ask(call, connection, { signal, timeoutMs });
    if (answer.kind !== 'Failed') return answer;
    // The library reports an aborted connection in several ways. The aborted signal determines the failure.
    const aborted = call.signal?.aborted ? 'Cancelled' : deadline.aborted ? 'TimedOut' : undefined;
    const failure = aborted ?? answer.failure;
    const durationMs = Math.round(performance.now() - startedAt);
    logFailure(call, connection, { failure, status, durationMs });
    return { ...answer, failure };
  };

  return {
    absence: async (): Promise<LlmAbsence | null> => {
      if (!isEnabled) return 'SwitchedOff';
      return (await options.connection()) === undefined ? 'NotConfigured' : null;
    },
    call: async (call) => {
      const fail = (failure: LlmFailure) =>
        ({ kind: 'Failed', failure, tokens: noTokens, cost: null }) as const;
      if (!isEnabled) return fail('SwitchedOff');
      const connection = await options.connection();
      if (connection === undefined) return fail('NotConfigured');
      const { callTimeoutSeconds, maxPromptBytes } = await limits();
      if (promptBytes(call) > maxPromptBytes) return fail('PromptTooLarge');
      return call.signal?.aborted
        ? fail('Cancelled')
        : callUnder(call, connection, callTimeoutSeconds * 1_000);
    },
  };
}
