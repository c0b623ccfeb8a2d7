import { composeDocumentation } from './documentation.ts';
import { composeDocuments } from './documents.ts';
import { composeGlossary } from './glossary.ts';
import { composeGoldenExamples } from './golden-examples.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';
import { composeRepositories } from './repositories.ts';

/** Composes the content of a project besides its queries: documents, code, documentation, glossary, examples. */
export const composeProjectContent = (
  ground: Ground,
  deps: Parameters<typeof composeDocuments>[1] &
    Parameters<typeof composeDocumentation>[1] &
    Parameters<typeof composeGlossary>[1] &
    Parameters<typeof composeGoldenExamples>[1],
): readonly Part[] => [
  composeDocuments(ground, deps),
  composeRepositories(ground, deps),
  composeDocumentation(ground, deps),
  composeGlossary(ground, deps),
  composeGoldenExamples(ground, deps),
];
