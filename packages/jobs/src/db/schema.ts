/** Default schema of the library's tables. */
export const defaultSchema = 'svc_jobs';

/** PostgreSQL truncates longer identifiers silently. The name is also the name of the notification channel. */
const namePattern = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

/**
 * Quotes a schema name for use in a statement.
 *
 * @throws RangeError unless the name consists of 1 to 63 letters, digits and underscores and does not begin with a
 *   digit.
 */
export function quoteSchema(name: string): string {
  if (!namePattern.test(name)) {
    throw new RangeError(
      `The schema name must be 1 to 63 letters, digits and underscores, no digit first: ${JSON.stringify(name)}.`,
    );
  }
  return `"${name}"`;
}
