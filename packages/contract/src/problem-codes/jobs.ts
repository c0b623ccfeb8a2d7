import type { ProblemTable } from './problem-table.ts';

/** Refusals of the dashboard of background jobs. */
export const jobsProblems = {
  'dashboard-read-only': {
    status: 403,
    title: 'Dashboard is read-only',
    means: 'You may look at the dashboard, but not change anything.',
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
    means: 'The pages of the dashboard were not built. Its API works without.',
    next: 'Build them: npm run build -w @svc/jobs-dashboard.',
  },
  'count-changed': {
    status: 409,
    title: 'Number of jobs changed',
    means: 'More jobs fit the filter by now than were counted.',
    next: 'Count again before you confirm.',
  },
  'not-possible': {
    status: 409,
    title: 'Not possible in this state',
    means: 'The job is in a state in which this cannot be done.',
    next: 'Look at the state of the job; `detail` says what it needs.',
  },
} as const satisfies ProblemTable;
