import type { Gap } from './gap.ts';

/** Requirements about projects that no scenario verifies yet. */
export const projects: readonly Gap[] = [
  { id: 'RT-4.3-15', state: 'not built', note: 'Projects have no repositories.' },
];
