import type { DocumentationGeneration } from '@svc/contract';
import { llmFailureTexts } from '../../../gateways/llm/index.ts';
import type { GenerationRow } from './store.ts';

const failureTexts: Readonly<Record<string, string>> = {
  ...llmFailureTexts,
  SomeUnanswered: 'The language model gave no usable answer about some tables.',
  Interrupted: 'The work was cut short. Begin again: what was written stays.',
};

export const presentGeneration = ({
  startedByUserId: _,
  costMicros,
  failure,
  ...row
}: GenerationRow): DocumentationGeneration => ({
  ...row,
  cost: costMicros === null ? null : costMicros / 1_000_000,
  failure: failure === null ? null : { code: failure, message: failureTexts[failure] ?? 'It failed.' },
  createdTime: row.createdTime.toISOString(),
  finishedAt: row.finishedAt?.toISOString() ?? null,
});
