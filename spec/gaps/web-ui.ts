import type { Gap } from './gap.ts';

/** Requirements about web ui that no scenario verifies yet. */
export const webUi: readonly Gap[] = [
  { id: 'RT-4.1-34', state: 'not built', note: 'The control tower shows subscriptions alone.' },
  { id: 'RT-4.1-17', state: 'not built', note: 'Data migration has no pages.' },
  { id: 'RT-4.1-18', state: 'not built', note: 'Data migration has no pages.' },
  { id: 'RT-4.1-19', state: 'not built', note: 'There are no AI actors.' },
  {
    id: 'RT-4.1-31',
    state: 'not built',
    note: 'The page of one query approval is missing; changes of recipients have theirs.',
  },
  { id: 'RT-4.1-33', state: 'not built', note: 'The LLM provider is missing on the page.' },
  {
    id: 'DL-5.7-08',
    state: 'not built',
    note: 'The anomaly chart is missing; the other places stand.',
  },
];
