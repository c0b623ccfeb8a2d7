/** SQLSTATEs or their classes (two characters): the server is unavailable, at capacity, or has ended the session. */
const awayStates = new Set([
  '08', // connection failure
  '53100', // disk full
  '53300', // too many connections
  '57P01', // session ended by an administrator, or server shutdown
  '57P02', // server crash
  '57P03', // server startup, shutdown or recovery
  '57P05', // idle session timeout
  '25P03', // idle in transaction timeout
  '25P04', // transaction timeout
  '25006', // standby that is not promoted yet
]);

const awaySystemCodes = new Set([
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ETIMEDOUT',
]);

/** Messages of the driver's own errors, which have no code. */
const awayWords =
  /timeout exceeded when trying to connect|connection terminated|connection timeout|timeout expired|query read timeout|not queryable/i;

/**
 * Returns true for an error of `pg` that reports a full disk. The server still serves reads, and accepts writes again
 * once space is free.
 */
export const isDatabaseFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '53100';

/**
 * Returns true for an error of `pg` that reports an unavailable database, a connection limit or an ended session. The
 * same work may succeed later. Errors of the statement itself return false.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (awayStates.has(code) || awaySystemCodes.has(code)) return true;
  if (/^[0-9A-Z]{5}$/.test(code)) return awayStates.has(code.slice(0, 2));
  return awayWords.test(error.message);
}
