import type { DocumentationKind } from '@svc/contract';
import Type from 'typebox';
import type { Llm } from '../../gateways/llm/index.ts';
import type { Caller } from '../../platform/access/index.ts';
import { llmRefusal } from '../llm-usage/index.ts';
import { withoutReach } from './markdown.ts';
import { titles } from './sections.ts';

const instructions = `You rewrite a section of the documentation of a database project.
- "section" is its title, "text" its text in Markdown, "wish" what a person wants of it.
- Answer in "content" with the whole text, rewritten as the person wishes, in Markdown.
- Keep what the wish does not concern. Names of tables and columns stay as they are. Invent no facts.
- No HTML, no images, no links.`;

const Rewritten = Type.Object(
  { content: Type.String({ maxLength: 100_000 }) },
  { additionalProperties: false },
);
const outputTokensMax = 8_192;

/**
 * Requests a rewritten text from the model.
 *
 * @throws Refusal when the model returns no usable text.
 */
export async function instruct(
  llm: Pick<Llm, 'call'>,
  about: {
    readonly caller: Caller;
    readonly projectId: number;
    readonly kind: DocumentationKind;
    readonly text: string;
    readonly wish: string;
    readonly signal: AbortSignal;
  },
) {
  const answer = await llm.call({
    purpose: 'Instruction',
    role: 'Main',
    instructions,
    data: [
      { name: 'section', text: titles[about.kind] },
      { name: 'text', text: about.text },
      { name: 'wish', text: about.wish },
    ],
    schema: Rewritten,
    maxOutputTokens: outputTokensMax,
    charge: { userId: about.caller.userId, projectId: about.projectId },
    signal: about.signal,
  });
  if (answer.kind !== 'Value') throw llmRefusal(answer);
  const { model, tokens, cost, value } = answer;
  return { content: withoutReach(value.content), model, tokens, cost };
}
