import type { ProblemTable } from './problem-table.ts';

/** Codes of what needs a language model. */
export const aiProblems = {
  'llm-not-configured': {
    status: 409,
    title: 'No language model',
    means: 'This needs a language model, and none is set up.',
    next: 'Have an Admin set one up in the admin settings.',
    operations: ['testLlm'],
  },
  'invalid-golden-example': {
    status: 400,
    title: 'Invalid golden example',
    means:
      'The data source is not linked to the project, a statement is missing or too many, or a gate refuses the statement.',
    next: 'Mend what `errors` names; dry_run and the preview of a query say the same of a statement.',
    operations: ['createGoldenExample', 'replaceGoldenExample'],
  },
  'golden-example-exists': {
    status: 409,
    title: 'Example exists',
    means:
      'The project has a golden example for this question on this data source; case, spacing and closing marks count for nothing.',
    next: 'Change the example that is there.',
    operations: ['createGoldenExample', 'replaceGoldenExample'],
  },
  'golden-example-unchecked': {
    status: 424,
    title: 'Statement not checked',
    means: 'The data source could not be asked about the statement, and what nobody checked is not saved.',
    next: 'Test the connection of the data source, then save again.',
    operations: ['createGoldenExample', 'replaceGoldenExample'],
  },
} as const satisfies ProblemTable;
