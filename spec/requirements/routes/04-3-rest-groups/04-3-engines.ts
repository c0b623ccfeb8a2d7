import type { RequirementEntry } from '../../entry.ts';

/** routes, REST conventions, hub, MCP and versioning, section 4.3: engines of data sources. */
export const dataSourceEngines = [
  {
    id: 'RT-4.3-930',
    section: '4.3',
    text: 'The engine BigQuery is offered with its key file as its only secret.',
  },
  {
    id: 'RT-4.3-931',
    section: '4.3',
    text: 'A connection to BigQuery is refused with 400 at `keyFile` unless that is the key file of a service account of Google Cloud.',
  },
  {
    id: 'RT-4.3-932',
    section: '4.3',
    text: 'No refusal of a connection to BigQuery repeats its key file.',
  },
  {
    id: 'RT-4.3-933',
    section: '4.3',
    text: 'The engine Databricks is offered with its client secret and its access token as its only secrets.',
  },
  {
    id: 'RT-4.3-934',
    section: '4.3',
    text: 'A connection to Databricks is refused with 400 at `host` unless that is a bare host name.',
  },
  {
    id: 'RT-4.3-935',
    section: '4.3',
    text: 'A connection to Databricks is refused with 400 at `catalog` where that is none of Unity Catalog.',
  },
  {
    id: 'RT-4.3-936',
    section: '4.3',
    text: 'No refusal of a connection to Databricks repeats its client secret or its access token.',
  },
  {
    id: 'RT-4.3-937',
    section: '4.3',
    text: 'A connection to Databricks is refused with 400 at the credentials that its sign-in needs and lacks.',
  },
  {
    id: 'RT-4.3-950',
    section: '4.3',
    text: 'The engine Snowflake is offered with its private key, the passphrase of that and its access token as its only secrets.',
  },
  {
    id: 'RT-4.3-951',
    section: '4.3',
    text: 'A connection to Snowflake is refused with 400 at the field that cannot be right: a host that is an address or a URL, a private key that is no RSA key in PEM or that its passphrase does not open, an access token that is missing, and a name that is none.',
  },
  {
    id: 'RT-4.3-952',
    section: '4.3',
    text: 'No answer about a connection to Snowflake repeats its private key, its passphrase or its access token.',
  },
  {
    id: 'RT-4.3-953',
    section: '4.3',
    text: 'A role of Snowflake that is granted more than reading, itself or by roles below it, is refused with 409 `login-may-write` and the statements that make one which only reads, unless the data source accepts it.',
  },
  {
    id: 'RT-4.3-954',
    section: '4.3',
    text: 'A statement runs at Snowflake only once Snowflake has compiled it as a query within another one and plans no step that writes.',
  },
  {
    id: 'RT-4.3-955',
    section: '4.3',
    text: 'A statement for Snowflake that acts, reads files, asks models, or names things by texts is refused with 400, and nothing of it is sent.',
  },
  {
    id: 'RT-4.3-956',
    section: '4.3',
    text: 'Values of parameters are bound beside a statement for Snowflake and stand nowhere in its text.',
  },
  {
    id: 'RT-4.3-957',
    section: '4.3',
    text: 'Numbers of Snowflake reach a result with all their digits.',
  },
  {
    id: 'RT-4.3-958',
    section: '4.3',
    text: 'A column of Snowflake with personal data is masked whatever name the statement gives it.',
  },
  {
    id: 'RT-4.3-959',
    section: '4.3',
    text: 'A statement at Snowflake that is stopped, or whose time is over, is ended at Snowflake.',
  },
  {
    id: 'RT-4.3-964',
    section: '4.3',
    text: 'A submission that Snowflake is too busy for is sent again under the same request id, so that no statement runs twice.',
  },
  {
    id: 'RT-4.3-965',
    section: '4.3',
    text: 'The tables of Snowflake are read with their columns, types and keys.',
  },
  {
    id: 'RT-4.3-966',
    section: '4.3',
    text: 'The preflight of a statement for Snowflake has Snowflake compile it, tells where it is wrong, and runs nothing.',
  },
  {
    id: 'RT-4.3-1030',
    section: '4.3',
    text: 'A data source of a REST API can send its key in a query parameter that its settings name, with every request.',
  },
  {
    id: 'RT-4.3-1031',
    section: '4.3',
    text: 'A key that a REST API takes in a query parameter stands in no answer of the service, no log entry, no span, no record and no delivery, also where the API repeats it.',
  },
  {
    id: 'RT-4.3-1032',
    section: '4.3',
    text: 'A statement of a REST source that sets the query parameter of the key is refused with 400.',
  },
  {
    id: 'RT-4.3-1033',
    section: '4.3',
    text: 'A request to a REST API that is answered with 429 or 503 and `Retry-After`, or not at all, is sent again: at most five times a step, after at most a minute of waiting, and never beyond the time limit of the run.',
  },
  {
    id: 'RT-4.3-1034',
    section: '4.3',
    text: 'The record of a run and the preview of a query tell for each step how often its requests were sent again and how long they waited, also when the step failed.',
  },
  {
    id: 'RT-4.3-1035',
    section: '4.3',
    text: 'A step of BigQuery tells the bytes that it scanned and those that it is billed for, and where BigQuery does not tell what it bills, that this is not known.',
  },
  {
    id: 'RT-4.3-1036',
    section: '4.3',
    text: 'The final query of a query joins the rows of a REST API with those of a database: numbers keep their digits, personal data of both stays masked, and each step tells its rows.',
  },
  {
    id: 'RT-4.3-1071',
    section: '4.3',
    text: 'Personal data stays masked under the names that FROM gives to the columns of a table, of VALUES and of functions that make rows.',
  },
  {
    id: 'RT-4.3-1090',
    section: '4.3',
    text: 'A statement does not change a file that its data source reads, also where characters that engines read differently hide what it does.',
  },
  {
    id: 'RT-4.3-1091',
    section: '4.3',
    text: 'A control character outside quotes, other than tab, LF and CR LF, is refused with 400 and its position.',
  },
  {
    id: 'RT-4.3-1096',
    section: '4.3',
    text: 'A result column of PostgreSQL, DuckDB or SQLite is clear if no column with a personal name flows into its value, also behind a star, a CTE, a subquery or a view.',
  },
  {
    id: 'RT-4.3-1097',
    section: '4.3',
    text: 'The columns of a preview say why each masked column is masked and what to change in the statement.',
  },
  {
    id: 'RT-4.3-1480',
    section: '4.3',
    text: 'Personal data in JSON is masked by the names of its members, in columns of JSON and of text. The rest of the document is returned as it is stored.',
  },
  {
    id: 'RT-4.3-1098',
    section: '4.3',
    text: 'A statement reads a file of its data source by the name of its table alone: a path or a function that reads files is refused with 400.',
  },
] as const satisfies readonly RequirementEntry[];
