/**
 * Returns an error that the gateway does not clean, such as one from a caller's callback. A database driver's error loses
 * its message.
 */
export const withoutDriverWords = (error: unknown): unknown =>
  isOfDriver(error) ? defectWithoutWords(error) : error;

const driverMembers = ['severity', 'sqlState', 'sqlMessage', 'errno', 'errcode', 'errorType'] as const;

const isOfDriver = (error: unknown): boolean =>
  error instanceof Error &&
  (driverMembers.some((member) => Object.hasOwn(error, member)) || isOfDriver(error.cause));

/**
 * Returns a loggable error for a defect of the service: its class and its stack frames. The message is dropped, because it
 * may contain a driver's message.
 */
export function defectWithoutWords(error: unknown): Error {
  const name = error instanceof Error && /^[A-Za-z]{1,40}$/.test(error.name) ? error.name : typeof error;
  const defect = new Error(`The gateway failed with a defect (${name}).`);
  if (error instanceof Error && error.stack !== undefined) {
    const calls = error.stack.split('\n').filter((line) => /^ {4}at [^\n]+:\d+:\d+\)?$/.test(line));
    defect.stack = [`Error: ${defect.message}`, ...calls].join('\n');
  }
  return defect;
}
