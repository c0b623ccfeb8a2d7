import type { Executor } from '../../platform/db/index.ts';
import { patternText } from './mining/pattern.ts';
import { approvedContents } from './pattern-store.ts';

/** Of all sentences together: what was learnt goes beside a schema, not in its place. */
export const learnedLengthMax = 1_500;

/** Sentences that people approved, most used first, as long as there is room. It asks nobody's permission. */
export async function approvedPatterns(
  executor: Executor,
  projectId: number,
  dataSourceId: number | null,
): Promise<string[]> {
  const sentences: string[] = [];
  let length = 0;
  for (const told of await approvedContents(executor, projectId, dataSourceId)) {
    const sentence = patternText(told);
    if (length + sentence.length + 1 > learnedLengthMax) continue;
    length += sentence.length + 1;
    sentences.push(sentence);
  }
  return sentences;
}
