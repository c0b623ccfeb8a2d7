/** What PostgreSQL says where its files cannot grow. */
const databaseDiskFull = '53100';
const causesMax = 5;

/**
 * A failure of a command as the person at the machine needs it: where the disk of the database is full, what to do
 * stands behind PostgreSQL's own words. Others are as they are.
 */
export function inWords(error: unknown): unknown {
  if (!(error instanceof Error) || !isDatabaseDiskFull(error)) return error;
  const said = error.message.replace(/\.$/, '');
  return new Error(`The disk of the database is full: ${said}. Make room on it, and run this again.`, {
    cause: error,
  });
}

function isDatabaseDiskFull(error: Error): boolean {
  let at: unknown = error;
  for (let depth = 0; depth < causesMax && at instanceof Error; depth += 1) {
    if ('code' in at && at.code === databaseDiskFull) return true;
    at = at.cause;
  }
  return false;
}
