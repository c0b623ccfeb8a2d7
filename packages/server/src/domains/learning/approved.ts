import type { Executor } from '../../platform/db/index.ts';
import { patternText } from './mining/pattern.ts';
import { approvedContents } from './pattern-store.ts';

/** Length limit of all sentences together, because they supplement the schema in a prompt. */
export const learnedLengthMax = 1_500;

/** Returns approved sentences within the length limit, most used first. Contains no permission check. */
export async function approvedPatterns(
  executor: Executor,
  projectId: number,
  dataSourceId: number | null,
): Promise<string[]> {
  const sentences: string[] = [];
  let length = 0;
  for (const content of await approvedContents(executor, projectId, dataSourceId)) {
    const sentence = patternText(content);
    if (length + sentence.length + 1 > learnedLengthMax) continue;
    length += sentence.length + 1;
    sentences.push(sentence);
  }
  return sentences;
}
