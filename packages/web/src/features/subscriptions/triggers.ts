import type { NotificationTrigger } from '@svc/contract';

/** Conditions under which a run notifies its recipients, in words. */
export const triggerWords: Readonly<{ [trigger in NotificationTrigger]: string }> = {
  OnResultCountChange: 'When the number of rows has changed since the last run',
  OnResultCountIncrease: 'When there are more rows than in the last run',
  OnRowChange: 'When rows are new, changed or gone',
  WhileRows: 'While there are rows: when they come, and when they are gone',
  OnAnomaly: 'When the number of rows is unusual',
  Always: 'After every run',
};
