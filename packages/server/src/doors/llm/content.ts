import { sha256Hex } from '../../platform/crypto/index.ts';
import type { LlmSecrets } from './connection.ts';
import type { LlmData } from './port.ts';
import { framed, type Prompt } from './prompt.ts';
import { repeatsSecret } from './values.ts';

/** What was sent in a call, and what came back. */
export type LlmContent = {
  readonly instructions: string;
  readonly data: readonly LlmData[];
  /** As the model wrote it; null where nothing whole came, or where it repeats a secret of the connection. */
  readonly answer: string | null;
};

/** Keeps what a call was about, by the id of its reservation. Never throws. */
export type KeepContent = (callId: number, content: LlmContent) => Promise<void>;

/** Tells prompts apart without holding them. */
export function promptHashOf(prompt: Prompt): string {
  const sent = framed(prompt);
  return sha256Hex(JSON.stringify([sent.instructions, sent.prompt]));
}

/** The content of a call, as it may be kept. @param text  Undefined: nothing whole came. */
export const contentOf = (
  { instructions, data }: Prompt,
  text: string | undefined,
  secrets: LlmSecrets,
): LlmContent => ({
  instructions,
  data: data.map((one) => ({ name: one.name, text: one.text })),
  answer: text === undefined || repeatsSecret(text, secrets) ? null : text,
});
