/** SQLSTATEs, or their class (two characters), of a server that is away, full, or has ended the session. */
const awayStates = new Set([
  '08', // the connection failed
  '53100', // its disk is full
  '53300', // too many connections
  '57P01', // ended by an administrator, or the server stops
  '57P02', // the server crashed
  '57P03', // the server starts, stops or recovers
  '57P05', // the session was idle for too long
  '25P03', // idle in its transaction for too long
  '25P04', // its transaction took too long
  '25006', // a standby that was not promoted yet
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

/** What the driver says by itself has no code. */
const awayWords =
  /timeout exceeded when trying to connect|connection terminated|connection timeout|timeout expired|query read timeout|not queryable/i;

/** True when an error of `pg` says that the server has no room on its disk: it still reads, and writes again when there is. */
export const isDatabaseFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '53100';

/**
 * True when an error of `pg` says that the database is away, takes no more connections or has ended the session, rather
 * than that the statement was wrong: the same work may succeed a little later.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (awayStates.has(code) || awaySystemCodes.has(code)) return true;
  if (/^[0-9A-Z]{5}$/.test(code)) return awayStates.has(code.slice(0, 2));
  return awayWords.test(error.message);
}
