import type { Gap } from './gap.ts';

/** Requirements about rest groups that no scenario verifies yet. */
export const restGroups: readonly Gap[] = [
  { id: 'RT-4.3-52', state: 'not built', note: 'There are no AI actors.' },
  { id: 'RT-4.3-53', state: 'not built', note: 'There are no AI actors.' },
  { id: 'RT-4.3-480', state: 'not built', note: 'There are no candidates for golden examples.' },
  { id: 'RT-4.3-481', state: 'not built', note: 'There is no feedback on what AI clients were answered.' },
  { id: 'RT-4.3-483', state: 'not built', note: 'There are no eval runs.' },
  { id: 'RT-4.3-484', state: 'not built', note: 'There are no candidates for golden examples.' },
  { id: 'RT-4.3-485', state: 'not built', note: 'There is no feedback on what AI clients were answered.' },
  { id: 'RT-4.3-487', state: 'not built', note: 'There are no eval runs.' },
];
