import { includesRight, rightOfLevel } from '../projects/index.ts';

/** Returns true for callers who may verify relationships. An API key may not, because it manages no project. */
export const mayCurate = ({ right_level: level }: { readonly right_level: number }): boolean =>
  includesRight(rightOfLevel(level), 'Manage');
