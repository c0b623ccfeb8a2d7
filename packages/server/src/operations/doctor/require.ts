import type pg from 'pg';
import { examineSessions } from './examine.ts';
import type { Finding } from './finding.ts';

/** Returns each fault with its remedy, in one line. */
export const faultsOf = (findings: readonly Finding[]): readonly string[] =>
  findings
    .filter(({ state }) => state === 'Fault')
    .map(({ subject, text, remedy }) => `${subject}: ${text} ${remedy ?? ''}`.trimEnd());

/**
 * Checks the requirements of a start: the database's version, the privileges of the role, and that a connection is
 * one session of the server. Changes nothing.
 *
 * @throws Error that lists each fault with its remedy; the error of PostgreSQL when the database cannot be reached.
 */
export async function requireUsableDatabase(connection: pg.ClientConfig): Promise<void> {
  const faults = faultsOf(await examineSessions(connection));
  if (faults.length > 0) throw new Error(faults.join('\n'));
}
