/** SQLSTATE of PostgreSQL if its files cannot grow. */
const databaseDiskFull = '53100';
/** SQLSTATE of PostgreSQL if the role lacks a privilege. */
const insufficientPrivilege = '42501';
const causesMax = 5;

/** Privileges that the service needs, by the kind of object in PostgreSQL's message. */
const neededPrivileges: Readonly<Record<string, string>> = {
  database: 'CREATE',
  schema: 'USAGE and CREATE',
  table: 'SELECT, INSERT, UPDATE, DELETE and TRUNCATE',
  view: 'SELECT',
  sequence: 'USAGE, SELECT and UPDATE',
  function: 'EXECUTE',
  type: 'USAGE',
};
const deniedObject = /^permission denied for (\w+) (.+)$/;
const notOwner = /^must be owner of (\w+ .+)$/;

/**
 * Describes a failure of a command for the administrator. A full disk of the database adds the remedy; a missing
 * privilege adds the privilege. Other errors are returned unchanged.
 */
export function inWords(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const missing = missingPrivilege(error);
  if (missing !== undefined) return new Error(missing, { cause: error });
  if (!isDatabaseDiskFull(error)) return error;
  const said = error.message.replace(/\.$/, '');
  return new Error(`The disk of the database is full: ${said}. Make room on it, and run this again.`, {
    cause: error,
  });
}

/** Returns a sentence that names the missing privilege and its object; undefined for other errors. */
function missingPrivilege(error: Error): string | undefined {
  const denied = withCode(error, insufficientPrivilege);
  if (!denied) return undefined;
  const [, kind = '', name] = deniedObject.exec(denied.message) ?? [];
  const privileges = neededPrivileges[kind];
  if (privileges !== undefined)
    return `The role of the metadata database lacks a privilege: it needs ${privileges} on ${kind} ${name}.`;
  const [, object] = notOwner.exec(denied.message) ?? [];
  return object === undefined
    ? `The role of the metadata database lacks a privilege: ${denied.message}.`
    : `The role of the metadata database must own ${object}.`;
}

const isDatabaseDiskFull = (error: Error): boolean => withCode(error, databaseDiskFull) !== undefined;

/** Returns the error, or its cause, that PostgreSQL sent with a SQLSTATE. */
function withCode(error: Error, code: string): Error | undefined {
  let at: unknown = error;
  for (let depth = 0; depth < causesMax && at instanceof Error; depth += 1) {
    if ('code' in at && at.code === code) return at;
    at = at.cause;
  }
  return undefined;
}
