import type { ConnectorError, ConnectorErrorCode, EngineName } from '@svc/connectors';

/** Classes of errors whose messages are not passed on. */
export type ErrorClass =
  | 'Conversion'
  | 'OutOfRange'
  | 'DivisionByZero'
  | 'InvalidArgument'
  | 'SeveralRows'
  | 'Constraint'
  | 'Raised'
  | 'MissingName'
  | 'Denied'
  | 'Write'
  | 'OutOfMemory'
  | 'Stopped'
  | 'File'
  | 'Response'
  | 'Other';

export const textOfClass: Readonly<Record<ErrorClass, string>> = {
  Conversion: 'A value cannot be converted to the type that the statement gives it.',
  OutOfRange: 'A number, time or length is outside the range of its type.',
  DivisionByZero: 'The statement divides by zero.',
  InvalidArgument: 'A function of the statement got a value that it does not accept.',
  SeveralRows: 'A subquery returned more than one row where one value is needed.',
  Constraint: 'A value breaks a rule of the database, such as a unique key.',
  Raised: 'A function of the statement raised an error.',
  MissingName: 'A name that the statement makes from values does not exist or is not valid.',
  Denied: 'The login has no permission for this read.',
  Write: 'The statement would change data, and only reads run.',
  OutOfMemory: 'The statement needs more memory or temporary space than it is given.',
  Stopped: 'The database stopped the statement.',
  File: 'A file that the statement reads cannot be read.',
  Response: 'The API refused the request.',
  Other: 'The database could not complete the statement.',
};

/** Functions that convert without an error, by engine. */
const safeConversions: Readonly<Record<EngineName, string | undefined>> = {
  PostgreSQL: 'pg_input_is_valid(…)',
  MySQL: undefined,
  SQLite: undefined,
  DuckDB: 'try_cast(… as …)',
  ClickHouse: 'accurateCastOrNull(…)',
  SqlServer: 'try_convert(…)',
  BigQuery: 'safe_cast(… as …)',
  Snowflake: 'try_cast(… as …)',
  Databricks: 'try_cast(… as …)',
  Rest: undefined,
};

/** Returns advice for the next step, with a leading space. */
export function adviceFor(errorClass: ErrorClass, engine: EngineName): string {
  const safe = safeConversions[engine];
  switch (errorClass) {
    case 'Conversion':
      return safe === undefined
        ? ' Exclude the rows that do not fit with a condition.'
        : ` Exclude the rows that do not fit with a condition, or use ${safe}.`;
    case 'OutOfRange':
      return ' Convert the value to a larger type, or exclude it with a condition.';
    case 'DivisionByZero':
      return ' Divide by nullif(…, 0).';
    case 'InvalidArgument':
      return ' Check the arguments of the functions, and exclude the rows that do not fit with a condition.';
    case 'SeveralRows':
      return ' Add an aggregate, limit 1, or a condition to the subquery.';
    case 'MissingName':
      return ' Check the values that the statement uses as names.';
    case 'Denied':
      return ' Ask the owner of the database to grant it.';
    case 'OutOfMemory':
      return ' Read fewer rows or columns.';
    case 'Response':
      return ' Check the path and the query of the request.';
    case 'Constraint':
    case 'Raised':
    case 'Write':
    case 'Stopped':
    case 'File':
    case 'Other':
      return ' Run the statement with the database’s own client to read it.';
    default:
      return errorClass satisfies never;
  }
}

const classOfCode: Readonly<Partial<Record<ConnectorErrorCode, ErrorClass>>> = {
  'permission-denied': 'Denied',
  'read-only': 'Write',
  'out-of-memory': 'OutOfMemory',
  'timed-out': 'Stopped',
  cancelled: 'Stopped',
  'file-unreadable': 'File',
};

/** Forms of a code or a message, with the class of their errors. */
type ErrorForms = readonly (readonly [RegExp, ErrorClass])[];

