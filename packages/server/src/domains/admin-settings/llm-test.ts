import type { LlmTest, LlmTestInput } from '@svc/contract';
import { Type } from 'typebox';
import { type Llm, type LlmConnection, llmFailureTexts } from '../../gateways/llm/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { Refusal } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import type { LlmSettings } from './llm-settings.ts';

export type LlmTestDeps = {
  readonly database: Database;
  readonly audit: Audit;
  readonly llmSettings: Pick<LlmSettings, 'current' | 'draft'>;
  /** `Svc:LLM:Enabled`. */
  readonly isEnabled: boolean;
  /** Creates a gateway to one connection, stored or not. */
  readonly openLlm: (connection: LlmConnection) => Llm;
};

const Answer = Type.Object({ word: Type.String() }, { additionalProperties: false });
/** Sufficient for the answer, and accepted by providers with a minimum. */
const answerTokensMax = 32;
const refusedText = 'The language model declined to answer.';

/** Tests the connection with one short question. The answer is discarded. */
export function createLlmTest({ database, audit, llmSettings, isEnabled, openLlm }: LlmTestDeps) {
  return async (by: CallerActor, { llmConnection }: LlmTestInput): Promise<LlmTest> => {
    if (!isEnabled) throw new Refusal('llm-not-configured', { detail: llmFailureTexts.SwitchedOff });
    const connection = llmConnection
      ? await llmSettings.draft(by, llmConnection)
      : await llmSettings.current();
    if (connection === undefined)
      throw new Refusal('llm-not-configured', { detail: 'Set the connection first, or send one along.' });
    const startedAt = performance.now();
    const answer = await openLlm(connection).call({
      purpose: 'Test',
      role: 'Main',
      instructions: 'Answer with the word "ready".',
      data: [],
      schema: Answer,
      maxOutputTokens: answerTokensMax,
      charge: { userId: by.caller.userId, projectId: null },
    });
    const failure = answer.kind === 'Failed' ? answer.failure : null;
    await audit.recordAlone(database, {
      by,
      event: 'settings.llm_tested',
      detail: {
        provider: connection.provider,
        model: connection.model,
        isDraft: llmConnection !== undefined,
        failure,
      },
    });
    const failureText = failure === null ? null : llmFailureTexts[failure];
    return {
      ok: answer.kind === 'Value',
      model: connection.model,
      latencyMs: Math.round(performance.now() - startedAt),
      inputTokens: answer.tokens.input,
      outputTokens: answer.tokens.output,
      isEstimated: answer.tokens.isEstimated,
      failure: answer.kind === 'Refused' ? 'Refused' : failure,
      detail: answer.kind === 'Refused' ? refusedText : failureText,
    };
  };
}
