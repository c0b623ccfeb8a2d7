import type { ProblemTable } from './problem-table.ts';

/** Refusals by data sources and by running SQL. `detail` is the own message of the engine where it has one. */
export const sourcesProblems = {
  cancelled: {
    status: 400,
    title: 'Run cancelled',
    means: 'The run was stopped before its end.',
    next: 'Run it again if that was not meant.',
  },
  'destination-refused': {
    status: 400,
    title: 'Destination refused',
    means: 'The policy of the service refuses the address before anything is sent to it.',
    next: 'Choose another host, or have its network allowed.',
  },
  'empty-statement': {
    status: 400,
    title: 'Empty statement',
    means: 'There is no statement, or only comments.',
    next: 'Write a statement.',
  },
  'engine-unavailable': {
    status: 400,
    title: 'Engine unavailable',
    means: 'The driver is not installed, its process could not be started, or the service is stopping.',
    next: 'Try again. If it stays so, look at the log of the service.',
  },
  'file-not-allowed': {
    status: 400,
    title: 'File not allowed',
    means: 'The file lies outside the folders that the operator allows.',
    next: 'Move the file, or have its folder allowed.',
  },
  'file-unreadable': {
    status: 400,
    title: 'File unreadable',
    means: "The file does not exist, cannot be read, or is not of the engine's format.",
    next: 'Check the path, its permissions and the format of the file.',
  },
  'function-refused': {
    status: 400,
    title: 'Function refused',
    means: 'The statement calls a function with effects outside its result.',
    next: 'Leave the function out.',
  },
  'invalid-parameter': {
    status: 400,
    title: 'Invalid parameter',
    means: 'The value is not of the type that the parameter declares.',
    next: 'Send a value of that type.',
  },
  'invalid-pattern': {
    status: 400,
    title: 'Invalid masking pattern',
    means: 'A masking pattern cannot be parsed or would take too long.',
    next: 'Correct the pattern that `detail` names.',
  },
  'invalid-settings': {
    status: 400,
    title: 'Invalid connection settings',
    means: 'The settings of the connection cannot be parsed.',
    next: 'Correct each setting that `errors` names.',
  },
  'invalid-steps': {
    status: 400,
    title: 'Invalid steps',
    means: 'The steps cannot be run: there are none, too many, or two of one name.',
    next: 'Correct the steps.',
  },
  'misplaced-parameter': {
    status: 400,
    title: 'Misplaced parameter',
    means: 'A placeholder stands where a value cannot, such as inside quotes.',
    next: 'Put the placeholder where a value may stand.',
  },
  'missing-parameter': {
    status: 400,
    title: 'Missing parameter',
    means: 'A parameter without a default has no value.',
    next: 'Give it a value or a default.',
  },
  'more-than-one-statement': {
    status: 400,
    title: 'More than one statement',
    means: 'There is text after the first statement.',
    next: 'Send one statement; put others into steps of their own.',
  },
  'not-a-read': {
    status: 400,
    title: 'Not a read',
    means: 'The statement is not one that reads.',
    next: 'Write one statement that only reads, such as a SELECT.',
  },
  'own-database': {
    status: 400,
    title: "The service's own database",
    means: 'The connection leads to the database that the service keeps its own records in.',
    next: 'Connect to another database.',
  },
  'permission-denied': {
    status: 400,
    title: 'Permission denied',
    means: 'The database user may not read what the statement names.',
    next: 'Grant the right in the database, or leave that part out.',
  },
  'read-only': {
    status: 400,
    title: 'Read only',
    means: 'The engine refused because the statement would write.',
    next: 'Write a statement that only reads.',
  },
  'statement-failed': {
    status: 400,
    title: 'Statement failed',
    means: 'The engine refused the statement; `detail` is its message.',
    next: 'Correct the statement at the place that `errors` names.',
  },
  'syntax-refused': {
    status: 400,
    title: 'Syntax refused',
    means:
      'The statement has a form that the service does not accept, such as executable comments or too much text.',
    next: 'Write it in plain SQL.',
  },
  'too-many-bytes': {
    status: 400,
    title: 'Too many bytes',
    means: 'The result is larger than the limit.',
    next: 'Select fewer columns or rows.',
  },
  'too-many-rows': {
    status: 400,
    title: 'Too many rows',
    means: 'The result has more rows than the limit.',
    next: 'Narrow the query, or have Svc:Query:MaxExecutionRows raised.',
  },
  'unknown-parameter': {
    status: 400,
    title: 'Unknown parameter',
    means: 'A placeholder has no declaration, or a value is given for no parameter.',
    next: 'Declare the parameter, or remove it.',
  },
  'value-too-large': {
    status: 400,
    title: 'Value too large',
    means: 'One value of the result is larger than the limit.',
    next: 'Leave that column out, or cut it in the statement.',
  },
  'out-of-memory': {
    status: 422,
    title: 'Out of memory',
    means: 'The engine ran out of the memory or temporary space that it is given.',
    next: 'Narrow the query, or aggregate in an earlier step.',
  },
  'timed-out': {
    status: 422,
    title: 'Timed out',
    means: 'The statement did not end within the time limit.',
    next: 'Narrow the query, or have Svc:Query:TimeoutSeconds raised.',
  },
  'authentication-failed': {
    status: 424,
    title: 'Authentication failed',
    means: 'The data source refused user name and password.',
    next: 'Correct them in the data source.',
  },
  'connection-failed': {
    status: 424,
    title: 'Connection failed',
    means: 'The data source does not accept connections.',
    next: 'Check host, port and firewall, and that the database is running.',
  },
  'connection-lost': {
    status: 424,
    title: 'Connection lost',
    means: 'The connection broke while it was in use.',
    next: 'Run it again. If it happens often, look at the log of the database.',
  },
  'database-not-found': {
    status: 424,
    title: 'Database not found',
    means: 'The server has no database of this name.',
    next: 'Correct the name in the data source.',
  },
  'tls-failed': {
    status: 424,
    title: 'TLS failed',
    means:
      'The encrypted connection was not established: the certificate is not trusted, or not made out to the host.',
    next: 'Check the certificate of the server and the TLS settings of the data source.',
  },
  'too-many-runs': {
    status: 429,
    title: 'Too many runs',
    means: 'Too many runs wait for this data source or are made by this caller.',
    next: 'Wait for the seconds that Retry-After holds, then run it again.',
  },
} as const satisfies ProblemTable;
