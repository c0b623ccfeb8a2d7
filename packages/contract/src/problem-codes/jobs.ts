import type { ProblemTable } from './problem-table.ts';

/** Refusals of the dashboard of background jobs. */
export const jobsProblems = {
  'dashboard-read-only': {
    status: 403,
    title: 'Dashboard is read-only',
    means: 'You may view the dashboard, but not change anything.',
    next: 'Ask an administrator to do it.',
  },
  forbidden: {
    status: 403,
    title: 'Dashboard not allowed',
    means: 'You may not see the dashboard.',
    next: 'Ask an administrator for access.',
  },
  'pages-not-built': {
    status: 404,
    title: 'Pages not built',
    means: 'The pages of the dashboard were not built. Its API works without them.',
    next: 'Build them: npm run build -w @svc/jobs-dashboard.',
  },
  'count-changed': {
    status: 409,
    title: 'Number of jobs changed',
    means: 'More jobs match the filter now than at the count.',
    next: 'Count again before you confirm.',
  },
  'not-possible': {
    status: 409,
    title: 'Not possible in this state',
    means: 'The state of the job does not allow this action.',
    next: 'Look at the state of the job; `detail` says what it needs.',
  },
} as const satisfies ProblemTable;
