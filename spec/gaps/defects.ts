import type { Gap } from './gap.ts';

/** Requirements with a scenario that the service does not satisfy yet (`scenario.fails`). */
export const defects: readonly Gap[] = [];
