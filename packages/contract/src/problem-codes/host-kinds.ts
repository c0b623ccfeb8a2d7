import type { ProblemEntry } from './problem-table.ts';

/**
 * Kinds of problem for which the standalone host answers its own type, `/errors/<kind>`, instead of the code's type.
 * They are broken business rules, and operations that the present state does not allow.
 */
export const hostProblemKinds = {
  beacon: {
    title: 'A business rule is broken',
    means: 'The request is well formed, but a business rule does not allow it.',
    next: 'Look up the `code` of the problem and follow `detail`.',
  },
  'invalid-operation': {
    title: 'This is not possible now',
    means: 'The current state does not allow this operation, such as a second setup.',
    next: 'Look up the `code` of the problem and follow `detail`.',
  },
} as const satisfies Readonly<Record<string, Pick<ProblemEntry, 'title' | 'means' | 'next'>>>;
