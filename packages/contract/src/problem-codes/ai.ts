import type { ProblemTable } from './problem-table.ts';

/** Codes of what needs a language model. */
export const aiProblems = {
  'llm-not-configured': {
    status: 409,
    title: 'No language model',
    means: 'This needs a language model, and none is set up.',
    next: 'Have an Admin set one up in the admin settings.',
    operations: ['testLlm', 'askQuestion', 'startEvalRun'],
  },
  'llm-budget-spent': {
    status: 409,
    title: 'Budget spent',
    means: 'This needs a language model, and what calls may cost in this month or on this day is spent.',
    next: 'Wait for the next month or day (UTC), or have a SecurityAdmin raise the limit in the admin settings.',
    operations: ['askQuestion', 'startEvalRun'],
  },
  'invalid-question': {
    status: 400,
    title: 'Question cannot be asked',
    means: 'The data source is not one of the project, or it has several and none is named.',
    next: 'Name one of the data sources that `errors` lists.',
    operations: ['askQuestion'],
  },
  'too-many-questions': {
    status: 429,
    title: 'Too many questions',
    means: 'Three questions of the same person are being answered.',
    next: 'Wait until one of them has ended, or cancel it.',
    operations: ['askQuestion'],
  },
  'answer-not-runnable': {
    status: 409,
    title: 'Nothing to run',
    means: 'The answer has no statement that passed the gates, or is still being worked out.',
    next: 'Wait until it has ended, or ask again in other words.',
    operations: ['runAnswer'],
  },
  'answer-not-run': {
    status: 424,
    title: 'Statement not run',
    means: 'A gate or the data source refused the statement, or the source could not be reached.',
    next: 'Follow `detail`; ask again where the schema has changed.',
    operations: ['runAnswer'],
  },
  'answer-ended': {
    status: 409,
    title: 'Answer has ended',
    means: 'What has ended cannot be cancelled.',
    next: 'Read the answer.',
    operations: ['cancelAnswer'],
  },
  'answer-not-ended': {
    status: 409,
    title: 'Answer not ended',
    means: 'The answer is still being worked out, so that nothing can be said of it.',
    next: 'Wait until it has ended.',
    operations: ['giveFeedback'],
  },
  'candidate-decided': {
    status: 409,
    title: 'Already decided',
    means: 'The candidate was promoted or dismissed already.',
    next: 'Read the list of candidates again.',
    operations: ['promoteCandidate', 'dismissCandidate'],
  },
  'no-golden-examples': {
    status: 400,
    title: 'No golden examples',
    means: 'None of the golden examples that are meant is active, on a linked data source, and sound.',
    next: 'Add examples, or check them again.',
    operations: ['startEvalRun'],
  },
  'eval-run-ended': {
    status: 409,
    title: 'Evaluation has ended',
    means: 'What has ended cannot be cancelled.',
    next: 'Read its results.',
    operations: ['cancelEvalRun'],
  },
  'invalid-golden-example': {
    status: 400,
    title: 'Invalid golden example',
    means:
      'The data source is not linked to the project, a statement is missing or too many, or a gate refuses the statement.',
    next: 'Mend what `errors` names; dry_run and the preview of a query say the same of a statement.',
    operations: ['createGoldenExample', 'replaceGoldenExample', 'promoteCandidate'],
  },
  'golden-example-exists': {
    status: 409,
    title: 'Example exists',
    means:
      'The project has a golden example for this question on this data source; case, spacing and closing marks count for nothing.',
    next: 'Change the example that is there.',
    operations: ['createGoldenExample', 'replaceGoldenExample', 'promoteCandidate'],
  },
  'golden-example-unchecked': {
    status: 424,
    title: 'Statement not checked',
    means: 'The data source could not be asked about the statement, and what nobody checked is not saved.',
    next: 'Test the connection of the data source, then save again.',
    operations: ['createGoldenExample', 'replaceGoldenExample', 'promoteCandidate'],
  },
} as const satisfies ProblemTable;
