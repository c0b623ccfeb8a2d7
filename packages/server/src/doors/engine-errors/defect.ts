/**
 * An error that is not the gateway's to clean, such as one of a caller's own callbacks. A database driver's error
 * loses its words.
 */
export const withoutDriverWords = (error: unknown): unknown =>
  isOfDriver(error) ? defectWithoutWords(error) : error;

const driverMembers = ['severity', 'sqlState', 'sqlMessage', 'errno', 'errcode', 'errorType'] as const;

const isOfDriver = (error: unknown): boolean =>
  error instanceof Error &&
  (driverMembers.some((member) => Object.hasOwn(error, member)) || isOfDriver(error.cause));

/**
 * A defect of the service as an error that can be logged: its kind and its calls. Its words are dropped, because a
 * driver's error may be among them.
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
