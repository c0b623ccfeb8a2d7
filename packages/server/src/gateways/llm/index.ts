/**
 * The LLM gateway: the only access to a model. A caller passes a purpose and a schema, and gets a value of that schema or
 * a failure of a closed list.
 */

export { createLedger } from './budget/create-ledger.ts';
export type { LlmLimits, LlmPrice } from './budget/ledger.ts';
export {
  baseUrlOf,
  type LlmConnection,
  type LlmPrices,
  type LlmProvider,
  type LlmSecrets,
  llmProviders,
  regionShape,
} from './connection.ts';
export type { KeepContent, LlmContent } from './content.ts';
export { createLlm, type LlmOptions } from './create-llm.ts';
export {
  type Llm,
  type LlmAbsence,
  type LlmAnswer,
  type LlmCall,
  type LlmCharge,
  type LlmData,
  type LlmFailure,
  type LlmPurpose,
  type LlmTokens,
  llmFailureTexts,
  llmPurposes,
} from './port.ts';
