import type { ConnectionWarning } from '../port.ts';
import type { ChildPool } from './child-pool.ts';

/** Returns a warning if the system does not prevent the processes that read files from writing to them. */
export const confinementWarnings = (pool: ChildPool): ConnectionWarning[] =>
  pool.isConfined()
    ? []
    : [
        {
          code: 'not-confined',
          message:
            'The system cannot keep the process that reads the file from writing to it (Landlock is not available). Mount the folder read-only.',
        },
      ];
