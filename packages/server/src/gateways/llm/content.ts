import { sha256Hex } from '../../platform/crypto/index.ts';
import type { LlmSecrets } from './connection.ts';
import type { LlmData } from './port.ts';
import { framed, type Prompt } from './prompt.ts';
import { repeatsSecret } from './values.ts';

/** Prompt and answer of a call. */
export type LlmContent = {
  readonly instructions: string;
  readonly data: readonly LlmData[];
  /** Unchanged text of the model. Null if the answer is incomplete, or if it repeats a secret of the connection. */
  readonly answer: string | null;
};

/** Stores the content of a call by the id of its reservation. Never throws. */
export type KeepContent = (callId: number, content: LlmContent) => Promise<void>;

/** Returns a hash that identifies a prompt without storing its text. */
export function promptHashOf(prompt: Prompt): string {
  const sent = framed(prompt);
  return sha256Hex(JSON.stringify([sent.instructions, sent.prompt]));
}

/** Returns the content of a call in the form that may be stored. @param text  Undefined: no complete answer arrived. */
export const contentOf = (
  { instructions, data }: Prompt,
  text: string | undefined,
  secrets: LlmSecrets,
): LlmContent => ({
  instructions,
  data: data.map((one) => ({ name: one.name, text: one.text })),
  answer: text === undefined || repeatsSecret(text, secrets) ? null : text,
});
