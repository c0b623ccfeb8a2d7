import type { Gap } from './gap.ts';

/** Requirements about rest groups that no scenario verifies yet. */
export const restGroups: readonly Gap[] = [
  { id: 'RT-4.3-52', state: 'not built', note: 'There are no AI actors.' },
  { id: 'RT-4.3-53', state: 'not built', note: 'There are no AI actors.' },
  { id: 'RT-4.3-58', state: 'not built', note: 'There are no golden examples and no eval runs.' },
  { id: 'RT-4.3-59', state: 'not built', note: 'There are no golden examples and no eval runs.' },
  { id: 'RT-4.3-60', state: 'not built', note: 'There is no business glossary.' },
  { id: 'RT-4.3-61', state: 'not built', note: 'There is no business glossary.' },
  { id: 'RT-4.3-68', state: 'not built', note: 'The LLM test is missing; the runtime settings stand.' },
  { id: 'RT-4.3-70', state: 'not built', note: 'The LLM test is missing; the runtime settings stand.' },
  { id: 'RT-4.3-300', state: 'not built', note: 'There is no LLM and no connection to one.' },
];
