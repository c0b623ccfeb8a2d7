import type { Infrastructure } from '../infrastructure.ts';
import { composeGoldenExamples } from '../models/golden-examples.ts';
import type { Module } from '../module.ts';
import { composeDocumentation } from './documentation.ts';
import { composeDocuments } from './documents.ts';
import { composeGlossary } from './glossary.ts';
import { composeRepositories } from './repositories.ts';

/** Composes the content of a project besides its queries: documents, code, documentation, glossary, examples. */
export const composeProjectContent = (
  infra: Infrastructure,
  deps: Parameters<typeof composeDocuments>[1] &
    Parameters<typeof composeDocumentation>[1] &
    Parameters<typeof composeGlossary>[1] &
    Parameters<typeof composeGoldenExamples>[1],
): readonly Module[] => [
  composeDocuments(infra, deps),
  composeRepositories(infra, deps),
  composeDocumentation(infra, deps),
  composeGlossary(infra, deps),
  composeGoldenExamples(infra, deps),
];