/** Classes by the engine's code or its prefix. The first match applies. */
const byEngineCode: Readonly<Record<EngineName, ErrorForms>> = {
  PostgreSQL: [
    [/^22012/, 'DivisionByZero'],
    [/^22(?:003|008|001|015|022)/, 'OutOfRange'],
    [/^22(?:P0[1-3]|007|018|032|P05)/, 'Conversion'],
    [/^2200[LMNS]/, 'Conversion'],
    [/^21000/, 'SeveralRows'],
    [/^(?:22|2F|54)/, 'InvalidArgument'],
    [/^(?:23|44)/, 'Constraint'],
    [/^(?:P0|38|39)/, 'Raised'],
    [/^(?:42|3D|3F)/, 'MissingName'],
    [/^53/, 'OutOfMemory'],
    [/^57/, 'Stopped'],
  ],
  MySQL: [
    [/^(?:1242)$/, 'SeveralRows'],
    [/^(?:1365)$/, 'DivisionByZero'],
    [/^(?:1690|1264|1301|1441)$/, 'OutOfRange'],
    [/^(?:1292|1366|1367|3140|3141|3156|1525|4079)$/, 'Conversion'],
    [/^(?:1062|1048|1451|1452|3819|4025)$/, 'Constraint'],
    [/^(?:1644|1643|1642)$/, 'Raised'],
    [/^(?:1105|1139|1210|1411|1582|1772|3143|3516|4037|4038|4039|4042)$/, 'InvalidArgument'],
  ],
  ClickHouse: [
    [/^153$/, 'DivisionByZero'],
    [/^(?:6|26|27|38|41|53|70|72|117|131|321|349|351|376|457)$/, 'Conversion'],
    [/^(?:69|128|131|321|407|440)$/, 'OutOfRange'],
    [/^125$/, 'SeveralRows'],
    [/^395$/, 'Raised'],
    [/^(?:36|42|43|44|427)$/, 'InvalidArgument'],
    [/^(?:46|47|50|60|81)$/, 'MissingName'],
  ],
  SqlServer: [
    [/^8134$/, 'DivisionByZero'],
    [/^(?:241|242|245|248|293|295|8114|8169|9807|13609)$/, 'Conversion'],
    [/^(?:220|232|244|8115|517|535)$/, 'OutOfRange'],
    [/^512$/, 'SeveralRows'],
    [/^(?:2601|2627|515|547)$/, 'Constraint'],
    [/^(?:50\d{3})$/, 'Raised'],
  ],
  Snowflake: [
    [/^100051$/, 'DivisionByZero'],
    [/^(?:100035|100037|100038|100040|100069|100071|100078|100096|100097)$/, 'Conversion'],
    [/^(?:100039|100046|100058|100132)$/, 'OutOfRange'],
    [/^090150$|^100090$/, 'SeveralRows'],
  ],
  Databricks: [
    [/^DIVIDE_BY_ZERO/, 'DivisionByZero'],
    [/^(?:CAST_INVALID_INPUT|MALFORMED_|CANNOT_PARSE_|INVALID_JSON)/, 'Conversion'],
    [/OVERFLOW|OUT_OF_RANGE/, 'OutOfRange'],
    [/^SCALAR_SUBQUERY_TOO_MANY_ROWS/, 'SeveralRows'],
    [/^USER_RAISED_EXCEPTION/, 'Raised'],
  ],
  Rest: [[/./, 'Response']],
  // These engines report no codes, or codes that say less than the message.
  SQLite: [],
  DuckDB: [],
  BigQuery: [],
};

/** Classes by the start of the engine's message. The message only selects the class and is not passed on. */
const byWords: Readonly<Record<EngineName, ErrorForms>> = {
  DuckDB: [
    [/^Conversion Error/, 'Conversion'],
    [/^Out of Range Error/, 'OutOfRange'],
    [/^Constraint Error/, 'Constraint'],
    [/^Invalid Input Error: .*more than one row returned by a subquery/i, 'SeveralRows'],
    [/^Invalid Input Error: (?:Malformed|Invalid|Could not parse)/, 'InvalidArgument'],
    [/^Invalid Input Error/, 'Raised'],
    [/^Catalog Error/, 'MissingName'],
  ],
  SQLite: [
    [/^(?:malformed JSON|datatype mismatch)/, 'Conversion'],
    [/overflow|out of range/, 'OutOfRange'],
    [/JSON path|must be|escape|argument|labels/i, 'InvalidArgument'],
    [/constraint/, 'Constraint'],
  ],
  BigQuery: [
    [/^division by zero/i, 'DivisionByZero'],
    [/^(?:Bad |Invalid |Could not cast|Failed to parse|Could not parse)/i, 'Conversion'],
    [/overflow|out of range/i, 'OutOfRange'],
    [/^Scalar subquery produced more than one/i, 'SeveralRows'],
  ],
  // The codes of these engines decide.
  PostgreSQL: [],
  MySQL: [],
  ClickHouse: [],
  SqlServer: [],
  Snowflake: [],
  Databricks: [],
  Rest: [],
};

/** Returns the class of an error whose message is not passed on. */
export function errorClassOf(
  { code, engineCode = '', message }: ConnectorError,
  engine: EngineName,
): ErrorClass {
  const ofCode = classOfCode[code];
  if (ofCode) return ofCode;
  const first = (list: readonly (readonly [RegExp, ErrorClass])[] = [], text: string) =>
    list.find(([pattern]) => pattern.test(text))?.[1];
  return first(byEngineCode[engine], engineCode) ?? first(byWords[engine], message) ?? 'Other';
}
